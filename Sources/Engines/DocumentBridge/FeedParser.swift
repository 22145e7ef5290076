// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import CTransport
import DocumentOrders
import Glibc
public import MediaPlayback
public import PodcastFeeds

/// Parses feeds and OPML files in a confined process of its own, which is gone when one is parsed.
///
/// What comes from that process is read without trust.
public struct FeedParser: Sendable {
    private let program: String
    private let deadline: Duration

    private static let job = DocumentProcess.Job(
        work: "reading the feed", worker: "the reader of documents",
        end: "the feed could not be read: its reader ended before it was done; the feed may be damaged or hostile")

    /// - Parameters:
    ///   - program: The path of `rostrum-document-reader`.
    ///   - deadline: How long a file may take.
    public init(program: String, deadline: Duration = .seconds(50)) {
        self.program = program
        self.deadline = deadline
    }

    /// Parses the document of a feed.
    ///
    /// - Parameters:
    ///   - name: The feed, as messages name it.
    ///   - base: The address of the document.
    public func feed(
        _ bytes: [UInt8], name: String, charset: String? = nil, base: String? = nil
    ) async throws(ItemError) -> PodcastFeed {
        var order = DocumentOrder(name: name, charset: charset)
        order.form = .feed
        order.base = base
        guard let feed = FeedMessage.decode(try await answer(order, bytes, most: FeedLimits.message)) else {
            throw ItemError(.unsupported, "\(name): \(Self.job.end)")
        }
        return feed
    }

    /// Parses an OPML file.
    public func subscriptions(_ bytes: [UInt8], name: String) async throws(ItemError) -> SubscriptionList {
        var order = DocumentOrder(name: name)
        order.form = .subscriptions
        guard let list = SubscriptionList(decoding: try await answer(order, bytes, most: FeedLimits.message)) else {
            throw ItemError(.unsupported, "\(name): \(Self.job.end)")
        }
        return list
    }

    private func answer(
        _ order: DocumentOrder, _ bytes: [UInt8], most: Int
    ) async throws(ItemError) -> [UInt8] {
        let end = ProcessEnd()
        // A thread of its own: the process that parses ends with the thread that started it.
        let queue = BlockingQueue(label: "rostrum.feed")
        let outcome = await withTaskCancellationHandler {
            await queue.run(within: deadline) { [program] in
                Result { () throws(ItemError) in try Self.exchange(order, bytes, program, most, end) }
            }
        } onCancel: {
            end.request()
        }
        guard let outcome else {
            end.request()
            throw ItemError(
                .timedOut, "\(order.name): reading the feed took longer than \(deadline.components.seconds) s")
        }
        return try outcome.get()
    }

    private static func exchange(
        _ order: DocumentOrder, _ bytes: [UInt8], _ program: String, _ most: Int, _ end: ProcessEnd
    ) throws(ItemError) -> [UInt8] {
        let source = try file(order.name)
        guard write(bytes, to: source) else {
            throw ItemError(.unreadable, "\(order.name): no memory for the feed: \(String(cString: strerror(errno)))")
        }
        let answer = try file(order.name)
        let process = DocumentProcess(program, name: order.name, job: job, end: end)
        let reply = try process.exchange(order.encoded, [source, answer, answer])
        switch DocumentReply(decoding: reply) {
        case .read: return try contents(of: answer, order.name, most)
        case .failed(let kind, let message):
            throw ItemError(kind == "tooLarge" ? .unreadable : .unsupported, "\(order.name): \(message)")
        case .begun, .made, nil: throw process.hasEnded
        }
    }

    private static func file(_ name: String) throws(ItemError) -> SharedDescriptor {
        let raw = ctransport_memory_descriptor("rostrum-feed")
        guard raw >= 0 else {
            throw ItemError(.unreadable, "\(name): no memory for the feed: \(String(cString: strerror(errno)))")
        }
        return SharedDescriptor(owning: raw)
    }

    private static func write(_ bytes: [UInt8], to file: SharedDescriptor) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(file.rawValue, $0.baseAddress?.advanced(by: done), bytes.count - done, off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private static func contents(
        of file: SharedDescriptor, _ name: String, _ most: Int
    ) throws(ItemError) -> [UInt8] {
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, (0...most).contains(Int(status.st_size)) else {
            throw ItemError(.unsupported, "\(name): \(job.end)")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(file.rawValue, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ItemError(.unsupported, "\(name): \(job.end)") }
            done += count
        }
        return bytes
    }
}
