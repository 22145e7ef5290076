// SPDX-License-Identifier: Apache-2.0

/// Everything known about one engine without running it, as `rostrum engines show --json` prints it.
public struct EngineDetail: Sendable, Hashable, Codable {
    public struct Permissions: Sendable, Hashable, Codable {
        public var asked: [String]
        public var granted: [String]

        public init(asked: [String], granted: [String]) {
            self.asked = asked
            self.granted = granted
        }
    }

    /// A file name extension that other engines play, too.
    public struct Conflict: Sendable, Hashable, Codable {
        public var fileExtension: String
        /// The engines, in the order in which they are asked.
        public var engines: [String]
        /// The engine that is chosen by content.
        public var winner: String

        private enum CodingKeys: String, CodingKey {
            case fileExtension = "extension"
            case engines, winner
        }

        public init(fileExtension: String, engines: [String], winner: String) {
            self.fileExtension = fileExtension
            self.engines = engines
            self.winner = winner
        }
    }

    public struct Quarantine: Sendable, Hashable, Codable {
        public var reason: String
        public var since: String
        /// `false` if the module has changed since.
        public var holds: Bool

        public init(reason: String, since: String, holds: Bool) {
            self.reason = reason
            self.since = since
            self.holds = holds
        }
    }

    /// The confinement of the engine's process on the running kernel, in words.
    public struct Confinement: Sendable, Hashable, Codable {
        /// The version of Landlock's interface; 0 if it is missing.
        public var landlock: Int
        public var seccomp: Bool
        public var enforced: [String]
        public var missing: [String]

        public init(landlock: Int, seccomp: Bool, enforced: [String], missing: [String]) {
            self.landlock = landlock
            self.seccomp = seccomp
            self.enforced = enforced
            self.missing = missing
        }
    }

    public var engine: EngineInfo
    /// One of `installed` (with the programs), `user` (by the user) and `named` (in `ROSTRUM_ENGINE_PATH`).
    public var origin: String
    public var module: String?
    /// The SHA-256 hash of the module.
    public var hash: String?
    public var extensions: [String]
    public var schemes: [String]
    public var permissions: Permissions
    public var memoryMiB: Int
    /// Folders with the same ID that come later in the search order, and are not used.
    public var shadows: [String]
    /// The folder that is used instead of this one.
    public var shadowedBy: String?
    public var conflicts: [Conflict]
    public var quarantine: Quarantine?
    public var confinement: Confinement

    public init(
        engine: EngineInfo, origin: String, module: String?, hash: String?, extensions: [String], schemes: [String],
        permissions: Permissions, memoryMiB: Int, shadows: [String], shadowedBy: String?, conflicts: [Conflict],
        quarantine: Quarantine?, confinement: Confinement
    ) {
        self.engine = engine
        self.origin = origin
        self.module = module
        self.hash = hash
        self.extensions = extensions
        self.schemes = schemes
        self.permissions = permissions
        self.memoryMiB = memoryMiB
        self.shadows = shadows
        self.shadowedBy = shadowedBy
        self.conflicts = conflicts
        self.quarantine = quarantine
        self.confinement = confinement
    }

    private enum Key: String, CodingKey {
        case origin, module, hash, extensions, schemes, permissions, memoryMiB, shadows, shadowedBy, conflicts
        case quarantine, confinement
    }

    /// Decodes the members of an entry of the list, and those that only this object has.
    public init(from decoder: any Decoder) throws {
        engine = try EngineInfo(from: decoder)
        let members = try decoder.container(keyedBy: Key.self)
        origin = try members.decode(String.self, forKey: .origin)
        module = try members.decodeIfPresent(String.self, forKey: .module)
        hash = try members.decodeIfPresent(String.self, forKey: .hash)
        extensions = try members.decode([String].self, forKey: .extensions)
        schemes = try members.decode([String].self, forKey: .schemes)
        permissions = try members.decode(Permissions.self, forKey: .permissions)
        memoryMiB = try members.decode(Int.self, forKey: .memoryMiB)
        shadows = try members.decode([String].self, forKey: .shadows)
        shadowedBy = try members.decodeIfPresent(String.self, forKey: .shadowedBy)
        conflicts = try members.decode([Conflict].self, forKey: .conflicts)
        quarantine = try members.decodeIfPresent(Quarantine.self, forKey: .quarantine)
        confinement = try members.decode(Confinement.self, forKey: .confinement)
    }

    public func encode(to encoder: any Encoder) throws {
        try engine.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(origin, forKey: .origin)
        try members.encode(module, forKey: .module)
        try members.encode(hash, forKey: .hash)
        try members.encode(extensions, forKey: .extensions)
        try members.encode(schemes, forKey: .schemes)
        try members.encode(permissions, forKey: .permissions)
        try members.encode(memoryMiB, forKey: .memoryMiB)
        try members.encode(shadows, forKey: .shadows)
        try members.encode(shadowedBy, forKey: .shadowedBy)
        try members.encode(conflicts, forKey: .conflicts)
        try members.encode(quarantine, forKey: .quarantine)
        try members.encode(confinement, forKey: .confinement)
    }
}
