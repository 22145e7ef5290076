// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc
import SessionProtocol

/// The socket of one client; it reads requests and never blocks.
struct Connection {
    static let descriptorLimit = 8
    /// The reads that the rest of a connection may take; a socket holds less.
    private static let mostReads = 64

    enum Input {
        /// An unparsed line: it is parsed when its turn comes, since one read can return thousands of short ones.
        case line([UInt8], descriptors: [Int32])
        /// A parsed request; `bytes` is the size of its line.
        case request(RequestMessage, descriptors: [Int32], bytes: Int)
        case rejected(RequestMessage.Rejection)

        /// The size at which the shortest input is counted.
        static let leastBytes = 256

        var holdings: Holdings {
            switch self {
            case .line(let line, let descriptors):
                Holdings(descriptors: descriptors.count, input: max(line.count, Self.leastBytes))
            case .request(_, let descriptors, let bytes):
                Holdings(descriptors: descriptors.count, input: max(bytes, Self.leastBytes))
            case .rejected: Holdings(input: Self.leastBytes)
            }
        }

        /// The parsed input; a line that is not a valid request becomes a rejection.
        var read: Input {
            guard case .line(let line, let descriptors) = self else { return self }
            do throws(RequestMessage.Rejection) {
                let message = try RequestMessage(line: line)
                let id = message.id ?? .null
                if descriptors.count > descriptorLimit {
                    throw .init(
                        id: id, error: .invalidRequest("more than \(descriptorLimit) descriptors with a message"))
                }
                if let missing = message.request.descriptorOutside(descriptors.count) {
                    throw .init(id: id, error: .invalidParams("\(missing) came without that descriptor"))
                }
                return .request(message, descriptors: descriptors, bytes: line.count)
            } catch {
                discard()
                return .rejected(error)
            }
        }

        /// Frees what the input holds; it will not be carried out.
        func discard() {
            switch self {
            case .line(_, let descriptors), .request(_, let descriptors, _):
                for descriptor in descriptors { Glibc.close(descriptor) }
            case .rejected: break
            }
        }
    }

    let descriptor: Int32
    let worker: ClientWorker
    let output: ClientOutput
    /// `true` if the client sends no more; it may still read.
    private(set) var isInputOver = false
    /// `true` if the input is over and every request has been answered.
    var isQuiet = false
    private(set) var isRefused = false

    private var framer = LineFramer()
    /// File descriptors that came with the incomplete line.
    private var descriptors: [Int32] = []
    /// The size of the incomplete line in bytes.
    private var unfinished = 0
    /// Inputs that were read and for which the worker has no room yet.
    private var waiting: ArraySlice<Input> = []
    private var waitingHoldings = Holdings()

    init(descriptor: Int32, worker: ClientWorker, output: ClientOutput) {
        self.descriptor = descriptor
        self.worker = worker
        self.output = output
    }

    var canReceive: Bool { !isInputOver && !output.isBroken }
    var wantsInput: Bool { canReceive && waiting.isEmpty && output.mayTakeRequest }
    /// `true` if a waiting request can be handed to the worker.
    var hasRoom: Bool { !waiting.isEmpty && output.mayTakeRequest }
    var wantsOutput: Bool { output.backlog > 0 && !output.isBroken }
    /// The work that the client has begun and not ended: an incomplete line, or answers that it has not read.
    var unended: Holdings { Holdings(descriptors: descriptors.count, input: unfinished, unread: output.backlog) }
    /// ``unended``, and the requests that have not begun.
    var holdings: Holdings { unended + waitingHoldings + worker.holdings }
    var isOver: Bool {
        output.isBroken || output.isStuck
            || isInputOver && isQuiet && output.backlog == 0 && (!output.isSubscribed || isRefused)
    }

    /// Frees what the connection holds.
    ///
    /// - Parameter handingOn: Whether requests that were read are still carried out; their answers are dropped.
    mutating func close(handingOn: Bool) {
        for descriptor in descriptors { Glibc.close(descriptor) }
        output.close()
        if handingOn {
            worker.keep(waiting)
        } else {
            for input in waiting { input.discard() }
        }
        (descriptors, unfinished, waiting, waitingHoldings) = ([], 0, [], Holdings())
    }

    // MARK: - Input

    /// Rejects a violation of the protocol: nothing more is read, and the connection closes after the last answer.
    private mutating func refuse(_ message: String) -> [Input] {
        isRefused = true
        return [.rejected(.init(id: .null, error: .invalidRequest(message)))]
    }

    /// Hands requests to the worker, up to the limits of requests under way and of unread answers.
    mutating func handOn() {
        while output.mayTakeRequest, let input = waiting.popFirst() {
            waitingHoldings = waitingHoldings - input.holdings
            output.beginRequest()
            worker.submit(input.read)
        }
        if waiting.isEmpty, isInputOver { worker.finish() }
    }

    /// Reads once, and returns `false` if nothing has come; ``handOn()`` takes the lines.
    @discardableResult
    mutating func receive() -> Bool {
        guard let inputs = read() else { return false }
        for input in inputs { waitingHoldings = waitingHoldings + input.holdings }
        // Appending to an empty array would keep its memory.
        if waiting.isEmpty { waiting = inputs[...] } else { waiting += inputs }
        if isRefused { isInputOver = true }
        return true
    }

    /// Reads what a client sent before it hung up.
    ///
    /// A notification may find out that it is gone before its last lines are read.
    mutating func receiveRest() {
        for _ in 0..<Self.mostReads where !isInputOver {
            if !receive() { return }
        }
    }

    private mutating func read() -> [Input]? {
        var bytes: [UInt8] = []
        var received = [Int32](repeating: -1, count: Self.descriptorLimit)
        var receivedCount = received.count
        let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
            let count = ctransport_receive(
                descriptor, buffer.baseAddress, buffer.count, &received, &receivedCount, Int32(MSG_DONTWAIT))
            if count > 0 { bytes = Array(buffer[..<count]) }
            return count
        }
        guard count > 0 else {
            if count == 0 {
                isInputOver = true
            } else if errno == EMSGSIZE {
                return refuse("more than \(Self.descriptorLimit) descriptors with a message")
            } else if errno != EAGAIN && errno != EWOULDBLOCK {
                output.breakOff()
            }
            return nil
        }
        let lines = (try? framer.receive(bytes)) ?? []
        if framer.isOverflowed {
            unfinished = 0
        } else if let end = bytes.lastIndex(of: JSONLine.newline) {
            unfinished = bytes.count - end - 1
        } else {
            unfinished += bytes.count
        }
        let inputs = inputs(lines, Array(received.prefix(receivedCount)))
        if framer.isOverflowed { return inputs + refuse("a line of more than \(LineFramer.requestLimit) bytes") }
        if descriptors.count > Self.descriptorLimit {
            return inputs + refuse("more than \(Self.descriptorLimit) descriptors with a message")
        }
        return inputs
    }

    /// Assigns file descriptors to their lines.
    ///
    /// Those of an incomplete line belong to the first line here. The kernel ends a read after the piece that brings
    /// new ones, so they belong to the last line that this read touched.
    private mutating func inputs(_ lines: [[UInt8]], _ arrived: [Int32]) -> [Input] {
        var owned = [[Int32]](repeating: [], count: lines.count + 1)
        owned[0] = descriptors
        owned[framer.isInsideLine || lines.isEmpty ? lines.count : lines.count - 1] += arrived
        descriptors = owned[lines.count]
        return zip(lines, owned).map { .line($0, descriptors: $1) }
    }
}

extension SessionRequest {
    /// Returns the first `descriptor:N` whose N-th file descriptor did not come with the request.
    func descriptorOutside(_ count: Int) -> String? {
        guard case .command(let command) = self else { return nil }
        switch command {
        case .play(let parameters), .read(let parameters), .inspect(let parameters):
            return parameters.items.first { item in
                guard item.hasPrefix("descriptor:") else { return false }
                guard let index = Int(item.dropFirst("descriptor:".count)) else { return true }
                return !(0..<count).contains(index)
            }
        default: return nil
        }
    }
}
