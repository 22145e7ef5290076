// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

extension EngineCatalog.Entry {
    mutating func take(_ manifest: Manifest) {
        engine.name = manifest.name
        engine.version = manifest.version
        engine.vendor = manifest.vendor
        engine.license = manifest.license
        engine.abi = manifest.abi
        engine.kinds = manifest.kinds
        engine.extensions = manifest.extensions
        engine.schemes = manifest.schemes
        engine.hosting = manifest.isInProcess ? .inProcess : .isolated
        isCopyleft = manifest.isCopyleft
        permissions = manifest.permissions
        memory = manifest.memory
    }

    /// Applies the decisions about the engine: what it is granted, and whether it may run at all.
    mutating func take(_ record: EngineRecord) {
        let isTrusted = record.trust?.path == engine.path
        granted = permissions.filter { asked in
            Permission.known.contains(asked)
                && (origin == .installed || isTrusted && record.trust?.permissions.contains(asked) == true)
        }
        // Without network access, the engine's only answer to an address would be that it may not open it.
        if !granted.contains(Permission.network) { engine.schemes.removeAll { ["http", "https"].contains($0) } }
        guard engine.state == .available else { return }
        if record.isDisabled {
            engine.state = .disabled
            engine.reason = "by the user; rostrum engines enable \(engine.id)"
        } else if let quarantine = record.quarantine, let module, ContentHash.of(module) == quarantine.module {
            engine.state = .quarantined
            engine.reason = "\(quarantine.reason) (\(quarantine.since)); rostrum engines clear \(engine.id)"
        } else if let denied = permissions.first(where: { Permission.known.contains($0) && !granted.contains($0) }) {
            engine.reason = "without the permission “\(denied)”; rostrum engines trust \(engine.id)"
        }
    }

    /// Returns the entry as a program hosts it that allows only some engines into its own process.
    ///
    /// An engine that must not run in this process, although its manifest and the program would have it there, is
    /// refused.
    public func hosted(inProcess isTrusted: Bool) -> EngineCatalog.Entry {
        var entry = self
        guard engine.hosting == .inProcess else { return entry }
        if !isTrusted {
            entry.engine.hosting = .isolated
        } else if isCopyleft, engine.state == .available {
            entry.engine.state = .refused
            entry.engine.reason = "its licence (\(engine.license)) bars it from this process"
        }
        return entry
    }
}
