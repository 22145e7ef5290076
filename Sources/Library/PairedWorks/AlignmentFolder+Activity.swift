// SPDX-License-Identifier: Apache-2.0

public import AlignmentFile
import BlockingCalls
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

    /// Ends the process that aligns a book with a text, and returns once it is gone.
    ///
    /// - Returns: How far that was; `nil` if no process did.
    public func end(of book: Book, _ document: TextDocument) async throws(PlaybackError) -> AlignmentActivity? {
        let paths = await comparisons(of: book, document).map { path($0.key) }
        let result = await ends.run(within: Self.endDeadline) { () -> Result<AlignmentActivity?, AlignmentFileError> in
            do throws(AlignmentFileError) {
                var ended: AlignmentActivity?
                for path in paths { ended = try AlignmentActivity.end(path) ?? ended }
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
