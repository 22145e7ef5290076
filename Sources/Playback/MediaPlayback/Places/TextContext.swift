// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The words around a place in a text, by which the place is found again after the text has changed.
public struct TextContext: Sendable, Hashable {
    /// The number of bytes that are kept on each side of the place.
    public static let reach = 240

    /// The byte of the reading text.
    public var position: Int64
    /// The size of that reading text, in bytes.
    public var size: Int64
    /// The bytes that end at the place.
    public var before: [UInt8]
    /// The bytes that begin at the place.
    public var after: [UInt8]

    public init(position: Int64, size: Int64, before: [UInt8], after: [UInt8]) {
        self.position = position
        self.size = size
        self.before = before
        self.after = after
    }

    /// Reads the context of a place; `nil` if there is no text there, or it cannot be read.
    ///
    /// May wait for a file system.
    public init?(at position: Int64, in text: Int32) {
        guard position >= 0, let size = TextBytes.size(of: text), position <= size, size > 0 else { return nil }
        let head = min(position, Int64(Self.reach))
        guard let bytes = TextBytes.read(text, from: position - head, count: Int(head) + Self.reach),
            bytes.count >= head
        else { return nil }
        self.init(
            position: position, size: size, before: Array(bytes.prefix(Int(head))),
            after: Array(bytes.dropFirst(Int(head))))
    }
}

extension TextContext {
    /// The way in which a place was found.
    public enum Match: Sendable, Hashable {
        /// The words stand where they stood.
        case unmoved
        /// The words stand elsewhere.
        case moved
        /// The words at the place are gone, and others that stood near them are there.
        case near
        /// None of the words is there: the place is at the same share of the text.
        case share

        /// `true` if the words at the place were found.
        var isCertain: Bool { self == .unmoved || self == .moved }
    }

    /// Returns where the place is in another version of the text; `nil` if that cannot be read.
    ///
    /// May wait for a file system. It reads the whole text, unless the words stand where they stood.
    public func place(in text: Int32) -> (position: Int64, match: Match)? {
        guard let size = TextBytes.size(of: text) else { return nil }
        if stands(in: text) { return (position, .unmoved) }
        if let found = TextContextSearch(self).place(in: text) { return (min(found.position, size), found.match) }
        return (share(of: size), .share)
    }

    /// Returns the byte at the same share of a text of this size.
    func share(of size: Int64) -> Int64 {
        guard self.size > 0 else { return min(position, size) }
        return min(max(0, Int64(Double(position) / Double(self.size) * Double(size))), size)
    }

    private func stands(in text: Int32) -> Bool {
        guard position >= before.count, !(before.isEmpty && after.isEmpty) else { return false }
        let own = before + after
        return TextBytes.read(text, from: position - Int64(before.count), count: own.count) == own
    }
}

/// Reads bytes of a text.
enum TextBytes {
    static func size(of text: Int32) -> Int64? {
        var status = stat()
        guard fstat(text, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Returns so many bytes, or fewer if the text ends before; `nil` if it cannot be read.
    static func read(_ text: Int32, from position: Int64, count: Int) -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            while filled < count {
                let got = pread(
                    text, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(position) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                failed = got < 0
                guard got > 0 else { return }
                filled += got
            }
        }
        return failed ? nil : bytes
    }
}
