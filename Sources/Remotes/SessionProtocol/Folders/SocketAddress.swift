// SPDX-License-Identifier: Apache-2.0

public import Glibc

extension sockaddr_un {
    /// Creates the address of a path; `nil` if the path does not fit (107 bytes on Linux).
    public init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: sun_path), !bytes.contains(0) else { return nil }
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls `body` with the arguments that `bind` and `connect` take.
    public mutating func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: &self) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Self>.size)) }
        }
    }
}
