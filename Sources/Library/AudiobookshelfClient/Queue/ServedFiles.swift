// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import MediaPlayback

/// The files of an item that is played from its server: where they are now.
///
/// An address that is asked for once more was perhaps refused. Then the server is asked about the file first: that
/// renews a login that has ended, and a file that has another number now is found by its path.
actor ServedFiles {
    private let server: any ServerExchange
    private let item: String
    private let episode: String?
    private var files: [ServerQueue.File]

    init(server: any ServerExchange, item: String, episode: String?, files: [ServerQueue.File]) {
        self.server = server
        self.item = item
        self.episode = episode
        self.files = files
    }

    /// Returns where a file is.
    ///
    /// - Parameter isAgain: `true` if it was asked for before.
    func address(of index: Int, isAgain: Bool) async -> Result<TrackAddress, ItemError> {
        guard files.indices.contains(index) else { return .failure(ItemError(.missing, "there is no such track")) }
        do throws(ServerRequestError) {
            if isAgain { try await check(index) }
            return .success(try await server.address(of: .file(files[index].ino, of: item)))
        } catch {
            return .failure(error.itemError(of: files[index].name))
        }
    }

    private func check(_ index: Int) async throws(ServerRequestError) {
        var endpoint = ServerEndpoint.file(files[index].ino, of: item)
        endpoint.method = .head
        let answer = try await server.answer(to: endpoint)
        do throws(ServerAnswerError) {
            try ServerAnswer.check(answer)
        } catch {
            guard error.reason == .missing, try await findAgain(index) else { throw .answer(error) }
        }
    }

    /// Looks the item up again, and returns `true` if the file has another number now.
    private func findAgain(_ index: Int) async throws(ServerRequestError) -> Bool {
        let now: ServerItem = try await server.value(at: .item(item))
        let old = files[index]
        let found: ServerQueue.File?
        do throws(ServerQueue.Fault) {
            let files = try ServerQueue(now, episode: episode).files
            found = files.first { $0.relPath != nil && $0.relPath == old.relPath } ?? files.first { $0.name == old.name }
        } catch {
            return false
        }
        guard let found, found.ino != old.ino else { return false }
        // Another length would be another file: places in it would mean something else.
        if let now = found.bytes, let before = old.bytes, now != before { return false }
        files[index] = found
        return true
    }
}

extension ServerRequestError {
    /// The failure in the form that resolvers of items have.
    func itemError(of name: String) -> ItemError {
        switch self {
        case .failure: ItemError(isOffline ? .timedOut : .unsupported, message)
        case .answer(let error):
            switch error.reason {
            case .missing: ItemError(.missing, "\(name): \(message)")
            case .unauthorized, .forbidden, .refused, .unreadable: ItemError(.unsupported, "\(name): \(message)")
            case .failed, .tooMany: ItemError(.timedOut, "\(name): \(message)")
            }
        }
    }
}
