// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// Puts the text of a book together from its files.
struct BookText {
    private let package: PackageDocument
    private let limits: ReadingLimits
    private var archive: BookArchive
    private var walker: ContentWalker
    private var files: [String: [UInt8]] = [:]
    private var members: [String] = []
    private var memberIndexes: [String: Int] = [:]
    private var warnings: [String] = []
    private var contents = TableOfContents()
    /// The identified elements of each file to which the contents or the list of pages refer.
    private var wantedAnchors: [String: Set<String>] = [:]
    /// The places where the files' texts begin and end, and those of identified elements in them.
    private var starts: [String: (start: Int, end: Int)] = [:]
    private var anchors: [String: [String: Range<Int>]] = [:]

    init(_ package: PackageDocument, archive: BookArchive, limits: ReadingLimits) {
        self.package = package
        self.archive = archive
        self.limits = limits
        let source = MarkupTree(source: .empty)
        walker = ContentWalker(MarkupAssembly(limits: limits), vocabulary: HTMLVocabulary(), tree: source)
    }

    mutating func read() throws(DocumentError) -> ReadingDocument {
        try unpack()
        try readContents()
        // What is not in line is read behind all that is.
        var repetitions = 0
        for isLinear in [true, false] {
            for entry in package.spine where entry.isLinear == isLinear {
                guard let item = package.items[entry.id] else { continue }
                if starts[item.path] != nil {
                    repetitions += 1
                    if repetitions > Self.repetitionLimit { continue }
                }
                try read(item, isLinear: isLinear)
            }
        }
        if repetitions > Self.repetitionLimit {
            warnings.append(
                "the book has the same files \(repetitions) times; they are read \(Self.repetitionLimit) times")
        }
        walker.assembly.trimBreaks()
        guard !walker.assembly.text.isEmpty else {
            if !warnings.isEmpty || !archive.warnings.isEmpty {
                throw DocumentError(.corrupt, "no text of the book can be read; get the file again")
            }
            throw DocumentError(.empty, "the book has no text; it may be pictures only")
        }
        BookMatter.markGutenberg(&walker.assembly.blocks, text: walker.assembly.text)
        try placeRecordings()
        let byHeadings = walker.headingSections()
        let byContents = sections()
        return ReadingDocument(
            title: package.title, author: package.author, language: package.language, text: walker.assembly.text,
            blocks: walker.assembly.blocks, sections: byContents.isEmpty ? byHeadings : byContents,
            pages: pages(), members: members.isEmpty ? [""] : members, warnings: archive.warnings + warnings)
    }

    // MARK: Files

    private mutating func unpack() throws(DocumentError) {
        var wanted: Set<String> = []
        for entry in package.spine {
            guard let item = package.items[entry.id] else { continue }
            wanted.insert(item.path)
            if let overlay = item.overlay, let smil = package.items[overlay] { wanted.insert(smil.path) }
        }
        for item in [package.navigation, package.ncx] { if let item { wanted.insert(item.path) } }
        files = try archive.read(wanted)
    }

    private static let repetitionLimit = 16

    private mutating func member(_ path: String) -> Int {
        if let known = memberIndexes[path] { return known }
        members.append(path)
        memberIndexes[path] = members.count - 1
        return members.count - 1
    }

    private mutating func readContents() throws(DocumentError) {
        if let item = package.navigation, let file = files[item.path] {
            contents = try TableOfContents(navigation: file, path: item.path, limits: limits)
        }
        if contents.entries.isEmpty || contents.pages.entries.isEmpty, let item = package.ncx,
            let file = files[item.path]
        {
            let first = contents
            do throws(DocumentError) {
                let second = try TableOfContents(ncx: file, path: item.path, limits: limits)
                contents = first.entries.isEmpty ? second : first
                contents.add(first.entries.isEmpty ? first : second)
            } catch {
                // Where only the pages are missing, the book is read without them.
                if first.entries.isEmpty || error.kind == .interrupted { throw error }
            }
        }
        for entry in contents.entries {
            if let fragment = entry.fragment { wantedAnchors[entry.path, default: []].insert(fragment) }
        }
        for entry in contents.pages.entries {
            if let fragment = entry.fragment { wantedAnchors[entry.path, default: []].insert(fragment) }
        }
    }

    private static let textTypes: Set<String> = [
        "application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/x-dtbook+xml", "application/xml",
        "text/xml", "",
    ]

    private mutating func read(_ item: PackageDocument.Item, isLinear: Bool) throws(DocumentError) {
        guard Self.textTypes.contains(item.mediaType) || item.path.lowercased().hasSuffix("html") else { return }
        guard let file = files[item.path] else {
            warnings.append("\(item.path) is not in the book; it is skipped")
            return
        }
        let tree: MarkupTree
        do throws(DocumentError) {
            tree = try HTMLTree.parse(MarkupSource(file, charset: nil, limits: limits), isXHTML: true, limits: limits)
        } catch {
            if error.kind == .interrupted { throw error }
            warnings.append("\(item.path) cannot be read: \(error.message)")
            return
        }
        var matter = BookMatter.matter(of: item.path, package: package, landmarks: contents.landmarks)
        if !isLinear, matter == .body { matter = .back }
        if item.properties.contains("nav") { matter = .front }
        let body = tree.first("body", in: tree.range) ?? 0
        guard !tree.nodes.isEmpty else { return }
        matter = ElementHints.matter(ElementHints.types(tree, body)) ?? matter
        let root = tree.first("html", in: tree.range) ?? body
        let language = ElementHints.language(of: tree, body) ?? ElementHints.language(of: tree, root)
        let number = member(item.path)
        walker.begin(tree, member: number, matter: matter, language: language ?? package.language)
        prepareNotes(item.path)
        let start = walker.assembly.mark()
        try walker.walk(tree.inside(body))
        // The table of contents means the first of several times that a file is in the spine.
        guard starts[item.path] == nil else { return }
        starts[item.path] = (walker.assembly.offset(start), walker.assembly.end)
        keepAnchors(item)
    }

    /// Lets a note be found in another file of the book.
    private mutating func prepareNotes(_ path: String) {
        walker.notes.path = path
        guard noteFiles == nil else { return }
        var indexes: [String: Int] = [:]
        for entry in package.spine {
            guard let path = package.items[entry.id]?.path, files[path] != nil else { continue }
            indexes[path] = member(path)
        }
        let shelf = NoteFiles(files, indexes, limits)
        noteFiles = shelf
        walker.notes.open = { shelf.open($0) }
    }

    private var noteFiles: NoteFiles?

    /// Keeps the places that the contents, the list of pages or the sound refers to.
    private mutating func keepAnchors(_ item: PackageDocument.Item) {
        let hasSound = item.overlay != nil
        let wanted = wantedAnchors[item.path] ?? []
        guard hasSound || !wanted.isEmpty else { return }
        for (id, place) in walker.anchors where hasSound || wanted.contains(id) {
            let start = walker.assembly.offset(place.start)
            anchors[item.path, default: [:]][id] = start..<max(start, place.end)
        }
    }

    // MARK: Sections and sound

    private func sections() -> [TextSection] {
        var sections: [TextSection] = []
        for entry in contents.entries {
            guard let file = starts[entry.path] else { continue }
            let place = entry.fragment.flatMap { anchors[entry.path]?[$0]?.lowerBound } ?? file.start
            // Nothing can be heard behind the end.
            guard place < walker.assembly.end else { continue }
            sections.append(TextSection(title: entry.title, level: entry.level, start: place))
        }
        let ordered = sections.enumerated().sorted {
            ($0.element.start, $0.element.level, $0.offset) < ($1.element.start, $1.element.level, $1.offset)
        }
        return ordered.map(\.element)
    }

    /// Returns the pages as the book lists them, or else by their marks in the text.
    private func pages() -> [TextPage] {
        let listed = contents.pages.entries.compactMap { entry -> TextPage? in
            guard let file = starts[entry.path] else { return nil }
            // An element that is not there says nothing of where the page begins.
            let place = entry.fragment.map { anchors[entry.path]?[$0]?.lowerBound } ?? file.start
            return place.map { TextPage(label: entry.label, start: $0) }
        }
        let pages = TextPage.ordered(listed, size: walker.assembly.end)
        return pages.isEmpty ? walker.markedPages : pages
    }

    private mutating func placeRecordings() throws(DocumentError) {
        var placement = RecordingPlacement()
        var done: Set<String> = []
        for entry in package.spine {
            guard let overlay = package.items[entry.id]?.overlay, let item = package.items[overlay],
                let file = files[item.path], done.insert(item.path).inserted
            else { continue }
            for clip in try MediaOverlay(file, path: item.path, limits: limits).clips {
                guard let text = starts[clip.path], archive.has(clip.file) else { continue }
                let range = clip.fragment.map { anchors[clip.path]?[$0] ?? 0..<0 } ?? text.start..<text.end
                placement.add(range, clip, blocks: walker.assembly.blocks)
            }
        }
        placement.place(in: &walker.assembly.blocks)
    }
}
