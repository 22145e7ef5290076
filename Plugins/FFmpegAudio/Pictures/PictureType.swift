// SPDX-License-Identifier: Apache-2.0

/// The type of a picture, judged by its first bytes because tags are often wrong about it.
enum PictureType: String, CaseIterable {
    case jpeg, png, gif, webp, bmp

    var mediaType: String { "image/\(rawValue)" }

    /// Recognises a picture; `nil` if it is none of these types.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let type = Self.allCases.first(where: { $0.begins(bytes) }) else { return nil }
        self = type
    }

    private func begins(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .png: bytes.starts(with: [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A])
        case .gif: bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8)
        case .webp: bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        // Two letters prove little. Behind the size are four zeros, and a header of one of these lengths.
        case .bmp:
            bytes.starts(with: "BM".utf8) && bytes.count > 26 && bytes[6..<10].allSatisfy { $0 == 0 }
                && [12, 40, 52, 56, 64, 108, 124].contains(bytes[14]) && bytes[15..<18].allSatisfy { $0 == 0 }
        }
    }
}
