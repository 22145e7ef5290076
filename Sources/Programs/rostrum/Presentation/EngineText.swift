// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

extension EngineInfo {
    var line: String {
        let why = reason.map { ": \($0)" } ?? ""
        return "\(id) \(version), \(kinds.joined(separator: " and ")), \(hosting), \(state)\(why): \(name), \(path)"
    }
}

extension EngineDetail {
    var lines: [String] {
        var lines = [
            "\(engine.id) \(engine.version): \(engine.name), by \(engine.vendor)",
            "state: \(engine.state)" + (engine.reason.map { ": \($0)" } ?? ""),
            "folder: \(engine.path) (\(origin))",
        ]
        if let module { lines.append("module: \(module)") }
        if let hash { lines.append("content: \(hash)") }
        lines.append("licence: \(engine.license); contract \(engine.abi); \(engine.hosting)")
        lines.append("plays: \(engine.kinds.joined(separator: ", ")); \(list(extensions)); \(list(schemes))")
        lines.append("permissions: asked \(list(permissions.asked)), granted \(list(permissions.granted))")
        lines += shadows.map { "shadows: \($0), which comes later in the search path" }
        if let shadowedBy { lines.append("shadowed by: \(shadowedBy), which comes first in the search path") }
        for conflict in conflicts {
            lines.append(
                "conflict: .\(conflict.fileExtension) is played by \(conflict.engines.joined(separator: ", ")); "
                    + "\(conflict.winner) comes first, and is chosen")
        }
        if let quarantine {
            let holds = quarantine.holds ? "" : ", but the module has changed"
            lines.append("quarantine: \(quarantine.reason), since \(quarantine.since)\(holds)")
        }
        let landlock = confinement.landlock > 0 ? "Landlock ABI \(confinement.landlock)" : "no Landlock"
        lines.append("this kernel has: \(landlock), \(confinement.seccomp ? "seccomp" : "no seccomp")")
        lines += confinement.enforced.map { "enforced: \($0)" }
        lines += confinement.missing.map { "NOT enforced here: \($0)" }
        return lines
    }

    private func list(_ words: [String]) -> String { words.isEmpty ? "-" : words.joined(separator: " ") }
}
