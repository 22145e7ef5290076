// SPDX-License-Identifier: Apache-2.0

public import AudiobookshelfClient
import Foundation
import HTTPExchange
public import ProgressSync

/// The places of an account of Audiobookshelf, over its connection.
///
/// An answer counts only if it is one of that server: a page of a hotel's network or of a proxy is a failure, and says
/// nothing of a book.
public struct ServerProgressRequests: ProgressServing {
    private let account: String
    private let device: String
    private let version: String
    private let send: @Sendable (ServerRequest) async throws(ServerFailure) -> HTTPAnswer

    /// The most bytes of the records of a user, of which there is one for everything that was heard.
    private static let mostBytes: Int64 = 64 << 20

    /// - Parameters:
    ///   - device: The id of this installation.
    ///   - version: The version of this program, which the server shows with sessions.
    public init(_ connection: ServerConnection, device: String, version: String) {
        self.init(account: connection.account.id, device: device, version: version) {
            request async throws(ServerFailure) in try await connection.send(request)
        }
    }

    init(
        account: String, device: String, version: String,
        send: @escaping @Sendable (ServerRequest) async throws(ServerFailure) -> HTTPAnswer
    ) {
        self.account = account
        self.device = device
        self.version = version
        self.send = send
    }

    public func progress() async throws(ProgressFailure) -> Dated<[ServedItem: ProgressRecord]> {
        let answer = try await ask(ServerRequest(.get, ["api", "me"], mostBytes: Self.mostBytes))
        try check(answer)
        guard let user = try? JSONDecoder().decode(UserBody.self, from: Data(answer.body)) else {
            throw damaged(answer)
        }
        var records: [ServedItem: ProgressRecord] = [:]
        for row in user.mediaProgress {
            guard let row = row.row, let item = row.item(of: account), let record = row.record else { continue }
            records[item] = record
        }
        return Dated(records, date: date(of: answer))
    }

    public func progress(of item: ServedItem) async throws(ProgressFailure) -> Dated<ProgressRecord?> {
        let answer = try await ask(ServerRequest(.get, path(of: item), mostBytes: 1 << 20))
        if answer.status == 404, answer.body.elementsEqual("Not Found".utf8) {
            return Dated(nil, date: date(of: answer))
        }
        // Anything else with this status is not the server's word on its records.
        guard answer.status != 404 else { throw damaged(answer) }
        try check(answer)
        guard let row = try? JSONDecoder().decode(ProgressRow.self, from: Data(answer.body)), let record = row.record
        else { throw damaged(answer) }
        return Dated(record, date: date(of: answer))
    }

    public func write(_ write: ProgressWrite, to item: ServedItem) async throws(ProgressFailure) {
        let body: PatchBody
        switch write {
        case .place(let milliseconds, let length, let stamp):
            body = PatchBody(
                currentTime: Double(milliseconds) / 1000, duration: Double(length) / 1000,
                progress: ProgressWrite.share(milliseconds, of: length), lastUpdate: stamp)
        case .finished(let stamp): body = PatchBody(isFinished: true, lastUpdate: stamp)
        }
        let answer = try await ask(ServerRequest(.patch, path(of: item), json: try encoded(body), mostBytes: 1 << 20))
        try check(answer)
        guard answer.body.elementsEqual("OK".utf8) else { throw damaged(answer) }
    }

    public func report(_ sessions: [ListeningSession]) async throws(ProgressFailure) -> [SessionReport] {
        let body = SessionsBody(sessions: sessions.map { SessionBody($0, device: DeviceBody(device, version)) })
        let request = ServerRequest(
            .post, ["api", "session", "local-all"], json: try encoded(body), mostBytes: 4 << 20)
        let answer = try await ask(request)
        try check(answer)
        guard let results = try? JSONDecoder().decode(ReportBody.self, from: Data(answer.body)) else {
            throw damaged(answer)
        }
        return results.results.map { SessionReport(id: $0.id, isKnown: $0.success) }
    }

    // MARK: Requests

    private func path(of item: ServedItem) -> [String] {
        ["api", "me", "progress", item.item] + (item.episode.map { [$0] } ?? [])
    }

    private func encoded(_ body: some Encodable) throws(ProgressFailure) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(body))
        } catch {
            throw ProgressFailure(.rejected, "a place cannot be written as JSON")
        }
    }

    private func ask(_ request: ServerRequest) async throws(ProgressFailure) -> HTTPAnswer {
        do throws(ServerFailure) {
            return try await send(request)
        } catch {
            let reason: ProgressFailure.Reason =
                switch error.reason {
                case .logInAgain: .unauthorized
                case .rateLimited, .damaged, .tooLarge, .refused: .failing
                default: .unreachable
                }
            throw ProgressFailure(reason, error.message)
        }
    }

    private func check(_ answer: HTTPAnswer) throws(ProgressFailure) {
        let reason: ProgressFailure.Reason
        switch answer.status {
        case 200..<300: return
        case 404: reason = .notFound
        case 408, 425, 429: reason = .failing
        case 400..<500: reason = .rejected
        default: reason = .failing
        }
        throw ProgressFailure(reason, "\(answer.url): the server refuses (status \(answer.status))")
    }

    private func damaged(_ answer: HTTPAnswer) -> ProgressFailure {
        ProgressFailure(.failing, "\(answer.url): the answer is not one of Audiobookshelf")
    }

    private func date(of answer: HTTPAnswer) -> Int64? { answer.value("Date").flatMap(HTTPDate.milliseconds) }
}
