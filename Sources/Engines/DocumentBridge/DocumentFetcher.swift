// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import CGNUSource
import CTransport
import DocumentOrders
import EngineTransport
import Glibc
public import MediaPlayback

/// A document of the web that is here in whole.
public struct FetchedDocument: Sendable, Hashable {
    /// A file without a name, or in memory.
    public var file: SharedDescriptor
    /// The type in lower case and without parameters; `nil` if the server states none.
    public var contentType: String?
    /// The encoding that the server states.
    public var charset: String?
    /// The address after all redirects, without user and password.
    public var address: String

    public init(file: SharedDescriptor, contentType: String? = nil, charset: String? = nil, address: String) {
        self.file = file
        self.contentType = contentType
        self.charset = charset
        self.address = address
    }
}

/// Fetches documents of the web in a confined process of its own, which is gone when one is fetched.
public struct DocumentFetcher: Sendable {
    private let program: String
    private let folder: String
    private let trust: @Sendable () -> WebTrust
    private let deadline: Duration
    private let mostBytes: Int64
    /// The proxies, as lines of the environment.
    var proxies: [String]

    private static let job = DocumentProcess.Job(
        work: "fetching the document", worker: "the fetcher of documents",
        end: "the document could not be fetched: its fetcher ended before it was done; save it to a file first")
    /// The time beyond the deadline that the process has to say that it is over.
    private static let grace: Duration = .seconds(2)

    /// - Parameters:
    ///   - program: The path of `rostrum-document-fetcher`.
    ///   - folder: The folder of the nameless files, which exists. A caller that links a file to a name names its own.
    ///   - trust: Returns the certificates that are trusted beside the system's.
    ///   - deadline: How long a document may take, with all redirects.
    ///   - mostBytes: The largest document, decompressed.
    public init(
        program: String, folder: String = "/var/tmp", trust: @escaping @Sendable () -> WebTrust,
        deadline: Duration = .seconds(90), mostBytes: Int64 = 256 << 20
    ) {
        self.program = program
        self.folder = folder
        self.trust = trust
        self.deadline = deadline
        self.mostBytes = mostBytes
        // HTTP_PROXY in capitals is left out, as libcurl does.
        proxies = DocumentProcess.lines([
            "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ])
    }

    /// Fetches a document; a task that is cancelled gives it up.
    ///
    /// - Parameters:
    ///   - url: An http or https address, which may carry a user and a password.
    ///   - headers: Lines `NAME:VALUE`, which only the server of this address gets.
    ///   - allowsPrivate: Whether an address of this machine or of its networks may be asked.
    /// - Throws: An error with one line that names the address without user, password and query.
    public func fetch(
        _ url: String, headers: [String] = [], allowsPrivate: Bool = false
    ) async throws(ItemError) -> FetchedDocument {
        let name = Self.shown(url)
        let end = ProcessEnd()
        // A thread of its own: the process that fetches ends with the thread that started it.
        let queue = BlockingQueue(label: "rostrum.fetch")
        let outcome = await withTaskCancellationHandler {
            await queue.run(within: deadline + Self.grace) { [self] in
                Result { () throws(ItemError) in
                    try fetch(url, headers, allowsPrivate: allowsPrivate, name, end)
                }
            }
        } onCancel: {
            end.request()
        }
        guard let outcome else {
            end.request()
            throw ItemError(
                .timedOut, "\(name): fetching took longer than \(deadline.components.seconds) s; try again later")
        }
        return try outcome.get()
    }

    private func fetch(
        _ url: String, _ headers: [String], allowsPrivate: Bool, _ name: String, _ end: ProcessEnd
    ) throws(ItemError) -> FetchedDocument {
        guard url.utf8.count <= Limits.url else {
            throw ItemError(.unsupported, "\(name): an address of more than \(Limits.url) bytes; give a shorter one")
        }
        guard headers.reduce(0, { $0 + $1.utf8.count + 8 }) <= Limits.url else {
            throw ItemError(
                .unsupported, "\(name): headers of more than \(Limits.url) bytes; give fewer or shorter ones")
        }
        let trust = trust()
        let certificates = try certificates(trust, for: url, name)
        let file = try draft(name)
        let (seconds, attoseconds) = deadline.components
        let order = FetchOrder(
            url: url, headers: headers, allowsPrivate: allowsPrivate,
            fingerprints: Array(trust.fingerprints.prefix(WebTrust.limit)), mostBytes: mostBytes,
            milliseconds: max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
        let process = DocumentProcess(program, name: name, job: Self.job, variables: proxies, end: end)
        let answer = try process.exchange(order.encoded, [file] + [certificates].compactMap(\.self))
        switch FetchReply(decoding: answer) {
        case .fetched(let contentType, let charset, let address, let bytes):
            // Only what is in the file counts.
            guard lseek(file.rawValue, 0, SEEK_END) == bytes, lseek(file.rawValue, 0, SEEK_SET) == 0 else {
                throw process.hasEnded
            }
            return FetchedDocument(file: file, contentType: contentType, charset: charset, address: address)
        case .failed(let kind, let message): throw ItemError(Self.reason(kind), "\(name): \(message)")
        case nil: throw process.hasEnded
        }
    }

    private func certificates(
        _ trust: WebTrust, for url: String, _ name: String
    ) throws(ItemError) -> SharedDescriptor? {
        guard let path = trust.certificates else { return nil }
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if raw >= 0 { return SharedDescriptor(owning: raw) }
        let reason = String(cString: strerror(errno))
        // Plain http needs none, and a redirect to https is then refused for its certificate.
        guard url.prefix(6).lowercased() == "https:" else { return nil }
        throw ItemError(.unreadable, "\(name): trustedCertificates of settings.json: \(path): \(reason)")
    }

    private func draft(_ name: String) throws(ItemError) -> SharedDescriptor {
        var raw = gnu_open_nameless(folder, 0o600)
        // A disk that is read-only keeps nothing; memory does.
        if raw < 0 { raw = ctransport_memory_descriptor("rostrum-document") }
        guard raw >= 0 else {
            throw ItemError(.unreadable, "\(name): no room for the document: \(String(cString: strerror(errno)))")
        }
        return SharedDescriptor(owning: raw)
    }

    /// Returns an address as messages show it: without user, password, query and fragment.
    private static func shown(_ url: String) -> String {
        let address = WebIdentity.shown(url)
        guard let mark = address.firstRange(of: "://") else { return address }
        let rest = address[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        // What is no host with a port may be a part of a password.
        let port = host.drop { $0 != "]" && host.first == "[" }.drop { $0 != ":" }.dropFirst()
        let isReadable = port.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return String(address[..<mark.upperBound] + (isReadable ? host + rest[authority.endIndex...] : "…"))
    }

    private static func reason(_ kind: FetchReply.Kind) -> ItemError.Reason {
        switch kind {
        case .missing: .missing
        case .timedOut: .timedOut
        case .privateAddress, .tooLarge, .type: .unsupported
        case .refused, .network, .certificate, .status: .unreadable
        }
    }
}
