// SPDX-License-Identifier: Apache-2.0

/// What the user, and the session's supervision, decided about one engine.
public struct EngineRecord: Sendable, Hashable {
    /// What the user grants; only while the engine lies where it lay then.
    public struct Trust: Sendable, Hashable {
        public var path: String
        public var permissions: [String]

        public init(path: String, permissions: [String]) {
            self.path = path
            self.permissions = permissions
        }
    }

    /// Why it is not started any more.
    public struct Quarantine: Sendable, Hashable {
        public var reason: String
        /// `ContentHash` of the module: another module is another engine.
        public var module: String
        /// RFC 3339.
        public var since: String

        public init(reason: String, module: String, since: String) {
            self.reason = reason
            self.module = module
            self.since = since
        }
    }

    public var isDisabled = false
    public var trust: Trust?
    public var quarantine: Quarantine?

    public init() {}

    /// Nothing is recorded.
    var isEmpty: Bool { self == EngineRecord() }
}

extension EngineRecord {
    /// What of a value is not what it should be is as if it were not there.
    init(_ json: JSONTree) {
        isDisabled = json["disabled"] == .bool(true)
        if let trusted = json["trusted"], let path = trusted["path"]?.string {
            trust = Trust(path: path, permissions: trusted["permissions"]?.strings ?? [])
        }
        if let quarantined = json["quarantine"], let module = quarantined["module"]?.string {
            quarantine = Quarantine(
                reason: quarantined["reason"]?.string ?? "no reason is recorded", module: module,
                since: quarantined["since"]?.string ?? "")
        }
    }

    /// Writes what is known into what was there.
    func write(into json: inout JSONTree) {
        json["disabled"] = isDisabled ? .bool(true) : nil
        if let trust {
            var member = json["trusted"] ?? .object([:])
            member["path"] = .string(trust.path)
            member["permissions"] = .array(trust.permissions.map(JSONTree.string))
            json["trusted"] = member
        } else {
            json["trusted"] = nil
        }
        if let quarantine {
            var member = json["quarantine"] ?? .object([:])
            member["reason"] = .string(quarantine.reason)
            member["module"] = .string(quarantine.module)
            member["since"] = .string(quarantine.since)
            json["quarantine"] = member
        } else {
            json["quarantine"] = nil
        }
    }
}
