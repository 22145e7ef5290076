// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a file is, whatever it is called and wherever it lies: its size, both of its ends, and samples between them.
///
/// Not all of it is read, because this is done before a file is played. A file that differs only between the samples, in
/// nothing that changes its size, is taken for the same; an engine that finds another packet than its index says goes on without it.
struct ContentKey {
    let text: String

    private static let ends = 4096
    private static let samples = 14
    private static let sample = 512

    /// nil for what is no regular file, or shorter than reading it takes.
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
        // Twice 64 bits with different beginnings.
        var sums = [Checksum([UInt8]()), Checksum([UInt8](), from: 0x6C62_272E_07BB_0142)]
        for (place, count) in ranges {
            guard let bytes = IndexFile.read(descriptor, at: place, count: count) else { return nil }
            for index in sums.indices { sums[index].add(bytes) }
        }
        text = (sums.map(\.value) + [UInt64(size)]).map { String($0, radix: 16) }.joined(separator: "-")
    }
}
