// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SessionProtocol
import TerminalPlayer

/// A connection to the session, and the requests that it has not answered yet.
final class SessionLink {
    private let connection: SessionConnection
    private var requests: [RequestID: Request] = [:]

    /// Subscribes to the status as an owner sees it.
    init(_ connection: SessionConnection, owner: String) throws(SessionError) {
        self.connection = connection
        requests[try connection.send(.subscribe(Subscription([.status], owner: owner, stay: true)))] = .subscription
    }

    var descriptor: Int32 { connection.descriptor }

    func send(_ command: SessionCommand, _ request: Request, descriptors: [Int32] = []) throws(SessionError) {
        requests[try connection.send(.command(command), descriptors: descriptors)] = request
    }

    /// Reads once, and returns what came; throws when the session is gone.
    func receive() throws(SessionError) -> [PlayerEvent] {
        let isOpen = try connection.receive()
        var events: [PlayerEvent] = []
        while let message = try connection.nextMessage() {
            if let refusal = message.refusal { throw refusal }
            if let event = event(message) { events.append(event) }
        }
        guard isOpen || !events.isEmpty else {
            throw SessionError(.unavailable, "the session has ended; the next command starts one")
        }
        return events
    }

    private func event(_ message: SessionMessage) -> PlayerEvent? {
        switch message {
        case .status(let text): return Self.decode(Status.self, text).map { .status($0) }
        case .answer(let id, let result):
            guard let request = requests.removeValue(forKey: id) else { return nil }
            do throws(RPCError) {
                return .answer(request, Self.answer(request, try result.get()))
            } catch {
                return .answer(request, .failure(error.sessionError))
            }
        case .transition, .finished, .library, .unknown: return nil
        }
    }

    private static func answer(_ request: Request, _ text: [UInt8]) -> Result<Answer, SessionError> {
        let answer: Answer? =
            switch request {
            case .control, .seek, .start, .subscription: .done
            case .records: .done
            case .contents: decode(ItemContents.self, text).map { .contents($0) }
            case .books, .next: decode(LibraryPage.self, text).map { .books($0.books) }
            case .history: decode(History.self, text).map { .history($0) }
            case .engines: decode([EngineInfo].self, text).map { .engines($0) }
            case .sleep: decode(SleepChoices.self, text).map { .sleep($0) }
            case .settings: decode(SettingsList.self, text).map { .settings($0) }
            case .status, .holder: decode(Status.self, text).map { .status($0) }
            }
        guard let answer else {
            return .failure(SessionError(.io, "the session sent an unknown answer; is it another version? restart it"))
        }
        return .success(answer)
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ text: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text))
    }
}
