// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SessionProtocol
import TerminalPlayer

/// A wait until a waveform is made, with a bar in a terminal.
final class WaveformWait {
    private let json: Bool
    private let hasTerminal: Bool
    private var bar = ""

    init(json: Bool) {
        self.json = json
        hasTerminal = isatty(STDERR_FILENO) == 1
    }

    /// The columns of the terminal, or 80.
    static var columns: Int {
        var size = winsize()
        let isKnown =
            ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 || ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0
        guard isKnown, size.ws_col > 0 else { return 80 }
        return min(Int(size.ws_col), PeaksRequest.columns.upperBound)
    }

    /// Waits, then prints the waveform or writes its file; Ctrl-C ends the wait.
    func run(_ request: PeaksRequest, output: WaveformCopy?) throws(SessionError) {
        let command = SessionCommand.peaks(request)
        try command.validate()
        var signals = Signals()
        let connection = try Session.runningOrStarted()
        // The session must not end while it makes what is waited for.
        try connection.send(.subscribe(Subscription([], stay: true)))
        var asked = try connection.send(.command(command))
        var uri: String?
        // The news that it is over may come before the first answer.
        var over: Set<String> = []
        while true {
            var waits = [pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)]
            for signal in signals.wait(&waits, timeoutMs: nil) where signal != SIGWINCH && signal != SIGCONT {
                clear()
                if Signals.ending.contains(signal) {
                    StandardError.write(
                        SessionError(.busy, "ended; what is made is kept, and the same command continues"))
                }
                signals.passOn(signal)
            }
            guard waits[0].revents != 0 else { continue }
            let isOpen = try connection.receive()
            while let message = try connection.nextMessage() {
                switch message {
                case .answer(asked, let result):
                    let (text, waveform) = try answer(result)
                    uri = waveform.uri
                    if waveform.isComplete { return try finish(text, waveform, output) }
                    if let fault = waveform.fault { throw clear(SessionError(.badContent, fault)) }
                    draw(waveform.progress)
                    if over.remove(waveform.uri) != nil { asked = try connection.send(.command(command)) }
                case .peaks(let text):
                    guard let progress = try? JSONDecoder().decode(WaveformProgress.self, from: Data(text)),
                        progress.track == request.track
                    else { continue }
                    let isOver = progress.isComplete || progress.fault != nil
                    if progress.uri == uri {
                        draw(progress.progress)
                        if let fault = progress.fault, !progress.isComplete {
                            throw clear(SessionError(.badContent, fault))
                        }
                        if isOver { asked = try connection.send(.command(command)) }
                    } else if isOver {
                        over.insert(progress.uri)
                    }
                case .answer, .status, .transition, .finished, .library, .text, .unknown: break
                }
            }
            if !isOpen {
                throw clear(SessionError(.unavailable, "the session ended: meanwhile; the same command continues"))
            }
        }
    }

    private func answer(
        _ result: Result<[UInt8], RPCError>
    ) throws(SessionError) -> (text: [UInt8], waveform: WaveformInfo) {
        let text: [UInt8]
        do throws(RPCError) {
            text = try result.get()
        } catch {
            throw clear(error.sessionError)
        }
        return (text, try decoded(text, as: WaveformInfo.self))
    }

    private func finish(_ text: [UInt8], _ waveform: WaveformInfo, _ output: WaveformCopy?) throws(SessionError) {
        clear()
        if let output {
            guard let file = waveform.file else {
                throw SessionError(
                    .io, waveform.fault ?? "the session keeps no waveform of this file; is its disk full?")
            }
            try output.write(file)
        }
        if json { return try StandardOutput.write(text + [JSONLine.newline]) }
        if output == nil { try StandardOutput.write(WaveformText(waveform).lines.joined(separator: "\n") + "\n") }
    }

    private func draw(_ share: Double) {
        guard hasTerminal, !json else { return }
        let width = max(10, min(50, Self.columns - 30))
        let done = Int(Double(width) * max(0, min(1, share)))
        let text =
            "[" + String(repeating: "=", count: done) + String(repeating: " ", count: width - done)
            + "]  \(Int(share * 100)) %"
        guard text != bar else { return }
        put("\r\u{1B}[K" + text)
        bar = text
    }

    private func clear() {
        if !bar.isEmpty { put("\r\u{1B}[K") }
        bar = ""
    }

    private func clear(_ error: SessionError) -> SessionError {
        clear()
        return error
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
