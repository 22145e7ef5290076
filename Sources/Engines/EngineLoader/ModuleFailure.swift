// SPDX-License-Identifier: Apache-2.0

/// The reason why a module cannot be used, with one line that names the module.
public struct ModuleFailure: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The dynamic linker refuses the module.
        case unreadable
        /// The module is for another major version of the contract, or declines this host's version.
        case incompatible
        /// The module is not what the contract or its manifest says.
        case malformed
    }

    public var kind: Kind
    public var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
