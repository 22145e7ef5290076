// SPDX-License-Identifier: Apache-2.0

/// A check whether an Ogg file contains several streams, one behind the other.
///
/// libavformat knows the length of only one of them. RFC 3533 describes the pages.
struct OggChain {
    /// The maximum size of a page, in bytes.
    private static let pageLimit = 65_307
    private static let headSize = 27
    /// The maximum number of streams that begin together at the start: audio, pictures and texts are few.
    private static let streamLimit = 16
    /// The places at which the count of samples is examined, as fractions of the file.
    private static let probes = [0.2, 0.4, 0.6, 0.8]

    let input: SourceStream
    let size: Int64

    /// `true` if the last page belongs to no stream that begins at the start, or if a count of samples restarts on the
    /// way.
    ///
    /// A count restarts if, for example, a file was appended to itself. The value is also `false` if that cannot be
    /// found out.
    var hasLaterStream: Bool {
        let first = firstSerials
        guard !first.isEmpty, let last = pages(at: size - Int64(Self.pageLimit)).last else { return false }
        guard first.contains(last.serial) else { return true }
        var counted: Int64 = 0
        for part in Self.probes {
            let found = pages(at: Int64(Double(size) * part)).first { $0.serial == last.serial && $0.count >= 0 }
            guard let found else { continue }
            if found.count < counted || last.count >= 0 && found.count > last.count { return true }
            counted = found.count
        }
        return false
    }

    /// The serial numbers of the pages at the start that begin streams.
    private var firstSerials: Set<UInt32> {
        var serials: Set<UInt32> = []
        var place: Int64 = 0
        while serials.count < Self.streamLimit, let head = input.bytes(at: place, count: Self.headSize),
            let page = Page(head[...]), page.beginsStream,
            let table = input.bytes(at: place + Int64(Self.headSize), count: page.segments)
        {
            serials.insert(page.serial)
            place += Int64(Self.headSize + page.segments) + table.reduce(0) { $0 + Int64($1) }
        }
        return serials
    }

    /// Returns the pages that begin within one page size of a place.
    private func pages(at place: Int64) -> [Page] {
        let start = max(0, place)
        let count = Int(min(size - start, Int64(Self.pageLimit)))
        guard let bytes = input.bytes(at: start, count: count) else { return [] }
        return bytes.indices.compactMap { bytes[$0] == UInt8(ascii: "O") ? Page(bytes[$0...]) : nil }
    }

    private struct Page {
        var beginsStream: Bool
        var serial: UInt32
        /// The number of samples up to the end of the page; negative if no packet ends on it.
        var count: Int64
        var segments: Int

        /// Parses a page; `nil` if none begins here.
        init?(_ bytes: ArraySlice<UInt8>) {
            let head = Array(bytes.prefix(OggChain.headSize))
            guard head.count == OggChain.headSize, head.starts(with: "OggS".utf8), head[4] == 0 else { return nil }
            beginsStream = head[5] & 2 != 0
            count = Int64(bitPattern: head[6..<14].reversed().reduce(0) { $0 << 8 | UInt64($1) })
            serial = head[14..<18].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            segments = Int(head[26])
        }
    }
}
