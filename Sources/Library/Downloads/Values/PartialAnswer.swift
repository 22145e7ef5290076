// SPDX-License-Identifier: Apache-2.0

import HTTPExchange

/// The request for the rest of a file, and what its answer means.
///
/// A strong tag, or a time, goes into `If-Range`, so that a file that changed comes as a whole. A weak one cannot stand
/// there: the answer's own tag is compared instead.
struct PartialAnswer: Sendable, Hashable {
    /// Returns a request with the fields that ask for what is missing.
    static func request(_ request: HTTPRequest, from bytes: Int64, tag: String?) -> HTTPRequest {
        var request = request
        // A length of another encoding would be none of the file.
        request.fields.append(HTTPField("Accept-Encoding", "identity"))
        guard bytes > 0, let tag else { return request }
        request.fields.append(HTTPField("Range", "bytes=\(bytes)-"))
        if !tag.hasPrefix("W/") { request.fields.append(HTTPField("If-Range", tag)) }
        return request
    }

    enum Meaning: Hashable {
        /// The bytes belong to the draft, which is so long now; the whole file has `total`.
        case taken(total: Int64?)
        /// The file at the server is another one by now: the draft is worth nothing.
        case changed
        /// Nothing is missing: the draft has as many bytes as the file.
        case nothingMissing
    }

    /// The version of the file, from the tag or the time.
    let tag: String?
    let meaning: Meaning

    init(_ answer: HTTPAnswer, asked bytes: Int64, tag known: String?) {
        let field = answer.value("ETag") ?? answer.value("Last-Modified")
        tag = field.flatMap { $0.isEmpty || $0.utf8.count > 512 ? nil : $0 }
        let isSame = known == nil || tag == nil || tag == known
        switch answer.status {
        case 206:
            let range = Self.range(answer.value("Content-Range"))
            meaning = isSame && range.first == bytes ? .taken(total: range.total) : .changed
        case 416:
            let total = Self.range(answer.value("Content-Range")).total
            meaning = isSame && total == bytes ? .nothingMissing : .changed
        default:
            meaning = .taken(total: answer.value("Content-Length").flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 })
        }
    }

    /// Returns first byte and total of a `Content-Range`: `bytes 10-19/100` or `bytes */100`.
    static func range(_ text: String?) -> (first: Int64?, total: Int64?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return (nil, nil) }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return (nil, nil) }
        let first = parts[0].split(separator: "-", omittingEmptySubsequences: false).first.flatMap { Int64($0) }
        return (first.flatMap { $0 < 0 ? nil : $0 }, Int64(parts[1]).flatMap { $0 < 0 ? nil : $0 })
    }
}
