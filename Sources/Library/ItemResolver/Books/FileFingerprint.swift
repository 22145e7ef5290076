// SPDX-License-Identifier: Apache-2.0

import CNettle
import Glibc
import MediaPlayback

/// Computes the fingerprint of a file from its size and three blocks, which is fast for a file of any length.
///
/// A file with new tags in its first or last block gets another fingerprint; it is found again by its path. Two files
/// that differ only between the blocks have the same fingerprint, which has never been observed.
enum FileFingerprint {
    static let block = 64 << 10

    /// Returns the fingerprint, or `nil` if the file is not a regular one or cannot be read.
    ///
    /// Blocks.
    static func of(_ path: PathBytes) -> Fingerprint? {
        let descriptor = FileProbe.open(path)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let size = Int64(status.st_size)
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        var length = UInt64(size).littleEndian
        withUnsafeBytes(of: &length) {
            nettle_sha256_update(&context, $0.count, $0.baseAddress?.assumingMemoryBound(to: UInt8.self))
        }
        var bytes = [UInt8](repeating: 0, count: Self.block)
        for range in ranges(size) {
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = pread(descriptor, &bytes, min(bytes.count, Int(range.upperBound - offset)), off_t(offset))
                if count < 0, errno == EINTR { continue }
                // The file became shorter while it was read, or its disk fails.
                guard count > 0 else { return nil }
                nettle_sha256_update(&context, count, bytes)
                offset += Int64(count)
            }
        }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        return Fingerprint(digest.prefix(Fingerprint.size))
    }

    private static func ranges(_ size: Int64) -> [Range<Int64>] {
        let block = Int64(Self.block)
        guard size > 3 * block else { return [0..<size] }
        let middle = (size - block) / 2
        return [0..<block, middle..<middle + block, size - block..<size]
    }
}
