// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CNettle
import Glibc

/// The SHA-256 hash of a file's content, as `sha256:` and 64 digits.
public enum ContentHash {
    /// Returns the hash of a regular file, or `nil` if it is none, or cannot be read to its end.
    public static func of(_ path: String) -> String? {
        // Looked at before it is opened: a pipe would wait for its writer.
        var status = stat()
        let file = gnu_open_file(path, 0, &status)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            nettle_sha256_update(&context, count, buffer)
        }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return "sha256:"
            + digest.map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }
}
