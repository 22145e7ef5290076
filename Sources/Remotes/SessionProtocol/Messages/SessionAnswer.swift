// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The lines from the session to a client.
public enum SessionLine {
    /// Returns the answer to a request, with exactly one of `result` and `error`.
    public static func answer(_ id: RequestID, _ reply: SessionReply) throws(SessionError) -> [UInt8] {
        let result =
            switch reply {
            case .done: Array("null".utf8)
            case .status(let status): try JSONLine.text(status)
            case .contents(let contents): try JSONLine.text(contents)
            case .engines(let engines): try JSONLine.text(engines)
            case .engine(let engine): try JSONLine.text(engine)
            case .message(let message): try JSONLine.text(["message": message])
            case .inspection(let inspection): try JSONLine.text(inspection)
            case .history(let history): try JSONLine.text(history)
            case .sleepChoices(let choices): try JSONLine.text(choices)
            case .books(let page): try JSONLine.text(page)
            case .book(let book): try JSONLine.text(book)
            case .work(let work): try JSONLine.text(work)
            case .imported(let summary): try JSONLine.text(summary)
            case .watches(let watches): try JSONLine.text(watches)
            case .settings(let list): try JSONLine.text(list)
            case .clips(let page): try JSONLine.text(page)
            case .clipExport(let export): try JSONLine.text(export)
            case .clipRepair(let repair): try JSONLine.text(repair)
            case .waveform(let waveform): try JSONLine.text(waveform)
            case .text(let passage): try JSONLine.text(passage)
            case .reading(let page): try JSONLine.text(page)
            case .log(let path): try JSONLine.text(["path": path])
            }
        return Array("{\"id\":".utf8) + (try JSONLine.text(id)) + Array(",\"jsonrpc\":\"2.0\",\"result\":".utf8)
            + result
            + Array("}\n".utf8)
    }

    public static func failure(_ id: RequestID, _ error: RPCError) throws(SessionError) -> [UInt8] {
        try JSONLine.encode(Failure(error: error, id: id))
    }

    public static func status(_ status: Status) throws(SessionError) -> [UInt8] {
        notification("status", try JSONLine.text(status))
    }

    /// Returns a notification about a transition; `record` is one line of the transition log.
    public static func transition(_ record: String) -> [UInt8] {
        notification("transition", record.utf8.filter { $0 != JSONLine.newline && $0 != UInt8(ascii: "\r") })
    }

    /// Returns the notification that playback is over; `warning` says that part of it was not played.
    public static func finished(_ error: SessionError?, warning: String? = nil) throws(SessionError) -> [UInt8] {
        notification("finished", try JSONLine.text(Finished(error: error.map(RPCError.init), warning: warning)))
    }

    /// Returns a notification about the progress of an import that this client requested.
    public static func library(_ progress: LibraryProgress) throws(SessionError) -> [UInt8] {
        notification("library", try JSONLine.text(progress))
    }

    /// Returns a notification about the making of a track's peaks.
    public static func peaks(_ progress: WaveformProgress) throws(SessionError) -> [UInt8] {
        notification("peaks", try JSONLine.text(progress))
    }

    /// Returns a notification that more of a text is made ready, of which this client asked for a part.
    public static func text(_ progress: TextProgress) throws(SessionError) -> [UInt8] {
        notification("text", try JSONLine.text(progress))
    }

    private static func notification(_ method: String, _ params: [UInt8]) -> [UInt8] {
        Array("{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":".utf8) + params + Array("}\n".utf8)
    }

    private struct Failure: Encodable {
        var error: RPCError
        var id: RequestID
        var jsonrpc = "2.0"
    }

    struct Finished: Codable {
        var error: RPCError?
        var warning: String?

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(error, forKey: .error)
            try members.encodeIfPresent(warning, forKey: .warning)
        }
    }
}

/// A line from the session, as a client reads it.
public enum SessionMessage: Sendable, Hashable {
    /// An answer; `result` is its unchanged JSON text.
    case answer(RequestID, Result<[UInt8], RPCError>)
    /// The unchanged JSON text of the status.
    case status([UInt8])
    case transition([UInt8])
    case finished(SessionError?, warning: String? = nil)
    /// The JSON text of a ``LibraryProgress``.
    case library([UInt8])
    /// The JSON text of a ``WaveformProgress``.
    case peaks([UInt8])
    /// The JSON text of a ``TextProgress``.
    case text([UInt8])
    /// A message of a newer session, which a client ignores.
    case unknown

    public init(line: [UInt8]) throws(SessionError) {
        let envelope: Envelope
        do {
            envelope = try JSONDecoder().decode(Envelope.self, from: Data(line))
        } catch {
            throw SessionError(
                .io, "the session sent no JSON-RPC message; is it another version? stop it and try again")
        }
        let members = JSONMembers(line)
        switch envelope.method {
        case nil:
            if let error = envelope.error {
                self = .answer(envelope.id ?? .null, .failure(error))
            } else if let id = envelope.id, let result = members["result"] {
                self = .answer(id, .success(Array(result)))
            } else {
                self = .unknown
            }
        case "status": self = .status(Array(members["params"] ?? []))
        case "transition": self = .transition(Array(members["params"] ?? []))
        case "library": self = .library(Array(members["params"] ?? []))
        case "peaks": self = .peaks(Array(members["params"] ?? []))
        case "text": self = .text(Array(members["params"] ?? []))
        case "finished": self = .finished(envelope.params?.error?.sessionError, warning: envelope.params?.warning)
        default: self = .unknown
        }
    }

    private struct Envelope: Decodable {
        var id: RequestID?
        var method: String?
        var error: RPCError?
        var params: SessionLine.Finished?

        enum CodingKeys: String, CodingKey { case id, method, error, params }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            id = try members.decodeIfPresent(RequestID.self, forKey: .id)
            method = try members.decodeIfPresent(String.self, forKey: .method)
            error = try members.decodeIfPresent(RPCError.self, forKey: .error)
            if method == "finished" { params = try members.decodeIfPresent(SessionLine.Finished.self, forKey: .params) }
        }
    }
}
