// SPDX-License-Identifier: Apache-2.0

import AudioSession
import SessionProtocol

/// The examination of the outputs: which one a session would use, and where its sound would be heard.
enum SoundCheck {
    private static let subject = "sound"
    private static let limit = Duration.seconds(5)

    static func findings(isSessionRunning: Bool) async -> [Finding] {
        var faults: [Finding] = []
        for output in DeviceOutputs().outputs(named: "auto") {
            switch await outcome(of: output) {
            case .route(let route):
                let device = route.device.map { " to \($0)" } ?? ""
                let words = "\(route.output)\(device)" + (route.server.map { " (\($0))" } ?? "")
                guard faults.isEmpty else {
                    return [.note(subject, "\(words), because \(faults[0].words)", do: faults[0].remedy)]
                }
                return [.ok(subject, words)]
            case .failed(let words):
                faults.append(
                    .fault(subject, words, do: "start PipeWire or PulseAudio: systemctl --user start pipewire-pulse"))
            case .late:
                faults.append(
                    .fault(
                        subject, "\(output.name) does not answer within 5 s",
                        do: "restart the sound server: systemctl --user restart pipewire-pulse"))
            }
        }
        // A device that only one program may have is the session's.
        if isSessionRunning { return faults.map { .note($0.subject, $0.words, do: $0.remedy) } }
        return faults
    }

    private enum Outcome: Sendable {
        case route(Route)
        case failed(String)
        case late
    }

    /// Connects to an output; one that hangs is left to itself.
    private static func outcome(of output: any AudioOutput) async -> Outcome {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Outcome.self)
        Task {
            do throws(OutputError) {
                outcome.yield(.route(try await output.connect()))
            } catch {
                outcome.yield(.failed(error.message))
            }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            outcome.yield(.late)
        }
        defer { timer.cancel() }
        for await first in outcomes { return first }
        return .late
    }
}
