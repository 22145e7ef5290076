// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback
import PlaybackCore

/// Resolves one request.
///
/// All calls block.
struct ItemReader {
    /// The maximum length in bytes of an address, and of its headers with their line ends: an engine accepts no more.
    private static let longestAddress = 16_384
    private let request: ItemRequest
    private(set) var notes: [String] = []

    init(_ request: ItemRequest) { self.request = request }

    func read() throws(ItemError) -> ResolvedItem {
        var reader = self
        if let header = request.headers.first(where: { !Self.isHeader($0) }) {
            let name = header.prefix { $0 != ":" }.count < header.count ? "" : "; write NAME:VALUE"
            throw ItemError(.unsupported, "a header line is not valid\(name)")
        }
        var parts: [ItemPart] = []
        for item in request.items { parts.append(try reader.part(item)) }
        var item = try ResolvedItem(parts, notes: reader.notes)
        if let identity = request.identity {
            guard parts.allSatisfy(\.hasNoName) else {
                throw ItemError(.unsupported, "an identity is for addresses and pipes: a file is known by its path")
            }
            item.content.uri = WebIdentity.uri(named: identity)
        }
        return item
    }

    /// Returns `true` if the line has the form NAME:VALUE and no line break, which would add lines to the request.
    private static func isHeader(_ line: String) -> Bool {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.utf8.startIndex else {
            return false
        }
        return line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private mutating func part(_ item: String) throws(ItemError) -> ItemPart {
        if item.utf8.contains(0) { throw ItemError(.missing, "a file name cannot contain a NUL") }
        if WebAddress.looksLikeOne(item) {
            guard let address = WebAddress(item) else {
                throw ItemError(.unsupported, "this URL cannot be opened: check for spaces and a missing host")
            }
            return try web(address)
        }
        if item.hasPrefix("descriptor:") { return try descriptor(item) }
        if item.hasPrefix("/") { return try local(FileName.normalized(item)) }
        if item.lowercased().hasPrefix("file:") {
            guard let path = Self.path(ofFileURI: item) else {
                throw ItemError(.unsupported, "\(item): not a file URL of this machine; give the path")
            }
            return try local(FileName.normalized(path))
        }
        if let end = item.range(ofScheme: ()) {
            throw ItemError(.unsupported, "\(item[..<end]): this scheme is not known; give a path or an http(s) URL")
        }
        throw ItemError(.missing, "\(item): no such item; give an absolute path or a URL")
    }

    static func path(ofFileURI uri: String) -> String? {
        let rest = uri.dropFirst("file:".count)
        guard rest.hasPrefix("//") else { return rest.hasPrefix("/") ? PercentEncoding.decode(rest) : nil }
        let host = rest.dropFirst(2).prefix { $0 != "/" }
        guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
        return PercentEncoding.decode(rest[host.endIndex...]).flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 }
    }

    static func fileURI(_ path: PathBytes) -> String { "file://" + PercentEncoding.encode(path: path) }

    private func web(_ address: WebAddress) throws(ItemError) -> ItemPart {
        var headers = request.headers
        // A header that the user gives takes precedence over credentials in the URL.
        if let authorization = address.authorization,
            !headers.contains(where: { $0.lowercased().hasPrefix("authorization:") })
        {
            headers.append(authorization)
        }
        // The message does not contain the address, which may hold a secret.
        guard address.location.utf8.count <= Self.longestAddress,
            headers.reduce(0, { $0 + $1.utf8.count + 2 }) <= Self.longestAddress
        else {
            throw ItemError(
                .unsupported,
                "the address or its headers are longer than \(Self.longestAddress) bytes; give shorter ones")
        }
        let isText =
            request.asText || FileName.fileExtension(address.name).map(request.extensions.text.contains) == true
        return ItemPart(
            uri: address.uri, kind: isText ? .text : .audio, tracks: [.url(address.location, headers: headers)],
            title: FileName.title(ofFile: address.name), item: address.location)
    }

    private func descriptor(_ item: String) throws(ItemError) -> ItemPart {
        guard let number = Int(item.dropFirst("descriptor:".count)), request.descriptors.indices.contains(number) else {
            throw ItemError(.unsupported, "\(item): no such descriptor came with the request")
        }
        let descriptor = request.descriptors[number]
        let given = request.descriptorNames.indices.contains(number) ? request.descriptorNames[number] : "-"
        let name = given == "-" || given.isEmpty ? "standard input" : given
        let found = try FileProbe.look(at: descriptor.rawValue, name: name)
        switch found {
        case .folder: throw ItemError(.notAFile, "\(name): it is a folder; name a file")
        case .file(size: 0): throw ItemError(.unsupported, "\(name): it is empty (0 bytes)")
        case .file, .other: break
        }
        let kind = try kind(name) { () throws(ItemError) in try FileProbe.sniff(descriptor.rawValue, name: name) }
        var status = stat()
        fstat(descriptor.rawValue, &status)
        let path = Self.path(of: descriptor.rawValue, status)
        // Two documents with the same name are two items: their inodes or modification times differ.
        let identity = "\(status.st_dev)-\(status.st_ino)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)"
        return ItemPart(
            uri: path.map { Self.fileURI(Array($0.utf8)) }
                ?? "descriptor:\(identity)/\(PercentEncoding.encode(path: FileName.last(name).utf8))",
            kind: kind, tracks: [.descriptor(descriptor, name: name)], title: FileName.title(ofFile: name), item: path)
    }

    /// Returns the path of an open file, or `nil` if no path leads to it any more.
    private static func path(of descriptor: Int32, _ status: stat) -> String? {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 0 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        guard let path = String(validating: bytes, as: UTF8.self), path.hasPrefix("/") else { return nil }
        var named = Glibc.stat()
        guard stat(path, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev else { return nil }
        return path
    }

    private mutating func local(_ given: String) throws(ItemError) -> ItemPart {
        let path = try Self.withoutParents(given)
        let bytes = Array(path.utf8)
        switch try FileProbe.look(at: bytes) {
        case .folder(let identity):
            if request.asText { throw ItemError(.notAFile, "\(path): it is a folder; name a document in it") }
            return try folder(bytes, identity)
        case .other(let what): throw ItemError(.notAFile, "\(path): it is \(what); name a file")
        case .file(size: 0): throw ItemError(.unsupported, "\(path): it is empty (0 bytes)")
        case .file: break
        }
        if !request.asText {
            switch FileName.fileExtension(path) {
            case "m3u", "m3u8":
                var reader = PlaylistReader(path, request.extensions)
                defer { notes += reader.notes }
                return try reader.playlist()
            case "cue":
                var reader = PlaylistReader(path, request.extensions)
                defer { notes += reader.notes }
                return try reader.cueSheet()
            default: break
            }
        }
        let kind = try kind(path) { () throws(ItemError) in try FileProbe.sniff(bytes) }
        return ItemPart(
            uri: Self.fileURI(bytes), kind: kind, tracks: [.file(path: path)], title: FileName.title(ofFile: path),
            cue: kind == .audio ? sheets(beside: [.file(path: path)]) : [], item: path,
            folder: FileName.folder(of: path))
    }

    /// Returns the entries of the cue sheets beside the files.
    private mutating func sheets(beside tracks: [TrackSource]) -> [CueEntry] {
        var entries: [CueEntry] = []
        for (index, track) in tracks.enumerated() {
            guard case .file(let path) = track else { continue }
            let sheet = SidecarSheet(beside: path, track: index)
            entries += sheet.entries
            notes += sheet.notes
        }
        return entries
    }

    private func kind(
        _ name: String, _ sniff: () throws(ItemError) -> [UInt8]
    ) throws(ItemError) -> ContentKind {
        if request.asText { return .text }
        if let ending = FileName.fileExtension(name) {
            if request.extensions.text.contains(ending) { return .text }
            if request.extensions.audio.contains(ending) { return .audio }
        }
        return TextSniffer.isText(try sniff()) ? .text : .audio
    }

    private mutating func folder(
        _ path: PathBytes, _ identity: FileProbe.FileIdentity
    ) throws(ItemError) -> ItemPart {
        let name = String(decoding: path, as: UTF8.self)
        let walk = try FolderWalk(path, identity: identity, extensions: request.extensions.audio)
        notes += walk.notes
        var tracks: [TrackSource] = []
        for file in walk.files { tracks.append(try TrackSource(file)) }
        if tracks.isEmpty {
            if let failure = walk.failure { throw failure }
            throw ItemError(.empty, "\(name): no audio in it; name a folder with audio files")
        }
        return ItemPart(
            uri: Self.fileURI(path), kind: .audio, tracks: tracks, title: FileName.title(ofFolder: name),
            cue: sheets(beside: tracks), item: name)
    }

    /// Resolves `..` in a path.
    ///
    /// After a symbolic link, `..` is the parent of the link's target, so only the file system knows it.
    static func withoutParents(_ path: String) throws(ItemError) -> String {
        guard path.split(separator: "/").contains("..") else { return path }
        guard let resolved = realpath(path, nil) else { throw FileProbe.failure(errno, Array(path.utf8)) }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension TrackSource {
    /// Creates a track for a file.
    ///
    /// A name that is not UTF-8 does not fit in a `String`, so such a file is opened now.
    init(_ path: PathBytes) throws(ItemError) {
        if let text = String(validating: path, as: UTF8.self) {
            self = .file(path: text)
            return
        }
        let descriptor = FileProbe.open(path)
        guard descriptor >= 0 else { throw FileProbe.failure(errno, path) }
        self = .descriptor(
            SharedDescriptor(owning: descriptor), name: FileName.last(String(decoding: path, as: UTF8.self)))
    }
}

extension String {
    /// Returns the end of the scheme if the string begins with `scheme://`, or else `nil`.
    fileprivate func range(ofScheme: Void) -> Index? {
        guard let first, first.isASCII, first.isLetter else { return nil }
        let scheme = prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return self[scheme.endIndex...].hasPrefix("://") ? scheme.endIndex : nil
    }
}
