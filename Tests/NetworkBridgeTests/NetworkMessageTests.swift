// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import HTTPExchange
import NetworkOrders
import Testing

/// The messages between the session and its process.
struct NetworkMessageTests {
    private static let orders: [NetworkOrder] = [
        .hello(.init(fingerprints: ["ab", "cd"], problem: "p", slowest: 64, slowestSeconds: 30, beat: 5000)),
        .start(
            .init(
                id: 7, method: .patch, url: "http://a/", fields: [HTTPField("A", "b"), HTTPField("C", "")],
                body: .bytes([1, 2]), allowsPrivate: true, isFile: true, mostBytes: 1 << 40, milliseconds: 5)),
        .start(
            .init(
                id: .max, method: .get, url: "http://a/", fields: [], body: .descriptor(9), allowsPrivate: false,
                isFile: false, mostBytes: 0, milliseconds: 0)),
        .cancel(id: 3),
    ]
    private static let replies: [NetworkReply] = [
        .alive, .progress(id: 1, end: 2),
        .answered(id: 1, answer: HTTPAnswer(status: 206, fields: [HTTPField("A", "ä")], url: "https://a/", permanentURL: "http://b/"), bytes: 3),
        .failed(id: 1, failure: HTTPFailure(.output, "full", isFull: true)),
    ]

    @Test(arguments: orders) func `an order arrives as it was sent`(order: NetworkOrder) throws {
        #expect(try NetworkOrder(decoding: order.encoded) == order)
    }

    @Test(arguments: replies) func `a reply arrives as it was sent`(reply: NetworkReply) throws {
        #expect(try NetworkReply(decoding: reply.encoded) == reply)
    }

    @Test(arguments: replies) func `a reply that is cut anywhere is refused`(reply: NetworkReply) {
        for count in 0..<reply.encoded.count {
            #expect(throws: WireError.self) { try NetworkReply(decoding: Array(reply.encoded.prefix(count))) }
        }
    }

    @Test(
        arguments: [
            .progress(id: 1, end: -1), .answered(id: 1, answer: HTTPAnswer(status: 99, url: "http://a"), bytes: 0),
            .answered(id: 1, answer: HTTPAnswer(status: 200, url: "file:///a"), bytes: 0),
            .answered(id: 1, answer: HTTPAnswer(status: 200, url: "http://a", permanentURL: "file:///a"), bytes: 0),
            .answered(id: 1, answer: HTTPAnswer(status: 200, url: "http://a"), bytes: -1),
            .answered(
                id: 1, answer: HTTPAnswer(status: 200, fields: [HTTPField("a", "b\nc")], url: "http://a"), bytes: 0),
            .failed(id: 1, failure: HTTPFailure(.network, "")),
            .failed(id: 1, failure: HTTPFailure(.network, "two\nlines")),
        ] as [NetworkReply])
    func `a reply that cannot be is refused`(reply: NetworkReply) {
        #expect(throws: WireError.self) { try NetworkReply(decoding: reply.encoded) }
    }
}
