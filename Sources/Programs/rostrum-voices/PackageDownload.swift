// SPDX-License-Identifier: Apache-2.0

import CCurl
import CLibArchive
import CNettle
import Glibc
import SessionProtocol

/// The download of a package into a folder: fetched, verified, and unpacked.
struct PackageDownload {
    let package: PublishedPackage
    /// The folder of the package and its files, which exists.
    let folder: String
    /// The name of what is fetched, for the listener.
    let title: String

    private var path: String { folder + "/package" }
    /// More than any file of a package of ours.
    private static let largestFile: Int64 = 512 << 20

    /// Fetches the package, verifies it, and unpacks its files into the folder.
    func run() throws(VoiceFailure) {
        try fetch()
        guard try digest() == package.sha256 else {
            throw .data("\(title): what the server sent is not what it was; nothing is installed. Try again later")
        }
        try unpack()
        unlink(path)
    }

    // MARK: Fetching

    private func fetch() throws(VoiceFailure) {
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .disk("\(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let progress = DownloadProgress(title, size: package.size)
        var result = CCurlResult()
        package.address.withCString { address in
            "Rostrum/\(RostrumVersion.current)".withCString { agent in
                "*/*".withCString { accept in
                    var request = CCurlRequest()
                    request.url = address
                    request.agent = agent
                    request.accept = accept
                    request.connect_timeout_ms = 20_000
                    request.total_timeout_ms = 3_600_000
                    (request.slowest, request.slowest_seconds) = (200, 30)
                    request.most_bytes = package.size
                    request.most_redirects = 5
                    // A machine may reach the web through a name server and a mirror of its own; what comes is verified.
                    request.allows_private = 1
                    request.accepts = { _ in 1 }
                    request.output = file
                    request.progress_data = Unmanaged.passUnretained(progress).toOpaque()
                    request.progress = { bytes, data in
                        guard let data else { return }
                        Unmanaged<DownloadProgress>.fromOpaque(data).takeUnretainedValue().take(bytes)
                    }
                    ccurl_fetch(&request, &result)
                }
            }
        }
        progress.end()
        defer { ccurl_free(&result) }
        guard result.outcome == CCURL_OK else {
            let said = result.message.map { String(cString: $0) } ?? ""
            let reason = result.outcome == CCURL_STATUS ? "the server answers \(result.status)" : said
            throw .unavailable(
                "\(title) cannot be fetched from \(host): \(reason.isEmpty ? "error \(result.outcome.rawValue)" : reason)"
            )
        }
    }

    private var host: String { package.address.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    // MARK: Verifying

    private func digest() throws(VoiceFailure) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .disk("\(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .disk("\(path): \(String(cString: strerror(errno)))") }
            if count == 0 { break }
            nettle_sha256_update(&context, count, buffer)
        }
        var digest = [UInt8](repeating: 0, count: 32)
        nettle_sha256_digest(&context, digest.count, &digest)
        let digits = Array("0123456789abcdef")
        return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    // MARK: Unpacking

    private func unpack() throws(VoiceFailure) {
        guard let archive = archive_read_new() else { throw .disk("\(title): no memory") }
        defer { archive_read_free(archive) }
        archive_read_support_format_zip(archive)
        guard archive_read_open_filename(archive, path, 1 << 16) == ARCHIVE_OK else {
            throw .data("\(title): the package is damaged")
        }
        var left = package.files
        var entry: OpaquePointer?
        while !left.isEmpty, archive_read_next_header(archive, &entry) == ARCHIVE_OK {
            guard let name = archive_entry_pathname_utf8(entry).map({ String(cString: $0) }),
                let index = left.firstIndex(where: { $0.member == name })
            else { continue }
            try write(archive, to: "\(folder)/\(left.remove(at: index).name)")
        }
        guard left.isEmpty else { throw .data("\(title): the package lacks \(left[0].member)") }
    }

    private func write(_ archive: OpaquePointer, to path: String) throws(VoiceFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { throw .disk("\(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var total: Int64 = 0
        while true {
            let count = archive_read_data(archive, &buffer, buffer.count)
            guard count >= 0 else { throw .data("\(title): the package is damaged") }
            if count == 0 { break }
            total += Int64(count)
            guard total <= Self.largestFile else { throw .data("\(title): a file of the package is too large") }
            var done = 0
            while done < count {
                let written = buffer[done..<count].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw .disk("\(path): \(String(cString: strerror(errno)))") }
                done += written
            }
        }
        guard fsync(file) == 0 else { throw .disk("\(path): \(String(cString: strerror(errno)))") }
    }
}
