// SPDX-License-Identifier: Apache-2.0

/// The operations of `engines` other than listing.
public struct EngineAction: Sendable, Hashable {
    public enum Verb: String, Sendable, Hashable, Codable {
        case install, show, enable, disable, remove, trust, untrust, clear
    }

    public var verb: Verb
    /// The ID of the engine; empty for `install`.
    ///
    /// `show` also accepts the path of an engine's folder.
    public var id: String
    /// The absolute path, for `install`.
    public var path: String?
    /// `true` to replace a version that is not older, for `install`.
    public var force: Bool

    public init(_ verb: Verb, id: String = "", path: String? = nil, force: Bool = false) {
        self.verb = verb
        self.id = id
        self.path = path
        self.force = force
    }

    func validate() throws(SessionError) {
        if verb == .install {
            guard path?.hasPrefix("/") == true else {
                throw SessionError(
                    .usage, "engines install: give the path of a folder ID.engine or a tar archive of one")
            }
        } else if id.isEmpty || id.utf8.count > 4096 {
            throw SessionError(.usage, "engines \(verb.rawValue): bad id; see `rostrum engines`")
        }
    }
}
