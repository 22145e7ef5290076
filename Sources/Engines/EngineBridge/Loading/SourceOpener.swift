// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import EngineABI
import EngineTransport
import Glibc
import MediaPlayback
import PlaybackCore

/// A namespace for opening the sources that an engine requests, read-only and never a device.
///
/// Opening may wait for a file system, so do not call it on a thread that others need.
enum SourceOpener {
    struct Opened: Sendable {
        var source: HostMessage.Source
        var descriptor: OwnedDescriptor?
        /// The index that was kept of the same content.
        var index: OwnedDescriptor?
        var indexKey: TrackIndexKey?
        /// The reason why there is no source.
        var failure: EngineError?
    }

    /// Opens a source, together with the index that is kept of its content.
    static func open(
        _ source: TrackSource, for engine: EngineID, _ indexes: (any TrackIndexStore)?, _ trust: () -> WebTrust
    ) -> Opened {
        if case .url(let url, let headers) = source { return web(url, headers, trust()) }
        var opened = open(source)
        guard let indexes, let descriptor = opened.descriptor,
            let key = indexes.key(of: descriptor.rawValue, engine: engine)
        else { return opened }
        opened.indexKey = key
        if let kept = indexes.open(key) {
            let own = fcntl(kept.rawValue, F_DUPFD_CLOEXEC, 3)
            if own >= 0 { opened.index = OwnedDescriptor(owning: own) }
        }
        return opened
    }

    /// Opens what a server said of a track.
    static func open(_ answer: Result<TrackAddress, ItemError>, _ trust: () -> WebTrust) -> Opened {
        switch answer {
        case .success(let address): return web(address.url, address.headers, trust())
        case .failure(let error):
            let (code, kind): (Int32, EngineError.Kind) =
                switch error.reason {
                case .missing: (ROSTRUM_ERROR_NOT_FOUND, .noInput)
                case .notAFile, .empty, .unsupported: (ROSTRUM_ERROR_PERMISSION, .refused)
                case .unreadable, .timedOut: (ROSTRUM_ERROR_NETWORK, .io)
                }
            return Opened(
                source: .failed(code: code), failure: EngineError(kind, message: error.message, number: code))
        }
    }

    private static func open(_ source: TrackSource) -> Opened {
        switch source {
        case .url(let url, let headers): return web(url, headers, WebTrust())
        case .served: return failed(ROSTRUM_ERROR_ARGUMENT, "the server was not asked for the track")
        case .file(let path):
            return file(path)
        case .descriptor(let shared, let name):
            return duplicate(shared, name)
        }
    }

    private static func web(_ url: String, _ headers: [String], _ trust: WebTrust) -> Opened {
        let lines = headers.map { $0 + "\r\n" }.joined()
        guard url.utf8.count <= Limits.url, lines.utf8.count <= Limits.url else {
            let limit = "more than \(Limits.url) bytes"
            let message =
                url.utf8.count > Limits.url
                ? "an address of \(limit); give a shorter one" : "headers of \(limit); give fewer or shorter ones"
            var opened = failed(ROSTRUM_ERROR_ARGUMENT, message)
            // To the engine it is an argument, to the listener their own command.
            opened.failure = EngineError(number: EngineNumber.usage, message: message)
            return opened
        }
        let fingerprints = trust.fingerprints.prefix(WebTrust.limit).map { $0 + "\n" }.joined()
        var opened = Opened(
            source: .url(
                url, headers: lines.isEmpty ? nil : lines, name: name(of: url),
                fingerprints: fingerprints.isEmpty ? nil : fingerprints))
        guard let path = trust.certificates, url.prefix(6).lowercased() == "https:" else { return opened }
        let certificates = file(path)
        guard let descriptor = certificates.descriptor else {
            // Never continue without the certificates, as if the user had not asked for them.
            let reason = certificates.failure?.message ?? path
            return failed(ROSTRUM_ERROR_PERMISSION, "trustedCertificates of settings.json: \(reason)")
        }
        opened.descriptor = descriptor
        return opened
    }

    private static func file(_ path: String) -> Opened {
        var status = stat()
        let raw = gnu_open_file(path, O_NONBLOCK, &status)
        guard raw != -2 else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            return failed(
                ROSTRUM_ERROR_FORMAT, "\(path) is \(isFolder ? "a folder, not a file to play" : "not a regular file")")
        }
        guard raw >= 0 else { return failed(errno, path) }
        let descriptor = OwnedDescriptor(owning: raw)
        _ = fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) & ~O_NONBLOCK)
        return Opened(source: .descriptor(name: name(of: path)), descriptor: descriptor)
    }

    /// Returns an independent descriptor for a regular file, so that engines do not share an offset, or a duplicate of
    /// a pipe.
    private static func duplicate(_ shared: SharedDescriptor, _ name: String) -> Opened {
        var status = stat()
        guard fstat(shared.rawValue, &status) == 0 else { return failed(errno, name) }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        guard isRegular || [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
            return failed(ROSTRUM_ERROR_FORMAT, "\(name) is not a file or a pipe")
        }
        var raw: Int32 = -1
        if isRegular {
            raw = Glibc.open("/proc/self/fd/\(shared.rawValue)", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        }
        if raw < 0 {
            guard fcntl(shared.rawValue, F_GETFL) & O_ACCMODE == O_RDONLY || !isRegular else {
                return failed(ROSTRUM_ERROR_PERMISSION, "\(name) was handed over for writing")
            }
            raw = fcntl(shared.rawValue, F_DUPFD_CLOEXEC, 3)
            if raw >= 0, isRegular { lseek(raw, 0, SEEK_SET) }
        }
        guard raw >= 0 else { return failed(errno, name) }
        return Opened(source: .descriptor(name: self.name(of: name)), descriptor: OwnedDescriptor(owning: raw))
    }

    /// Returns the last component of a path or URL, without a query.
    private static func name(of path: String) -> String {
        let whole = path.contains("://") ? path.prefix { $0 != "?" && $0 != "#" } : path[...]
        return String(whole.split(separator: "/").last ?? "")
    }

    /// Returns the failure of a script that will not say more.
    static func failed(_ error: ItemError) -> Opened {
        let code = ROSTRUM_ERROR_CORRUPT
        return Opened(source: .failed(code: code), failure: EngineError(number: code, message: error.message))
    }

    private static func failed(_ code: Int32, _ message: String) -> Opened {
        let text = code > 0 ? "cannot open \(message): \(String(cString: strerror(code)))" : message
        let own =
            switch code {
            case ..<0: code
            case ENOENT, ENOTDIR, ENAMETOOLONG: ROSTRUM_ERROR_NOT_FOUND
            case EACCES, EPERM: ROSTRUM_ERROR_PERMISSION
            default: ROSTRUM_ERROR_IO
            }
        return Opened(source: .failed(code: own), failure: EngineError(number: own, message: text))
    }
}
