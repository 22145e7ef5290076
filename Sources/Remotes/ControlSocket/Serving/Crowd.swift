// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The resources that a client holds with what it has begun and not ended.
struct Holdings: Sendable, Hashable {
    enum Kind: Sendable, CaseIterable {
        /// File descriptors passed with a request that has not begun.
        case descriptors
        /// Bytes of an incomplete line, and of requests that have not begun.
        case input
        /// Bytes of answers and notifications that have not been read.
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

/// The limits of what all clients together may hold.
///
/// The limits of one client are in `Connection`, `ClientOutput` and `LineFramer`. If one of these limits is exceeded,
/// the client that holds the most of it is turned away. Among equals it is the one that connected first, because it has
/// had the most time to finish.
struct CrowdLimits: Sendable {
    /// The number of connections: a quarter of the 1,024 file descriptors of a process.
    ///
    /// That is the default (`DefaultLimitNOFILE` in systemd-system.conf(5)). Sockets and passed descriptors use at most
    /// half of it; the other half is left to books, engines and devices where the limit cannot be raised.
    var clients = 256
    /// The other quarter: 32 clients with as many as one request may bring.
    var descriptors = 256
    /// Sixteen of the longest requests.
    var input = 16 * LineFramer.requestLimit
    /// The output of 32 clients that are about to count as stuck.
    var unread = 32 * ClientOutput.limit

    subscript(kind: Holdings.Kind) -> Int {
        switch kind {
        case .descriptors: descriptors
        case .input: input
        case .unread: unread
        }
    }

    func exceeded(by holdings: Holdings) -> Holdings.Kind? { Holdings.Kind.allCases.first { holdings[$0] > self[$0] } }

    /// Returns how much of the limits the holdings use.
    func share(_ holdings: Holdings) -> Double {
        Holdings.Kind.allCases.reduce(0) { $0 + Double(holdings[$1]) / Double(max(1, self[$1])) }
    }

    /// Returns the line for a client that is turned away; `nil` if it cannot be encoded.
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
