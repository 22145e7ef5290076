// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open file descriptor that lives as long as somebody refers to it.
public final class SharedDescriptor: Sendable, Hashable {
    public let rawValue: Int32

    /// Takes ownership of an open file descriptor.
    public init(owning descriptor: Int32) {
        rawValue = descriptor
    }

    deinit {
        close(rawValue)
    }

    public static func == (a: SharedDescriptor, b: SharedDescriptor) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
