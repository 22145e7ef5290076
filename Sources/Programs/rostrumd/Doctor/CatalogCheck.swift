// SPDX-License-Identifier: Apache-2.0

import EngineCatalog
import EngineConfinement
import EngineConformance
import EngineTransport
import Glibc
import MediaPlayback
import PlaybackCore

/// The examination of the installed engines.
struct CatalogCheck {
    private static let subject = "engines"

    /// The time in seconds for an engine to start and to list its voices.
    private static let limit = 10.0

    private let entries: [EngineCatalog.Entry]
    private var engines: [InstalledEngine] { entries.map(\.engine) }

    init(_ catalog: EngineCatalog) { entries = catalog.entries() }

    func findings() -> [Finding] {
        var findings = engines.map(finding)
        for kind in ContentKind.allCases
        where !engines.contains(where: { $0.state == .available && $0.kinds.contains(kind) && !$0.extensions.isEmpty })
        {
            let (what, package) =
                kind == .audio ? ("recordings", "rostrum-engine-ffmpeg") : ("texts", "rostrum-engine-espeak")
            findings.append(.fault(Self.subject, "none plays \(what)", do: "install one, such as \(package)"))
        }
        let runner = ProgramFolder.beside("rostrum-engine-runner")
        guard access(runner, X_OK) == 0 else {
            return findings + [.fault(Self.subject, "\(runner) is missing", do: "install it beside rostrumd")]
        }
        return findings + voices(runner)
    }

    private func finding(_ engine: InstalledEngine) -> Finding {
        // The reason says what to do.
        let name = "\(engine.id) \(engine.version)"
        let reason = engine.reason.map { ": \($0)" } ?? ""
        switch engine.state {
        case .available: return engine.reason == nil ? .ok(Self.subject, name) : .note(Self.subject, name + reason)
        case .disabled: return .note(Self.subject, "\(name) is disabled" + reason)
        case .shadowed: return .note(Self.subject, "\(name) is shadowed" + reason)
        case .quarantined: return fault(engine, "is in quarantine" + reason)
        case .incompatible: return fault(engine, "does not fit" + reason)
        case .refused: return fault(engine, "is refused" + reason)
        }
    }

    private func fault(_ engine: InstalledEngine, _ words: String) -> Finding {
        .fault(
            Self.subject, "\(engine.id) \(engine.version) \(words)",
            do: "see `rostrum engines show \(engine.id)`")
    }

    /// Starts each engine that speaks, as a session would, and has it list its voices.
    private func voices(_ runner: String) -> [Finding] {
        guard let list = ConformanceCase.all.first(where: { $0.name == "voices.list" }) else { return [] }
        return entries.compactMap { entry in
            let engine = entry.engine
            guard engine.state == .available, engine.kinds.contains(.text), let module = entry.module else {
                return nil
            }
            let description = EngineDescription(
                id: engine.id.rawValue, module: module, kinds: engine.kinds.map(\.rawValue),
                extensions: engine.extensions, content: nil)
            let run = ConformanceRun(
                description, runner: runner, options: entry.confinement.arguments, deadline: Self.limit)
            let result: CaseResult
            do throws(SystemError) {
                result = try run.run(list)
            } catch {
                return .fault("voices", "\(engine.id) cannot be started: \(error)", do: "check `ulimit -a`")
            }
            switch result.outcome {
            case .passed: return .ok("voices", "\(engine.id) starts and lists its voices")
            case .skipped: return .ok("voices", "\(engine.id) starts, and has one voice")
            case .failed, .crashed, .hung, .notRun:
                let detail = result.detail.isEmpty ? "" : ": \(result.detail)"
                return .fault(
                    "voices", "\(engine.id) does not list its voices\(detail)",
                    do: "run `rostrum engines check \(engine.path)`")
            }
        }
    }
}
