// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import BookTimeline
import ControlSocket
import Glibc
import MediaPlayback
import PassageMap
import PlaybackCore
import SessionProtocol
import SpeechScript

extension PlaybackService {
    /// The time that a disk has for a part of a text.
    private static let longestRead = Duration.seconds(2)

    /// Returns a part of the text that an owner reads; `nil` stands for the owner with audio focus.
    func text(
        _ request: TextPassageRequest, of owner: OwnerID?, for client: ClientID
    ) async throws(PlaybackError) -> TextPassage {
        let snapshot = await controller.snapshot(of: owner)
        guard let item = snapshot.loadedItem else {
            throw PlaybackError(.unavailable, message: "nothing is read; read a text first")
        }
        let title = snapshot.media?.title ?? item.title
        guard snapshot.isText else { return try await text(request, following: item, snapshot, client) }
        guard let content = snapshot.media?.content else {
            throw PlaybackError(.busy, message: "“\(title)” is not open yet; try again")
        }
        let heard = max(0, snapshot.position?.units ?? 0)
        return try await passage(request, heard: heard, content, title, client)
    }

    /// Returns a part of the text of a recording, with the times at which its sentences are said.
    private func text(
        _ request: TextPassageRequest, following item: ItemReference, _ snapshot: PlaybackSnapshot, _ client: ClientID
    ) async throws(PlaybackError) -> TextPassage {
        guard let work = try await works.work(ofRecording: item) else {
            throw PlaybackError(
                .badContent,
                message: "“\(item.title)” is no text, and has none; `rostrum library pair` gives a book its text")
        }
        var content = Content(uri: work.text.uri, kind: .text, tracks: [], title: work.text.title)
        content.document = work.document
        let place = snapshot.position.flatMap { work.textPlace(of: $0) }
        var passage = try await passage(
            request, heard: place?.position.units ?? 0, content, work.text.title, client)
        for index in passage.sentences.indices {
            let seconds = work.map.seconds(at: passage.sentences[index].start)
            passage.sentences[index].atMs = seconds.flatMap { work.milliseconds(ofWhole: $0.value) }
        }
        passage.recording = TextPassage.Recording(
            uri: item.uri, grade: (place?.grade ?? .unknown).rawValue,
            errorMs: Int64(((place?.error ?? 0) * 1000).rounded(.up)))
        return passage
    }

    private func passage(
        _ request: TextPassageRequest, heard: Int64, _ content: Content, _ title: String, _ client: ClientID
    ) async throws(PlaybackError) -> TextPassage {
        let from = request.fromByte ?? max(0, heard - Int64(request.limit / 4))
        let view = ReadingTextView(content)
        // Who gets notifications sees the text at once, and hears of its sentences.
        if subscribers[client] == nil { await view.reach(from + Int64(request.limit), within: Self.longestRead) }
        let result = await BlockingQueue(label: "rostrum.text").run(within: Self.longestRead) {
            () -> Result<TextPassage, ReadingTextView.Failure> in
            do throws(ReadingTextView.Failure) {
                return .success(try view.passage(at: from, limit: request.limit))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let passage)?:
            textNews.follow(passage, content.document?.making, of: client, send: subscribers[client])
            return passage
        case .failure(let failure)?:
            throw PlaybackError(failure.kind, message: "the text of “\(title)” cannot be shown: \(failure.reason)")
        case nil:
            throw PlaybackError(.io, message: "the text of “\(title)” cannot be shown: its disk does not answer")
        }
    }
}

extension PlaybackSnapshot {
    /// The item that is loaded, also while it is being opened.
    var loadedItem: ItemReference? { (aside.map { $0.view.playing } ?? state.current)?.item }

    /// `true` if what is loaded is a text.
    var isText: Bool { (media?.content.kind ?? loadedItem?.kind) == .text }
}

/// The text of an item, from which parts are shown.
struct ReadingTextView: Sendable {
    struct Failure: Error {
        var kind: PlaybackError.Kind
        /// The fault of the text, as the end of a line.
        var reason: String
    }

    /// The longest part of a line that is put before a place, so that its line is whole, in bytes.
    private static let longestHead = 4096
    /// The bytes of the longest character, without its first.
    private static let longestTail = 3
    /// The most utterances that are looked at for one part; a script file may hold anything.
    private static let mostUtterances = 16_384
    private static let newline = UInt8(ascii: "\n")

    private let content: Content

    init(_ content: Content) { self.content = content }

    /// Waits until the sentences up to a byte are known, if the script is still being made, but not for long.
    func reach(_ end: Int64, within limit: Duration) async {
        guard let document = content.document, document.making != nil else { return }
        var found = stat()
        guard fstat(document.text.rawValue, &found) == 0 else { return }
        let end = min(end, Int64(found.st_size)) - 1
        guard !document.hasReached(end) else { return }
        let wait = Task { try? await document.reach(end) }
        let patience = Task {
            try? await ContinuousClock().sleep(for: limit)
            wait.cancel()
        }
        _ = await wait.value
        patience.cancel()
    }

    /// Returns whole lines from the one in which a byte lies; where lines are too long, whole characters.
    ///
    /// Unless it is behind the end, the byte is in the part.
    func passage(at byte: Int64, limit: Int) throws(Failure) -> TextPassage {
        let (descriptor, isOwned) = try open()
        defer { if isOwned { close(descriptor) } }
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { throw Failure(.io, String(cString: strerror(errno))) }
        guard found.st_mode & S_IFMT == S_IFREG else { throw Failure(.badContent, "it came through a pipe") }
        let size = Int64(found.st_size)
        let (offset, bytes) = try stretch(at: min(max(0, byte), size), limit: limit, of: size, descriptor)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badContent, "it is not UTF-8")
        }
        let (sentences, known) = sentences(offset..<offset + Int64(bytes.count), of: size)
        return TextPassage(
            uri: content.uri, size: size, offset: offset, text: text, sentences: sentences, known: known)
    }

    /// Opens the text; the descriptor of a document stays its owner's.
    private func open() throws(Failure) -> (descriptor: CInt, isOwned: Bool) {
        if let document = content.document { return (document.text.rawValue, false) }
        switch content.tracks.first {
        case .descriptor(let shared, _)?: return (shared.rawValue, false)
        case .file(let path)?:
            // A pipe in the place of the file must not hold the session up.
            let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard file >= 0 else { throw Failure(.io, String(cString: strerror(errno))) }
            return (file, true)
        case .url?, .served?, nil: throw Failure(.badContent, "only its engine has it")
        }
    }

    private func stretch(
        at place: Int64, limit: Int, of size: Int64, _ descriptor: CInt
    ) throws(Failure) -> (offset: Int64, bytes: ArraySlice<UInt8>) {
        let head = min(Self.longestHead, limit / 2)
        let wanted = Int(min(place, Int64(max(head, Self.longestTail))))
        let first = place - Int64(wanted)
        // One more character behind shows where the last one ends.
        let bytes = try read(Int(min(Int64(wanted + limit + Self.longestTail), size - first)), at: first, descriptor)
        // A file may have become shorter since.
        let before = min(wanted, bytes.count)
        var start = before
        if let line = bytes[max(0, before - head)..<before].lastIndex(of: Self.newline) {
            start = line + 1
        } else if first == 0, before <= head {
            start = 0
        } else {
            while start > 0, before - start < Self.longestTail, start < bytes.count, bytes[start].isContinuation {
                start -= 1
            }
        }
        var end = min(start + limit, bytes.count)
        guard end < bytes.count else { return (first + Int64(start), bytes[start..<end]) }
        // A part that loses more than half by ending with a line ends within one.
        if let line = bytes[max(before, start + limit / 2)..<max(before, start + limit / 2, end)]
            .lastIndex(of: Self.newline)
        {
            end = line + 1
        } else {
            while end > start, bytes[end].isContinuation { end -= 1 }
            // A character that is longer than the limit.
            if end <= before {
                end = before + 1
                while end < bytes.count, bytes[end].isContinuation { end += 1 }
            }
        }
        return (first + Int64(start), bytes[start..<end])
    }

    /// Reads so many bytes, or fewer if the text ends before.
    private func read(_ count: Int, at place: Int64, _ descriptor: CInt) throws(Failure) -> [UInt8] {
        var code: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
                    off_t(place) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    code = got < 0 ? errno : 0
                    return
                }
                filled += got
            }
        }
        guard code == 0 else { throw Failure(.io, String(cString: strerror(code))) }
        return bytes
    }

    /// Returns the sentences of which something is in a part; none if the script is damaged, since the text is there.
    ///
    /// - Returns: also the byte up to which they are known; `nil` if they all are.
    private func sentences(
        _ part: Range<Int64>, of size: Int64
    ) -> (sentences: [TextPassage.Sentence], known: Int64?) {
        guard let document = content.document else { return ([], nil) }
        var sentences: [TextPassage.Sentence] = []
        var known: Int64?
        do throws(ScriptFileError) {
            let script = try ScriptFileReader(descriptor: document.script.rawValue)
            if !script.isWhole, script.end < part.upperBound { known = Int64(script.end) }
            guard let index = try script.index(at: Int(part.lowerBound)) else { return ([], known) }
            var cursor = try script.cursor(at: index)
            var left = Self.mostUtterances
            while left > 0, sentences.count < TextPassage.mostSentences, let utterance = try cursor.next(),
                utterance.range.lowerBound < part.upperBound
            {
                left -= 1
                let start = Int64(utterance.sentence.lowerBound)
                let end = min(Int64(utterance.sentence.upperBound), size)
                guard start >= sentences.last?.end ?? 0, end > max(start, part.lowerBound), start < part.upperBound
                else { continue }
                sentences.append(TextPassage.Sentence(start: start, end: end))
            }
        } catch {}
        return (sentences, known)
    }
}

extension ReadingTextView.Failure {
    fileprivate init(_ kind: PlaybackError.Kind, _ reason: String) { self.init(kind: kind, reason: reason) }
}

extension UInt8 {
    /// `true` for a byte of UTF-8 that does not begin a character.
    fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }
}
