// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc

/// A system call that failed.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    public var call: String
    public var code: Int32

    public init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }

    /// Creates an error from the current value of `errno`.
    public init(_ call: String) {
        self.init(call, errno)
    }

    public var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// An open file descriptor, which is closed with its last reference.
public final class OwnedDescriptor: Sendable {
    public let rawValue: Int32

    /// Takes ownership of an open file descriptor.
    public init(owning descriptor: Int32) { rawValue = descriptor }

    deinit { close(rawValue) }
}

/// A mapping of a memory file descriptor, which is unmapped with its last reference.
public final class SharedMapping: @unchecked Sendable /* an address; what it is used for is up to reader and writer */ {
    let address: UnsafeMutableRawPointer
    let size: Int

    init(_ descriptor: OwnedDescriptor, size: Int, writable: Bool) throws(SystemError) {
        guard
            let address = mmap(
                nil, size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor.rawValue, 0),
            address != MAP_FAILED
        else { throw SystemError("mmap") }
        self.address = address
        self.size = size
    }

    deinit { munmap(address, size) }
}
