// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The files of a book as they are opened for a note; the last few stay open.
final class NoteFiles {
    private let files: [String: [UInt8]]
    private let members: [String: Int]
    private let limits: ReadingLimits
    private var open: [(path: String, file: NoteIndex.File?)] = []
    private static let capacity = 3
    /// The number of files that are still parsed: references that go to and fro end somewhere.
    private var budget: Int

    init(_ files: [String: [UInt8]], _ members: [String: Int], _ limits: ReadingLimits) {
        self.files = files
        self.members = members
        self.limits = limits
        budget = 64 + 2 * members.count
    }

    /// Returns `nil` if there is no such file or it cannot be read.
    func open(_ path: String) -> NoteIndex.File? {
        if let known = open.first(where: { $0.path == path }) { return known.file }
        guard let bytes = files[path], let member = members[path] else { return nil }
        guard budget > 0 else { return nil }
        budget -= 1
        let tree = try? HTMLTree.parse(MarkupSource(bytes, charset: nil, limits: limits), isXHTML: true, limits: limits)
        let file = tree.map { NoteIndex.File(tree: $0, member: member) }
        open.insert((path, file), at: 0)
        if open.count > Self.capacity { open.removeLast() }
        return file
    }
}
