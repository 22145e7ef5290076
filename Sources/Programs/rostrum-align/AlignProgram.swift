// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import ArgumentParser
import CTransport
import Glibc
import SessionProtocol
import SpeechAlignment

/// The entry of the program.
@main
enum AlignEntry {
    /// Gives way to all other processes before anything else, and does what the command line says.
    ///
    /// Priority belongs to a thread and is inherited: the first thread takes the lowest one while it is the only one.
    @MainActor static func main() async {
        ctransport_give_way()
        // A request to end must arrive, whatever the one who started the program did not want to be disturbed by.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        signal(SIGTERM, SIG_DFL)
        await AlignProgram.main()
    }
}

/// The alignment of a recording with its text: started by `rostrum align`.
///
/// It ends at a signal without more ado: what it has decided is on disk, and its engines end with it.
struct AlignProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rostrum-align",
        abstract: "Find each sentence of a text in a recording of it, and write the places to a file.",
        discussion: "A second start goes on where one that was ended stopped.")

    @Option(help: "The file to write.")
    var out: String
    @Option(help: "The engine that speaks the text for comparison.")
    var engine = "espeak"
    @Option(help: "Its voice.")
    var voice: String?
    @Flag(help: "Print JSON Lines: the progress, and at the end a summary.")
    var json = false
    @Flag(help: "Once it is certain that no other process makes this alignment, print an empty line, and nothing more.")
    var background = false
    @Option(help: "What identifies the text in the file; by default the file's size and time.")
    var textIdentity: String?
    @Option(help: "What identifies the recording in the file; by default the tracks' sizes and times.")
    var recordingIdentity: String?
    @Option(help: "The ID of the book in the library, by which `rostrum align --stop` finds this program.")
    var book: String?
    @Argument(help: "The text, in any format that `rostrum read` reads.")
    var text: String
    @Argument(help: "The files of the recording, in order.")
    var tracks: [String]

    func validate() throws {
        if tracks.isEmpty { throw ValidationError("which recording? name its files in order") }
    }

    static func write(_ descriptor: Int32, _ text: String) {
        _ = text.withCString { Glibc.write(descriptor, $0, strlen($0)) }
    }

    func run() async throws {
        do throws(AlignmentFailure) {
            let claim: RunningAlignment
            do throws(AlignmentFileError) { claim = try RunningAlignment(out, book: book) } catch {
                throw AlignmentFailure(error)
            }
            if background { leaveStarter() }
            do throws(AlignmentFailure) { try await align(claim) } catch {
                claim.fail(error)
                throw error
            }
            claim.finish()
        } catch {
            Self.write(STDERR_FILENO, "rostrum: \(error.message)\n")
            throw ExitCode(error.exitCode)
        }
    }

    /// Tells whoever started the program that it goes on from here, and lets go of its output.
    private func leaveStarter() {
        Self.write(STDOUT_FILENO, "\n")
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        dup2(nowhere, STDOUT_FILENO)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    private func align(_ claim: RunningAlignment) async throws(AlignmentFailure) {
        let header = AlignmentHeader(
            text: try ContentIdentity.of([text], unless: textIdentity),
            recording: try ContentIdentity.of(tracks, unless: recordingIdentity), engine: engine, voice: voice)
        let engines = try AlignEngines()
        let spoken = try await SpokenPassages(text, engine: engine, voice: voice, engines)
        // An engine or a voice that does not speak must not cost an alignment that was made by another.
        try await spoken.begin(at: 0)
        let writer: AlignmentWriter
        do throws(AlignmentFileError) { writer = try AlignmentWriter(out, header) } catch {
            throw AlignmentFailure(error)
        }
        let progress = AlignProgress(isJSON: json, claim)
        var alignment = writer.found
        if !alignment.isComplete {
            let recording = RecordedTracks(tracks, engines)
            var aligner = SpeechAligner(resuming: alignment.state)
            try await spoken.begin(at: alignment.state?.neededText ?? 0)
            recording.begin(track: alignment.state?.track ?? 0, second: alignment.state?.second ?? 0)
            while !alignment.isComplete {
                switch aligner.need {
                case .text:
                    if let passage = try await spoken.next() { aligner.append(passage) } else { aligner.endText() }
                case .recording:
                    switch await recording.next() {
                    case .sound(let samples): aligner.append(recording: samples)
                    case .endOfTrack: aligner.endTrack()
                    case .end: aligner.endRecording()
                    }
                case .nothing:
                    guard let step = aligner.step() else {
                        throw AlignmentFailure(.defect, "the alignment stopped; report this")
                    }
                    // What could not be decoded is tried again the next time.
                    if step.isLast, let warning = recording.warnings.first {
                        throw AlignmentFailure(.incomplete, "\(warning); the alignment is not complete: run it again")
                    }
                    do throws(AlignmentFileError) { try writer.append(step) } catch { throw AlignmentFailure(error) }
                    alignment.append(step)
                }
                if let share = recording.share { progress.show(share) }
            }
            await spoken.shutDown()
            await recording.shutDown()
            for warning in recording.warnings { Self.write(STDERR_FILENO, "\nrostrum: \(warning)") }
        }
        progress.end(AlignSummary(alignment, textSize: spoken.size, bytes: spoken.unmatchedBytes(alignment)))
    }
}
