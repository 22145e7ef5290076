// SPDX-License-Identifier: Apache-2.0

import JSON

/// The decisions of the user, and of the session's supervision, about one engine.
public struct EngineRecord: Sendable, Hashable {
    /// The permissions that the user granted, which hold only while the engine's path is unchanged.
    public struct Trust: Sendable, Hashable {
        public var path: String
        public var permissions: [String]

        public init(path: String, permissions: [String]) {
            self.path = path
            self.permissions = permissions
        }
    }

    /// The reason why an engine is no longer started.
    public struct Quarantine: Sendable, Hashable {
        public var reason: String
        /// The `ContentHash` of the module; a different module is a different engine.
        public var module: String
        /// The time of the quarantine, in RFC 3339 format.
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

    /// `true` if nothing is recorded.
    var isEmpty: Bool { self == EngineRecord() }
}

extension EngineRecord {
    /// Reads a record; a part with an unexpected value is treated as absent.
    init(_ json: JSONValue) {
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

    /// Writes the record into existing JSON, and leaves all other members unchanged.
    func write(into json: inout JSONValue) {
        json["disabled"] = isDisabled ? .bool(true) : nil
        if let trust {
            var member = json["trusted"] ?? .object(JSONObject())
            member["path"] = .string(trust.path)
            member["permissions"] = .array(trust.permissions.map(JSONValue.string))
            json["trusted"] = member
        } else {
            json["trusted"] = nil
        }
        if let quarantine {
            var member = json["quarantine"] ?? .object(JSONObject())
            member["reason"] = .string(quarantine.reason)
            member["module"] = .string(quarantine.module)
            member["since"] = .string(quarantine.since)
            json["quarantine"] = member
        } else {
            json["quarantine"] = nil
        }
    }
}
