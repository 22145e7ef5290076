// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// The contents of an engine's manifest.
public struct InstalledEngine: Sendable, Hashable {
    public enum State: String, Sendable { case available, shadowed, incompatible, refused, quarantined, disabled }
    public enum Hosting: String, Sendable { case isolated, inProcess }

    public var id: EngineID
    public var name: String
    public var version: String
    public var vendor: String
    public var license: String
    public var abi: String
    public var kinds: [ContentKind]
    /// The file name extensions: lower case, without the dot.
    public var extensions: [String]
    public var schemes: [String]
    public var hosting: Hosting
    public var state: State
    /// The engine's folder.
    public var path: String
    /// The reason why it is not available, or lacks something that it asks for.
    public var reason: String?

    public init(
        id: EngineID, name: String, version: String, vendor: String, license: String, abi: String,
        kinds: [ContentKind], extensions: [String], schemes: [String], hosting: Hosting, state: State, path: String,
        reason: String?
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.vendor = vendor
        self.license = license
        self.abi = abi
        self.kinds = kinds
        self.extensions = extensions
        self.schemes = schemes
        self.hosting = hosting
        self.state = state
        self.path = path
        self.reason = reason
    }

    /// `true` if its manifest promises file name extensions; an engine without any plays only what it is named for.
    public var opensByContent: Bool { !extensions.isEmpty }
}
