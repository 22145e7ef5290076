// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A key for the content of a file, independent of its name and folder.
///
/// It is made of the file's size, both of its ends, and samples between them. The file is not read in full, because the
/// key is computed before playback. A file that differs only between the samples, with the same size, gets the same
/// key; an engine that finds a packet other than its index says continues without the index.
struct ContentKey {
    let text: String

    private static let ends = 4096
    private static let samples = 14
    private static let sample = 512

    /// Returns `nil` if the file is not a regular one, is shorter than both ends together, or cannot be read.
    init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 2 * Self.ends
        else {
            return nil
        }
        let size = Int64(status.st_size)
        var ranges = [(Int64(0), Self.ends), (size - Int64(Self.ends), Self.ends)]
        if size > Int64(2 * Self.ends + Self.samples * Self.sample) {
            ranges += (1...Int64(Self.samples)).map { (size / Int64(Self.samples + 1) * $0, Self.sample) }
        }
        // Two 64-bit hashes with different initial values.
        var sums = [Checksum([UInt8]()), Checksum([UInt8](), from: 0x6C62_272E_07BB_0142)]
        for (place, count) in ranges {
            guard let bytes = IndexFile.read(descriptor, at: place, count: count) else { return nil }
            for index in sums.indices { sums[index].add(bytes) }
        }
        text = (sums.map(\.value) + [UInt64(size)]).map { String($0, radix: 16) }.joined(separator: "-")
    }
}
