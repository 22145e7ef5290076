// SPDX-License-Identifier: Apache-2.0

import CNettle
import Glibc
import MediaPlayback

/// Takes fingerprints: of the size and three blocks of a file, which is quick for a file of any length.
///
/// New tags in the first or last block make another file of it; two files that differ only between the blocks have one fingerprint.
/// The first is found again by its path; the second has never been seen.
enum FileFingerprint {
    static let block = 64 << 10

    /// Blocks; at most three reads.
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
                // It got shorter while it was read, or its disk fails.
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
