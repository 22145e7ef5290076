// SPDX-License-Identifier: Apache-2.0

import CLibArchive

/// A book that a test makes.
struct BookFixture {
    var files: [(name: String, text: String)] = []

    static let container = """
        <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
        <rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
        """

    /// An EPUB of chapters in the order of the spine.
    ///
    /// - Parameters:
    ///   - items: More elements of the manifest.
    ///   - spine: The attributes of a chapter's place in the spine, by its name.
    static func epub(
        _ chapters: [(name: String, body: String)], items: String = "", spine: [String: String] = [:],
        metadata: String = "",
        guide: String = "", others: [(name: String, text: String)] = []
    ) -> BookFixture {
        var manifest = items
        var order = ""
        for (index, chapter) in chapters.enumerated() {
            manifest +=
                "<item id='c\(index)' href='\(chapter.name)' media-type='application/xhtml+xml' \(spine["item \(chapter.name)"] ?? "")/>"
            order += "<itemref idref='c\(index)' \(spine[chapter.name] ?? "")/>"
        }
        let package = """
            <?xml version="1.0" encoding="UTF-8"?>
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
            <dc:title>A Book</dc:title><dc:creator>Ada Author</dc:creator><dc:language>en-GB</dc:language>\(metadata)</metadata>
            <manifest>\(manifest)</manifest><spine toc="ncx">\(order)</spine><guide>\(guide)</guide></package>
            """
        var book = BookFixture(files: [("META-INF/container.xml", container), ("OPS/book.opf", package)])
        book.files += chapters.map { ("OPS/\($0.name)", xhtml($0.body)) } + others
        return book
    }

    static func xhtml(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head>
        <body>\(body)</body></html>
        """
    }

    func text(_ name: String) -> [UInt8] { Array((files.first { $0.name == name }?.text ?? "").utf8) }

    /// The archive.
    var bytes: [UInt8] {
        let size = files.reduce(4096) { $0 + $1.text.utf8.count + 512 }
        var bytes = [UInt8](repeating: 0, count: size)
        var used = 0
        let archive = archive_write_new()
        archive_write_set_format_zip(archive)
        archive_write_set_bytes_per_block(archive, 0)
        bytes.withUnsafeMutableBytes { buffer in
            archive_write_open_memory(archive, buffer.baseAddress, buffer.count, &used)
            for file in [(name: "mimetype", text: "application/epub+zip")] + files {
                let entry = archive_entry_new()
                archive_entry_set_pathname(entry, file.name)
                archive_entry_set_filetype(entry, 0o100000)
                archive_entry_set_perm(entry, 0o644)
                archive_entry_set_size(entry, Int64(file.text.utf8.count))
                if file.name == "mimetype" {
                    archive_write_zip_set_compression_store(archive)
                } else {
                    archive_write_zip_set_compression_deflate(archive)
                }
                archive_write_header(archive, entry)
                let text = Array(file.text.utf8)
                _ = archive_write_data(archive, text, text.count)
                archive_entry_free(entry)
            }
            archive_write_free(archive)
        }
        return Array(bytes[..<used])
    }
}
