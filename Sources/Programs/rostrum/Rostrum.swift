// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CGNUSource
import Glibc
import SessionProtocol

/// The thin client: every command is a request to the session, or reads a file.
@main
struct Rostrum: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rostrum",
        abstract: "Play audiobooks, read texts aloud, and control the session that plays them.",
        version: "rostrum \(RostrumVersion.current)",
        subcommands: [
            PlayCommand.self, ReadCommand.self, TextCommand.self, SayCommand.self, PronunciationsCommand.self,
            StatusCommand.self, PauseCommand.self, ResumeCommand.self, ToggleCommand.self, StopCommand.self,
            SeekCommand.self, SkipCommand.self, ChapterCommand.self,
            RateCommand.self, VolumeCommand.self, EngineCommand.self, EnginesCommand.self, InspectCommand.self,
            LibraryCommand.self, AlignCommand.self, ReadingCommand.self, PodcastCommand.self, ServerCommand.self,
            VoicesCommand.self,
            ClaimCommand.self, ReleaseCommand.self, ClipCommand.self, UndoCommand.self,
            HistoryCommand.self, SleepCommand.self, OptionCommand.self, SettingsCommand.self, LogCommand.self,
            ReplayCommand.self, DoctorCommand.self, ReportCommand.self,
        ])

    @Flag(help: "Open the player for screen readers: lines in place of a screen.")
    var plain = false
    @Flag(help: "Open the player in big letters, steered with arrows and Enter.")
    var big = false

    /// Opens the player in a terminal; anywhere else, says what there is.
    func run() throws {
        guard TerminalProgram.isInTerminal || plain else { throw CleanExit.helpRequest(self) }
        try TerminalProgram.run(isPlain: plain, isBig: big)
    }

    static func main() {
        // A parent may have blocked signals, which its children inherit; Ctrl-C and kill must work.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        do {
            var command = try parseAsRoot(protectingNegativeTimes(Array(CommandLine.arguments.dropFirst())))
            try command.run()
        } catch let error as SessionError {
            fail(error)
        } catch {
            let code = exitCode(for: error).rawValue
            if code == 0 {
                try? StandardOutput.write(fullMessage(for: error) + "\n")
                Glibc.exit(0)
            }
            fail(SessionError(.usage, message(for: error).firstLine + "; see `rostrum help`"))
        }
    }

    private static func fail(_ error: SessionError) -> Never {
        StandardError.write(error)
        Glibc.exit(error.code.rawValue)
    }

    /// Inserts `--` before a negative value: `-30` of `seek -30` and `-0.5` of `option balance -0.5` are not options.
    private static func protectingNegativeTimes(_ arguments: [String]) -> [String] {
        guard arguments.first == "seek" || arguments.first == "option", !arguments.contains("--"),
            let index = arguments.dropFirst().firstIndex(where: {
                $0.hasPrefix("-") && $0 != "-h" && !$0.hasPrefix("--")
            })
        else { return arguments }
        return arguments[..<index] + ["--"] + arguments[index...]
    }
}

extension String {
    var firstLine: String { String(prefix { !$0.isNewline }) }
}
