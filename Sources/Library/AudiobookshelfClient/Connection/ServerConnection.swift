// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange

/// The way to one account's server: sends requests with a token that is good, and renews it.
///
/// There is one connection for each account, so that a token is renewed once for all that wait. A renewed token is
/// durable before it is used. Nothing is deleted when a server refuses the tokens: the account asks to log in again.
public actor ServerConnection {
    public nonisolated let account: ServerAccount
    public nonisolated let address: ServerAddress
    let transport: any HTTPTransport
    let store: any CredentialStore
    private let now: @Sendable () -> Int64

    private var credentials: ServerCredentials?
    private var isLoaded = false
    /// Renewed credentials that could not be kept, and so are not used yet.
    private var unkept: ServerCredentials?
    private var renewal: Task<Result<String, ServerFailure>, Never>?
    /// The reason why the listener must log in again.
    private var refusal: ServerFailure?
    /// The time before which the server wants no renewal, in this machine's clock.
    private var quietUntil: (time: Int64, failure: ServerFailure)?

    /// The difference between the server's clock and this machine's, for whoever compares times with it.
    public private(set) var clock = ServerClock()

    /// - Parameters:
    ///   - now: Returns the milliseconds since 1970.
    /// - Returns: `nil` if the account's address is none.
    public init?(
        _ account: ServerAccount, transport: any HTTPTransport, store: any CredentialStore,
        now: @escaping @Sendable () -> Int64
    ) {
        guard let address = ServerAddress(account.address) else { return nil }
        self.account = account
        self.address = address
        self.transport = transport
        self.store = store
        self.now = now
    }

    /// The reason why the listener must log in again, once the server has refused the tokens.
    public var loginNeeded: ServerFailure? { refusal }

    /// Reads what is kept; throws if the listener must log in first. The server is not asked.
    public func prepare() async throws(ServerFailure) {
        if let refusal { throw refusal }
        try await load()
        if credentials == nil { throw refuse("nobody is logged in") }
    }

    // MARK: Requests

    /// Sends a request with a good token and returns the answer, whatever its status, except 401 and 429.
    public func send(_ request: ServerRequest) async throws(ServerFailure) -> HTTPAnswer {
        try await authorized { [transport, address] token async throws(HTTPFailure) in
            try await transport.send(request.completed(at: address, bearer: token))
        }
    }

    /// Sends a request with a good token and writes the body of the answer into a file, as `HTTPTransport` does.
    public func fetch(
        _ request: ServerRequest, into file: Int32, progress: @escaping @Sendable (Int64) -> Void
    ) async throws(ServerFailure) -> HTTPAnswer {
        try await authorized { [transport, address] token async throws(HTTPFailure) in
            try await transport.fetch(request.completed(at: address, bearer: token), into: file, progress: progress)
        }
    }

    /// Returns the field that proves who asks, for a request that somebody else sends to ``address`` at once.
    ///
    /// - Parameter refused: The field that the server has just refused, if any.
    public func authorization(refused: HTTPField? = nil) async throws(ServerFailure) -> HTTPField {
        let bearer = refused.map { String($0.value.dropFirst("Bearer ".count)) }
        return HTTPField("Authorization", "Bearer \(try await token(refused: bearer))")
    }

    private func authorized(
        _ ask: (String) async throws(HTTPFailure) -> HTTPAnswer
    ) async throws(ServerFailure) -> HTTPAnswer {
        let token = try await token()
        let answer = try await noted(token, ask)
        guard answer.status == 401 else { return try checked(answer) }
        let renewed = try await self.token(refused: token)
        let second = try await noted(renewed, ask)
        guard second.status == 401 else { return try checked(second) }
        throw refuse("the server does not accept the login any more")
    }

    private func checked(_ answer: HTTPAnswer) throws(ServerFailure) -> HTTPAnswer {
        if answer.status == 429 { throw ServerFailure.rateLimited(answer, at: address) }
        return answer
    }

    private func noted(
        _ token: String, _ ask: (String) async throws(HTTPFailure) -> HTTPAnswer
    ) async throws(ServerFailure) -> HTTPAnswer {
        let sent = now()
        do throws(HTTPFailure) {
            let answer = try await ask(token)
            note(answer, sent: sent)
            return answer
        } catch {
            throw ServerFailure(error, at: address)
        }
    }

    private func note(_ answer: HTTPAnswer, sent: Int64) {
        guard let date = answer.value("Date").flatMap(HTTPDate.milliseconds) else { return }
        clock.note(date, sent: sent, received: now())
    }

    // MARK: Tokens

    /// Returns a token that the server should accept.
    ///
    /// - Parameter refused: A token that it has refused.
    private func token(refused: String? = nil) async throws(ServerFailure) -> String {
        if let refusal { throw refusal }
        try await load()
        guard let credentials else { throw refuse("nobody is logged in") }
        guard case .tokens(let access, _) = credentials else {
            guard let bearer = credentials.bearer, bearer != refused else {
                throw refuse(
                    account.usesKey
                        ? "the API key is not accepted any more" : "the server does not accept the login any more")
            }
            return bearer
        }
        let isGood = access != nil && access != refused
        let end = access.flatMap(AccessToken.init)
        let time = clock.server(now())
        if isGood, let access, end.map({ time < $0.due }) ?? true { return access }
        let outcome = await renewed()
        switch outcome {
        case .success(let token): return token
        case .failure(let failure):
            // It is renewed before its end, so that what is left of it helps over a short failure.
            if isGood, let access, let end, time < end.expires, failure.reason != .logInAgain { return access }
            throw failure
        }
    }

    private func load() async throws(ServerFailure) {
        guard !isLoaded else { return }
        do throws(CredentialFailure) {
            let kept = try await store.load(account.id)
            // Another call, or a login, may have been faster.
            if !isLoaded { (credentials, isLoaded) = (kept, true) }
        } catch {
            throw ServerFailure(.storage, "\(account.name): \(error.message)")
        }
    }

    private func refuse(_ why: String) -> ServerFailure {
        let failure = ServerFailure(
            .logInAgain, "\(account.name): \(why); log in again with `rostrum server login \(account.name)`",
            status: 401)
        refusal = failure
        return failure
    }

    // MARK: Renewal

    /// Returns the outcome of the renewal that is going on, or of a new one; it goes on if nobody waits any more.
    private func renewed() async -> Result<String, ServerFailure> {
        if let renewal { return await renewal.value }
        let task = Task { () async -> Result<String, ServerFailure> in
            // Before it ends, so that nobody takes its outcome for news later.
            defer { self.renewal = nil }
            do throws(ServerFailure) {
                return .success(try await self.renew())
            } catch {
                return .failure(error)
            }
        }
        renewal = task
        return await task.value
    }

    private func renew() async throws(ServerFailure) -> String {
        if let unkept { return try await keep(unkept) }
        if let quietUntil {
            guard now() >= quietUntil.time else { throw quietUntil.failure }
            self.quietUntil = nil
        }
        guard let refresh = credentials?.refresh else { throw refuse("nobody is logged in") }
        let answer = try await noted(refresh) { [transport, address] refresh async throws(HTTPFailure) in
            let fields = [HTTPField("x-refresh-token", refresh), HTTPField("x-return-tokens", "true")]
            var request = HTTPRequest(.post, address.url(["auth", "refresh"]), fields: fields, allowsPrivate: true)
            request.mostBytes = LoginBody.mostBytes
            return try await transport.send(request)
        }
        switch answer.status {
        case 200:
            let body = try LoginBody(answer, at: address)
            guard let access = body.user.accessToken else {
                throw ServerFailure(.damaged, "\(address): the server's answer has no token")
            }
            return try await keep(.tokens(access: access, refresh: body.user.refreshToken ?? refresh))
        case 401, 403: return try await afterRefusal(of: refresh)
        case 404: throw refuse("the server knows no renewal of logins; it may have been replaced by an older version")
        case 429:
            let failure = ServerFailure.rateLimited(answer, at: address)
            quietUntil = (now() + Int64(failure.retryAfter ?? 60) * 1000, failure)
            throw failure
        default: throw ServerFailure.status(answer, at: address, doing: "to renew the login")
        }
    }

    /// Takes what is kept, if it is newer than what the server refused.
    private func afterRefusal(of refresh: String) async throws(ServerFailure) -> String {
        let kept: ServerCredentials?
        do throws(CredentialFailure) {
            kept = try await store.load(account.id)
        } catch {
            throw ServerFailure(.storage, "\(account.name): \(error.message)")
        }
        if let kept, let access = kept.bearer, kept.refresh != refresh, kept != credentials {
            credentials = kept
            return access
        }
        throw refuse("the login has expired")
    }

    /// Makes new credentials durable, and only then uses them.
    private func keep(_ new: ServerCredentials) async throws(ServerFailure) -> String {
        unkept = new
        do throws(CredentialFailure) {
            try await store.save(new, for: account.id)
        } catch {
            throw ServerFailure(.storage, "\(account.name): the renewed login cannot be kept: \(error.message)")
        }
        (credentials, isLoaded, unkept) = (new, true, nil)
        return new.bearer ?? ""
    }

    // MARK: Login

    /// Logs the account's user in again.
    public func logIn(password: String) async throws(ServerFailure) {
        let outcome = try await ServerLogin(transport).logIn(address, user: account.user, password: password)
        try await adopt(outcome)
    }

    /// Replaces the account's API key.
    public func logIn(apiKey: String) async throws(ServerFailure) {
        try await adopt(try await ServerLogin(transport).check(address, apiKey: apiKey))
    }

    /// Takes the outcome of a login, in place of what was refused.
    func adopt(_ outcome: ServerLogin.Outcome) async throws(ServerFailure) {
        guard outcome.user.id == account.userID else {
            throw ServerFailure(
                .wrongPassword,
                "\(account.name): that is another user, \(outcome.user.name); add it with `rostrum server add`"
            )
        }
        // A renewal that is going on must not come after it.
        _ = await renewal?.value
        _ = try await keep(outcome.credentials)
        (refusal, quietUntil) = (nil, nil)
    }

    /// Ends the login: the server is told, if it can be, and nothing of it is kept.
    public func logOut() async throws(ServerFailure) {
        _ = await renewal?.value
        try await load()
        if case .tokens(let access, let refresh) = unkept ?? credentials {
            var fields = [HTTPField("x-refresh-token", refresh)]
            if let access { fields.append(HTTPField("Authorization", "Bearer \(access)")) }
            let request = HTTPRequest(.post, address.url(["logout"]), fields: fields, allowsPrivate: true)
            _ = try? await transport.send(request)
        }
        do throws(CredentialFailure) {
            try await store.remove(account.id)
        } catch {
            throw ServerFailure(.storage, "\(account.name): \(error.message)")
        }
        (credentials, unkept, isLoaded) = (nil, nil, true)
        _ = refuse("nobody is logged in")
    }

    // MARK: Examination

    /// Returns the status of the server, which anybody may ask for.
    public func status() async throws(ServerFailure) -> ServerStatus {
        let sent = now()
        let answer: HTTPAnswer
        do throws(HTTPFailure) {
            answer = try await transport.send(HTTPRequest(.get, address.url(["status"]), allowsPrivate: true))
        } catch {
            throw ServerFailure(error, at: address)
        }
        note(answer, sent: sent)
        return try ServerStatus(answer, at: address)
    }

    /// Returns the user as whom requests are sent; a server that has refused the tokens is asked once more.
    public func user() async throws(ServerFailure) -> ServerUser {
        if credentials != nil { refusal = nil }
        let answer = try await send(ServerRequest(.get, ["api", "me"], mostBytes: LoginBody.mostBytes))
        guard answer.status == 200 else {
            throw ServerFailure.status(answer, at: address, doing: "to say who is logged in")
        }
        return try LoginBody.user(answer, at: address).serverUser
    }
}
