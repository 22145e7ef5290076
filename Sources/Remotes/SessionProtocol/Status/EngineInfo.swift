// SPDX-License-Identifier: Apache-2.0

/// An installed engine, known from its manifest alone, as `rostrum engines --json` prints it.
public struct EngineInfo: Sendable, Hashable, Codable {
    public var id: String
    public var name: String
    public var version: String
    public var vendor: String
    public var license: String
    public var abi: String
    public var kinds: [String]
    public var hosting: String
    public var state: String
    public var path: String
    public var reason: String?

    public init(
        id: String, name: String, version: String, vendor: String, license: String, abi: String, kinds: [String],
        hosting: String, state: String, path: String, reason: String?
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.vendor = vendor
        self.license = license
        self.abi = abi
        self.kinds = kinds
        self.hosting = hosting
        self.state = state
        self.path = path
        self.reason = reason
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(version, forKey: .version)
        try members.encode(vendor, forKey: .vendor)
        try members.encode(license, forKey: .license)
        try members.encode(abi, forKey: .abi)
        try members.encode(kinds, forKey: .kinds)
        try members.encode(hosting, forKey: .hosting)
        try members.encode(state, forKey: .state)
        try members.encode(path, forKey: .path)
        try members.encode(reason, forKey: .reason)
    }
}
