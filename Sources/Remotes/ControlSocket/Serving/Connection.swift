// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc
import SessionProtocol

/// One client's socket: requests in, and nothing that waits.
struct Connection {
    static let descriptorLimit = 8

    enum Input {
        /// As it came: it is looked at when its turn comes, since thousands of short ones come in one read.
        case line([UInt8], descriptors: [Int32])
        /// `bytes`: of its line.
        case request(RequestMessage, descriptors: [Int32], bytes: Int)
        case rejected(RequestMessage.Rejection)

        /// What the shortest of them takes, as far as the account goes.
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

        /// A line as the request that it is, or as none.
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

        /// It will not be carried out.
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
    /// The client sends no more, but may still read.
    private(set) var isInputOver = false
    /// Every request is answered after the input ended.
    var isQuiet = false
    private(set) var isRefused = false

    private var framer = LineFramer()
    /// Descriptors that came with the line that is still incomplete.
    private var descriptors: [Int32] = []
    /// Bytes of that line.
    private var unfinished = 0
    /// Of one read, what the worker has no room for yet.
    private var waiting: ArraySlice<Input> = []
    private var waitingHoldings = Holdings()

    init(descriptor: Int32, worker: ClientWorker, output: ClientOutput) {
        self.descriptor = descriptor
        self.worker = worker
        self.output = output
    }

    var canReceive: Bool { !isInputOver && !output.isBroken }
    var wantsInput: Bool { canReceive && waiting.isEmpty && output.mayTakeRequest }
    /// There is room for a request that waits.
    var hasRoom: Bool { !waiting.isEmpty && output.mayTakeRequest }
    var wantsOutput: Bool { output.backlog > 0 && !output.isBroken }
    /// What its client has not come to an end with: a request without an end, or answers that it does not read.
    var unended: Holdings { Holdings(descriptors: descriptors.count, input: unfinished, unread: output.backlog) }
    /// That, and the requests that have not begun.
    var holdings: Holdings { unended + waitingHoldings + worker.holdings }
    var isOver: Bool {
        output.isBroken || output.isStuck
            || isInputOver && isQuiet && output.backlog == 0 && (!output.isSubscribed || isRefused)
    }

    /// Frees what the connection holds.
    ///
    /// - Parameter handingOn: what was read is still carried out, and answered to nobody.
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

    /// The peer broke the rules: nothing more is read, and the connection closes behind the last answer.
    private mutating func refuse(_ message: String) -> [Input] {
        isRefused = true
        return [.rejected(.init(id: .null, error: .invalidRequest(message)))]
    }

    /// Gives the worker as many requests as the client may have under way, and may have answers of unread.
    mutating func handOn() {
        while output.mayTakeRequest, let input = waiting.popFirst() {
            waitingHoldings = waitingHoldings - input.holdings
            output.beginRequest()
            worker.submit(input.read)
        }
        if waiting.isEmpty, isInputOver { worker.finish() }
    }

    /// Reads once; the lines are there for `handOn`.
    mutating func receive() {
        let inputs = read()
        for input in inputs { waitingHoldings = waitingHoldings + input.holdings }
        // Not appended to an empty one, whose memory would stay.
        if waiting.isEmpty { waiting = inputs[...] } else { waiting += inputs }
        if isRefused { isInputOver = true }
    }

    private mutating func read() -> [Input] {
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
            return []
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

    /// Gives descriptors to their lines.
    ///
    /// Those of an unfinished line go with the first line here. The kernel ends a read behind the piece that
    /// brings new ones: they go with the last line that this read touched.
    private mutating func inputs(_ lines: [[UInt8]], _ arrived: [Int32]) -> [Input] {
        var owned = [[Int32]](repeating: [], count: lines.count + 1)
        owned[0] = descriptors
        owned[framer.isInsideLine || lines.isEmpty ? lines.count : lines.count - 1] += arrived
        descriptors = owned[lines.count]
        return zip(lines, owned).map { .line($0, descriptors: $1) }
    }
}

extension SessionRequest {
    /// The first `descriptor:N` whose N-th descriptor did not come along.
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
