// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The notifications that a connection requests.
public struct Subscription: Sendable, Hashable, Codable {
    public enum Topic: String, Sendable, Hashable, Codable, CaseIterable {
        case status
        case transition
    }

    /// The topics; `finished` needs none, because every attached client receives it.
    public var topics: [Topic]
    /// The owner from whose point of view the status is reported; `nil` for the owner that has audio focus.
    ///
    /// Such a status is that of the session while this owner has focus, and otherwise that of what the owner holds.
    public var owner: String?
    /// `true` to keep a session that a command started from exiting while this connection lasts.
    public var stay: Bool?

    public init(_ topics: [Topic] = Topic.allCases, owner: String? = nil, stay: Bool? = nil) {
        self.topics = topics
        self.owner = owner
        self.stay = stay
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        topics = try members.decodeIfPresent([Topic].self, forKey: .topics) ?? Topic.allCases
        owner = try members.decodeIfPresent(String.self, forKey: .owner)
        stay = try members.decodeIfPresent(Bool.self, forKey: .stay)
    }
}

/// One request of a client: a command to the session, or `subscribe`, which concerns the connection.
public enum SessionRequest: Sendable, Hashable {
    case command(SessionCommand)
    case subscribe(Subscription)

    public var method: String {
        switch self {
        case .command(let command): command.method
        case .subscribe: "subscribe"
        }
    }
}

/// A JSON-RPC request and its ID; without an ID, nobody waits for the answer.
public struct RequestMessage: Sendable, Hashable {
    public var id: RequestID?
    public var request: SessionRequest

    public init(id: RequestID?, _ request: SessionRequest) {
        self.id = id
        self.request = request
    }

    /// A line that is not a valid request, and the ID to answer it with.
    public struct Rejection: Error, Sendable, Hashable {
        public var id: RequestID
        public var error: RPCError

        public init(id: RequestID, error: RPCError) {
            self.id = id
            self.error = error
        }
    }

    /// Parses one line, without its newline.
    ///
    /// Commands have been validated by ``SessionCommand/validate()``.
    public init(line: [UInt8]) throws(Rejection) {
        let read: Incoming
        do {
            read = try JSONDecoder().decode(Incoming.self, from: Data(line))
        } catch {
            throw Rejection(id: .null, error: .parse("not a JSON text; send one JSON-RPC 2.0 message a line"))
        }
        switch read.result {
        case .success(let request):
            id = read.id
            self.request = request
        case .failure(let error):
            throw Rejection(id: read.id ?? .null, error: error)
        }
    }

    /// Returns the line to send, with its newline.
    public func line() throws(SessionError) -> [UInt8] {
        try JSONLine.encode(Outgoing(message: self))
    }
}

/// A message that decodes without throwing, so that any error of the decoder is a fault of the JSON text itself.
private struct Incoming: Decodable {
    var id: RequestID?
    var result: Result<SessionRequest, RPCError>

    enum Key: String, CodingKey { case jsonrpc, id, method, params }

    init(from decoder: any Decoder) {
        guard let members = try? decoder.container(keyedBy: Key.self) else {
            result = .failure(.invalidRequest("not a JSON object; batches are not supported"))
            return
        }
        if members.contains(.id) {
            guard let id = try? members.decode(RequestID.self, forKey: .id) else {
                result = .failure(.invalidRequest("id is neither a number, a string nor null"))
                return
            }
            self.id = id
        }
        guard (try? members.decode(String.self, forKey: .jsonrpc)) == "2.0" else {
            result = .failure(.invalidRequest("jsonrpc is not \"2.0\""))
            return
        }
        guard let method = try? members.decode(String.self, forKey: .method) else {
            result = .failure(.invalidRequest("method is missing or not a string"))
            return
        }
        result = Self.request(method, members)
    }

    private static func request(
        _ method: String, _ members: KeyedDecodingContainer<Key>
    ) -> Result<SessionRequest, RPCError> {
        do {
            if method == "subscribe" {
                let wanted = try members.decodeIfPresent(Subscription.self, forKey: .params)
                return .success(.subscribe(wanted ?? Subscription()))
            }
            if method == "clips" {
                let action = try members.decodeIfPresent(ClipAction.self, forKey: .params) ?? ClipAction(.list)
                try action.validate()
                return .success(.command(.manageClips(action)))
            }
            if method == "podcasts" {
                let action = try members.decodeIfPresent(PodcastAction.self, forKey: .params) ?? PodcastAction(.list)
                try action.validate()
                return .success(.command(.podcasts(action)))
            }
            guard let shape = CommandParameters.Shape(method: method) else {
                return .failure(.methodNotFound("no method \(method.debugDescription)"))
            }
            let parameters = try members.decodeIfPresent(CommandParameters.self, forKey: .params)
            let command = try shape.command(parameters ?? CommandParameters())
            try command.validate()
            return .success(.command(command))
        } catch let error as SessionError {
            return .failure(.invalidParams(error.message))
        } catch {
            return .failure(.invalidParams("params of \(method) do not fit"))
        }
    }
}

private struct Outgoing: Encodable {
    var message: RequestMessage

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Incoming.Key.self)
        try members.encode("2.0", forKey: .jsonrpc)
        try members.encodeIfPresent(message.id, forKey: .id)
        try members.encode(message.request.method, forKey: .method)
        switch message.request {
        case .subscribe(let subscription): try members.encode(subscription, forKey: .params)
        case .command(.manageClips(let action)): try members.encode(action, forKey: .params)
        case .command(.podcasts(let action)): try members.encode(action, forKey: .params)
        case .command(let command):
            if let parameters = command.parameters { try members.encode(parameters, forKey: .params) }
        }
    }
}
