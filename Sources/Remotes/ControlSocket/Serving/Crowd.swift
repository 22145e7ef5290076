// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// What the session holds for a client that has not come to its end yet.
struct Holdings: Sendable, Hashable {
    enum Kind: Sendable, CaseIterable {
        /// Passed along with a request that has not begun.
        case descriptors
        /// Bytes of a line without an end, and of requests that have not begun.
        case input
        /// Bytes of answers and notifications that were not read.
        case unread
    }

    var descriptors = 0
    var input = 0
    var unread = 0

    subscript(kind: Kind) -> Int {
        switch kind {
        case .descriptors: descriptors
        case .input: input
        case .unread: unread
        }
    }

    static func + (one: Holdings, other: Holdings) -> Holdings {
        Holdings(
            descriptors: one.descriptors + other.descriptors, input: one.input + other.input,
            unread: one.unread + other.unread)
    }

    static func - (one: Holdings, other: Holdings) -> Holdings {
        Holdings(
            descriptors: one.descriptors - other.descriptors, input: one.input - other.input,
            unread: one.unread - other.unread)
    }
}

/// What all clients together may make the session hold.
///
/// What one of them may is in `Connection`, `ClientOutput` and `LineFramer`. Beyond one of these the client that holds most of it makes room, among equals the one that came first: it has had the
/// longest time to end what it began.
struct CrowdLimits: Sendable {
    /// A quarter of the 1,024 descriptors that a process has by default (`DefaultLimitNOFILE` in systemd-system.conf(5)):
    /// sockets and what is passed are half of them at most, and the other half is left to books, engines and devices where
    /// the limit cannot be raised.
    var clients = 256
    /// The other quarter: 32 clients with as many as one request may bring.
    var descriptors = 256
    /// Sixteen of the longest requests.
    var input = 16 * LineFramer.requestLimit
    /// Thirty-two clients that are about to be taken for stuck.
    var unread = 32 * ClientOutput.limit

    subscript(kind: Holdings.Kind) -> Int {
        switch kind {
        case .descriptors: descriptors
        case .input: input
        case .unread: unread
        }
    }

    func exceeded(by holdings: Holdings) -> Holdings.Kind? { Holdings.Kind.allCases.first { holdings[$0] > self[$0] } }

    /// How much of what all may hold.
    func share(_ holdings: Holdings) -> Double {
        Holdings.Kind.allCases.reduce(0) { $0 + Double(holdings[$1]) / Double(max(1, self[$1])) }
    }

    /// The one line that a client is told who makes room; nil: nobody can be told.
    func farewell(_ kind: Holdings.Kind?) -> [UInt8]? {
        let cause =
            switch kind {
            case .descriptors: "clients passed more than \(descriptors) descriptors with requests that have not begun"
            case .input: "clients sent more than \(input) bytes of requests that have not begun"
            case .unread: "clients left more than \(unread) bytes of answers unread"
            case nil: "more than \(clients) clients"
            }
        return try? SessionLine.failure(
            .null, RPCError(SessionError(.busy, "no room for this client: \(cause); close some, then connect again")))
    }
}
