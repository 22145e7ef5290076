// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
public import MediaPlayback

/// Resolves the ITEMs of a request by looking at the file system.
public struct ItemResolver: ItemResolving {
    private let deadline: Duration
    /// Runs before the file system is asked, on the same thread; for tests.
    private let willLook: @Sendable () -> Void

    public init(deadline: Duration = .seconds(5)) {
        self.init(deadline: deadline, willLook: {})
    }

    init(deadline: Duration, willLook: @escaping @Sendable () -> Void) {
        self.deadline = deadline
        self.willLook = willLook
    }

    /// Returns the identity under which a web address is played; `nil` for anything else, and for one with a password.
    public static func identity(of address: String) -> String? {
        guard let web = WebAddress(address), web.authorization == nil else { return nil }
        return web.uri
    }

    public func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        // A queue of its own, so that a mount that hangs does not delay the next item.
        let willLook = willLook
        let outcome = await BlockingQueue(label: "rostrum.item").run(within: deadline) {
            willLook()
            return Result { () throws(ItemError) in try ItemReader(request).read() }
        }
        guard let outcome else {
            let name = request.items.first.map { WebAddress($0)?.uri ?? $0 } ?? "the item"
            throw ItemError(
                .timedOut, "\(name): the file system did not answer within \(deadline); check whether its mount hangs")
        }
        return try outcome.get()
    }
}
