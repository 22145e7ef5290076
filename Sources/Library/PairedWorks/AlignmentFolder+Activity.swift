// SPDX-License-Identifier: Apache-2.0

public import AlignmentFile
import BlockingCalls
import CacheFolders
public import MediaPlayback
public import PlaybackCore

extension AlignmentFolder {
    /// The time in which a process ends, or is killed and gone, with some to spare.
    private static let endDeadline = Duration.seconds(15)

    public func activity(of book: Book, _ document: TextDocument) async -> AlignmentActivity? {
        let paths = await comparisons(of: book, document).map { path($0.key) }
        return await queue.run(within: Self.deadline) {
            let known = paths.compactMap { AlignmentActivity(of: $0) }
            return known.first { if case .running = $0.state { true } else { false } } ?? known.last
        } ?? nil
    }

    /// Returns the alignment of a book that a process makes, with whatever text and files it had when that began.
    public func running(of book: Book) async -> AlignmentActivity? {
        let (path, id) = (folder.path, book.id)
        return await queue.run(within: Self.deadline) {
            AlignmentActivity.running(in: path).values.first { $0.book == id }
        } ?? nil
    }

    /// Returns whether a process makes an alignment and does not say of which book, as older programs do.
    public func isAnyOfUnknownBook() async -> Bool {
        let path = folder.path
        return await queue.run(within: Self.deadline) {
            AlignmentActivity.running(in: path).values.contains { $0.book == nil }
        } ?? false
    }

    /// Ends the processes that say that they align a book, and returns once they are gone; reads no text.
    ///
    /// - Returns: How far that was; `nil` if no process did.
    public func end(of book: Book) async throws(PlaybackError) -> AlignmentActivity? {
        let (path, id) = (folder.path, book.id)
        return try await end(book) { AlignmentActivity.running(in: path).filter { $1.book == id }.map { $0.key } }
    }

    /// Ends the process that aligns a book with a text, and returns once it is gone.
    ///
    /// - Returns: How far that was; `nil` if no process did.
    public func end(of book: Book, _ document: TextDocument) async throws(PlaybackError) -> AlignmentActivity? {
        let paths = await comparisons(of: book, document).map { path($0.key) }
        return try await end(book) { paths }
    }

    /// - Parameter find: Returns the paths of the alignments; may wait for a file system.
    private func end(
        _ book: Book, _ find: @escaping @Sendable () -> [String]
    ) async throws(PlaybackError) -> AlignmentActivity? {
        let result = await ends.run(within: Self.endDeadline) { () -> Result<AlignmentActivity?, AlignmentFileError> in
            do throws(AlignmentFileError) {
                var ended: AlignmentActivity?
                for path in find() { ended = try AlignmentActivity.end(path) ?? ended }
                return .success(ended)
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let ended): return ended
        case .failure(let error): throw PlaybackError(error.kind == .busy ? .busy : .io, message: error.message)
        case nil:
            throw PlaybackError(
                .busy,
                message: "“\(book.title)”: its alignment takes long to end; look again with `rostrum align --show`")
        }
    }
}
