// SPDX-License-Identifier: Apache-2.0

/// A book whose files are the parts of the input, so that an input can change a file without packing an archive anew.
///
/// A part begins with a line feed, an equals sign and the letter of its name.
struct BookOfParts {
    private static let names: [UInt8: String] = [
        UInt8(ascii: "c"): "META-INF/container.xml", UInt8(ascii: "e"): "META-INF/encryption.xml",
        UInt8(ascii: "o"): "OPS/book.opf", UInt8(ascii: "n"): "OPS/nav.xhtml", UInt8(ascii: "x"): "OPS/toc.ncx",
        UInt8(ascii: "1"): "OPS/1.xhtml", UInt8(ascii: "2"): "OPS/2.xhtml", UInt8(ascii: "s"): "OPS/1.smil",
        UInt8(ascii: "d"): "OPS/book.xml", UInt8(ascii: "a"): "ncc.html", UInt8(ascii: "m"): "1.smil",
        UInt8(ascii: "t"): "1.html",
    ]
    private static let container = """
        <container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
        """

    private var files: [(name: String, bytes: ArraySlice<UInt8>)] = []

    init(_ bytes: [UInt8]) {
        let starts = bytes.indices.filter { place in
            bytes[place] == 0x0A && place + 2 < bytes.count && bytes[place + 1] == UInt8(ascii: "=")
                && Self.names[bytes[place + 2]] != nil
        }
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : bytes.count
            guard let name = Self.names[bytes[start + 2]] else { continue }
            files.append((name, bytes[start + 3..<end]))
        }
        if !files.contains(where: { $0.name == "META-INF/container.xml" }),
            !files.contains(where: { $0.name == "ncc.html" })
        {
            files.append(("META-INF/container.xml", Array(Self.container.utf8)[...]))
        }
    }

    /// The files in a zip archive, as they are; sums are left out, as readers do without them.
    var archive: [UInt8] {
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        func append(_ value: Int, _ count: Int, to bytes: inout [UInt8]) {
            for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
        }
        for file in files {
            let name = Array(file.name.utf8)
            var head: [UInt8] = []
            // Version, flags, method, time, date, sum, both sizes, length of the name, of what follows it.
            for (value, count) in [
                (20, 2), (0, 2), (0, 2), (0, 2), (0x21, 2), (Self.sum(file.bytes), 4), (file.bytes.count, 4),
                (file.bytes.count, 4), (name.count, 2), (0, 2),
            ] { append(value, count, to: &head) }
            let place = archive.count
            archive += [0x50, 0x4B, 3, 4] + head + name + file.bytes
            directory += [0x50, 0x4B, 1, 2, 20, 0] + head + [UInt8](repeating: 0, count: 10)
            append(place, 4, to: &directory)
            directory += name
        }
        let place = archive.count
        archive += directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        for (value, count) in [(files.count, 2), (files.count, 2), (directory.count, 4), (place, 4), (0, 2)] {
            append(value, count, to: &archive)
        }
        return archive
    }

    /// CRC-32.
    private static func sum(_ bytes: ArraySlice<UInt8>) -> Int {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
        return Int(~sum)
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 != 0 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}
