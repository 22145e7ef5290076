// SPDX-License-Identifier: Apache-2.0

/// Why a module cannot be used: one line that names it.
public struct ModuleFailure: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The dynamic linker refuses it.
        case unreadable
        /// Another major version of the contract, or a module that declines this host's.
        case incompatible
        /// It is not what the contract or its manifest says.
        case malformed
    }

    public var kind: Kind
    public var message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
