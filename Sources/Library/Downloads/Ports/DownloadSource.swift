// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange

/// The knowledge of where items come from: one for each kind of server.
public protocol DownloadSource: Sendable {
    /// Returns the name of the server that has an item; `nil` if the item is not from this source.
    ///
    /// Nothing is asked of a server for that.
    func server(of item: String) async -> String?

    /// Returns the identity under which an item is played, without asking a server; `nil` if that is not known.
    func identity(of item: String) async -> String?

    /// Returns the files of an item, in the order in which they are played.
    ///
    /// It is the same function by which the item is played: what is downloaded first is heard first.
    func plan(_ item: String) async throws(DownloadFault) -> DownloadPlan

    /// Returns the request for a file, with the credentials that hold now.
    ///
    /// - Parameter refused: The request that the server has just refused: the credentials in it are renewed.
    func request(
        for file: DownloadPlan.File, of item: String, refused: HTTPRequest?
    ) async throws(DownloadFault) -> HTTPRequest
}

/// The files of an item, and what it is called.
public struct DownloadPlan: Sendable, Hashable {
    public struct File: Sendable, Hashable {
        /// The path at the source, which stays when the address changes.
        public var relPath: String
        /// The name of the file for ``DownloadSource/request(for:of:refused:)``.
        public var address: String
        /// The size in bytes, if the source states one.
        public var size: Int64?

        public init(relPath: String, address: String, size: Int64? = nil) {
            self.relPath = relPath
            self.address = address
            self.size = size.flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// The identity under which the item is played, downloaded or not.
    public var uri: String
    public var title: String
    public var author: String?
    public var series: String?
    public var publishedAt: Int64?
    public var cover: File?
    public var files: [File]

    public init(uri: String, title: String, author: String? = nil, files: [File]) {
        self.uri = uri
        self.title = title
        self.author = author
        self.files = files
    }
}
