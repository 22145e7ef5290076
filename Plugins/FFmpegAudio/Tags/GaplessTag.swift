// SPDX-License-Identifier: Apache-2.0

import CFFmpeg

/// iTunes' own record of the encoder's delay and padding: hexadecimal numbers in a tag of the file.
struct GaplessTag {
    let delay: Int64
    /// The number of samples between delay and padding.
    let length: Int64

    /// Reads the tag; `nil` unless it exists and its sum is the number of samples in the file.
    init?(_ container: Container, total: Int64) {
        guard let text = Tags(container)["iTunSMPB"] else { return nil }
        let numbers = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
        guard numbers.count == 4, let delay = numbers[1], let padding = numbers[2], let length = numbers[3],
            (0...total).contains(delay), (0...total).contains(padding), (0...total).contains(length),
            delay + padding + length == total
        else { return nil }
        self.delay = delay
        self.length = length
    }
}
