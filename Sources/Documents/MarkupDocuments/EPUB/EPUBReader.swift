// SPDX-License-Identifier: Apache-2.0

public import ReadingText

/// Reads a book in EPUB 2 or 3.
public enum EPUBReader {
    /// Reads a book from memory.
    ///
    /// - Throws: `.encrypted` by the name of the protection, `.corrupt`, `.empty`, `.tooLarge`, `.interrupted`.
    public static func read(_ bytes: [UInt8], limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        guard bytes.count <= limits.fileSize else {
            throw DocumentError(.tooLarge, "the book is longer than the \(limits.fileSize >> 20) MB that are read")
        }
        var archive = try BookArchive(.bytes(bytes), limits: limits)
        return try read(&archive, limits: limits)
    }

    /// Reads a book from a file that can be sought in, such as one with hours of sound.
    ///
    /// The file's position changes.
    public static func read(descriptor: CInt, limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        var archive = try BookArchive(.descriptor(descriptor), limits: limits)
        return try read(&archive, limits: limits)
    }

    static func read(_ archive: inout BookArchive, limits: ReadingLimits) throws(DocumentError) -> ReadingDocument {
        let container = "META-INF/container.xml"
        let frame = try archive.read(BookProtection.files.union([container]))
        let (package, loss) = try package(frame[container], &archive, limits: limits)
        let texts = Set(package.spine.compactMap { package.items[$0.id]?.path })
        try BookProtection.check(frame, isText: { texts.contains($0) || $0 == package.path }, limits: limits)
        var book = BookText(package, archive: archive, limits: limits)
        var document = try book.read()
        if let loss { document.warnings.insert(loss, at: 0) }
        return document
    }

    /// The package document and, if it is lost, a warning.
    private static func package(
        _ container: [UInt8]?, _ archive: inout BookArchive, limits: ReadingLimits
    ) throws(DocumentError) -> (PackageDocument, loss: String?) {
        let path = try packagePath(container, archive, limits: limits)
        let package: PackageDocument?
        do throws(DocumentError) {
            package = try path.map { path throws(DocumentError) in
                try PackageDocument(archive.read([path])[path] ?? [], path: path, limits: limits)
            }
        } catch {
            guard error.kind == .corrupt else { throw error }
            package = nil
        }
        if let package, !package.spine.isEmpty { return (package, nil) }
        let pages = PackageDocument(pages: archive.names)
        guard !pages.spine.isEmpty else {
            throw DocumentError(
                .corrupt, "the archive has no package document, so it is no book or it is damaged; get the file again")
        }
        return (pages, "the book's package document is lost; its pages are read in the archive's order")
    }

    private static func packagePath(
        _ container: [UInt8]?, _ archive: BookArchive, limits: ReadingLimits
    ) throws(DocumentError) -> String? {
        if let container {
            let tree = try XMLTree.parse(container, limits: limits).tree
            for root in tree.all("rootfile", in: tree.range) {
                let type = tree.attribute("media-type", of: root)
                guard type == nil || type == "application/oebps-package+xml" else { continue }
                let path = tree.attribute("full-path", of: root).flatMap { MemberPath.normal(MemberPath.decoded($0)) }
                if let path, archive.has(path) { return path }
            }
        }
        return archive.names.first { $0.lowercased().hasSuffix(".opf") }
    }
}
