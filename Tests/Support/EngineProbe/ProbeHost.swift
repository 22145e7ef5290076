// SPDX-License-Identifier: Apache-2.0

import EngineABI
import Glibc
import Synchronization

/// The source of a probe's track.
package enum ProbeSource: Sendable {
    case file(String)
    /// The file's bytes through a pipe, which is not seekable.
    case pipe(String)
    /// The bytes as a file.
    case bytes([UInt8], name: String)
    case url(String, headers: String? = nil)
    /// The addresses that the session gives one after the other, each time that it is asked; the last one for ever.
    case renewed([(url: String, headers: String?)])
    /// The session has no source for the track.
    case missing

    package static func text(_ text: String) -> ProbeSource { .bytes(Array(text.utf8), name: "text.txt") }
}

package struct ProbeMark: Equatable, Sendable {
    package var kind: UInt32
    package var position: Int64
    package var length: Int64
}

package struct ProbeLogLine: Sendable {
    package var level: UInt32
    package var message: String
}

/// The host's side of the contract, with everything that the engine reported to it.
final class ProbeHost: Sendable {
    struct Said {
        var opened: [UInt32] = []
        var marks: [ProbeMark] = []
        var log: [ProbeLogLine] = []
        /// The addresses of the strings of the source that was handed over last.
        var strings: [UInt] = []
    }
    let sources: [ProbeSource]
    let state = Mutex(Said())
    let interrupted = Atomic<Bool>(false)
    /// The number of times that the engine may look whether it is interrupted before it is; negative for ever.
    let looksLeft = Atomic<Int>(-1)
    /// The kept indexes of tracks that the engine may read.
    private let indexes: [UInt32: UnsafeBufferPointerBox]
    private let indexTable: UnsafePointerBox
    private let trust: ProbeTrust
    private let script: ProbeScript?

    init(
        sources: [ProbeSource], indexes: [UInt32: [UInt8]] = [:], trust: ProbeTrust = ProbeTrust(),
        script: [ProbeUtterance]? = nil
    ) {
        self.sources = sources
        self.trust = trust
        self.script = script.map { utterances in
            ProbeScript(utterances) { data, position, utterance in
                guard let script = ProbeHost.from(data)?.script, let utterance else { return ROSTRUM_ERROR_ARGUMENT }
                return script.fill(&utterance.pointee, at: position)
            }
        }
        self.indexes = indexes.mapValues { UnsafeBufferPointerBox($0) }
        indexTable = UnsafePointerBox(
            rostrum_index_host(
                size: UInt32(MemoryLayout<rostrum_index_host>.size), reserved: 0,
                index: { data, track, bytes, length in
                    guard let kept = ProbeHost.from(data)?.indexes[track], let bytes, let length else {
                        return ROSTRUM_ERROR_NOT_FOUND
                    }
                    bytes.pointee = UnsafePointer(kept.buffer.baseAddress)
                    length.pointee = UInt64(kept.buffer.count)
                    return ROSTRUM_OK
                }))
    }

    deinit {
        releaseStrings()
    }

    /// Bytes at a fixed address.
    private final class UnsafeBufferPointerBox: @unchecked Sendable /* never written again */ {
        let buffer: UnsafeMutableBufferPointer<UInt8>

        init(_ bytes: [UInt8]) {
            buffer = .allocate(capacity: bytes.count)
            _ = buffer.initialize(from: bytes)
        }

        deinit { buffer.deallocate() }
    }

    /// A struct at a fixed address.
    private final class UnsafePointerBox: @unchecked Sendable /* never written again */ {
        let pointer = UnsafeMutablePointer<rostrum_index_host>.allocate(capacity: 1)

        init(_ table: rostrum_index_host) { pointer.initialize(to: table) }

        deinit { pointer.deallocate() }
    }

    private func releaseStrings() {
        let strings = state.withLock { said in
            defer { said.strings = [] }
            return said.strings
        }
        for string in strings { free(UnsafeMutableRawPointer(bitPattern: string)) }
    }

    /// Returns a copy of a string that lives until the next source is handed over.
    private func lasting(_ string: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(string) else { return nil }
        let address = UInt(bitPattern: copy)
        state.withLock { $0.strings.append(address) }
        return UnsafePointer(copy)
    }

    fileprivate func fill(_ trust: inout rostrum_trust) {
        trust.certificates = self.trust.certificates.flatMap { lasting($0) }
        trust.fingerprints = self.trust.fingerprints.flatMap { lasting($0) }
    }

    fileprivate static func from(_ data: UnsafeMutableRawPointer?) -> ProbeHost? {
        data.map { Unmanaged<ProbeHost>.fromOpaque($0).takeUnretainedValue() }
    }

    private func isInterruptedNow() -> Bool {
        if looksLeft.load(ordering: .relaxed) > 0 {
            let left = looksLeft.subtract(1, ordering: .relaxed).newValue
            if left == 0 { interrupted.store(true, ordering: .relaxed) }
        }
        return interrupted.load(ordering: .relaxed)
    }

    /// Returns the struct to hand over; it does not retain the host.
    func contract() -> rostrum_host {
        var host = rostrum_host()
        host.size = UInt32(MemoryLayout<rostrum_host>.size)
        host.abi_minor = UInt32(ROSTRUM_ABI_MINOR)
        host.host_data = Unmanaged.passUnretained(self).toOpaque()
        host.open_source = { data, track, source in
            guard let host = ProbeHost.from(data), let source else { return ROSTRUM_ERROR_ARGUMENT }
            return host.open(track, &source.pointee)
        }
        host.mark = { data, kind, position, length in
            ProbeHost.from(data)?.state.withLock {
                $0.marks.append(ProbeMark(kind: kind, position: position, length: length))
            }
        }
        host.log = { data, level, message in
            let line = message.map { String(cString: $0) } ?? ""
            ProbeHost.from(data)?.state.withLock { $0.log.append(ProbeLogLine(level: level, message: line)) }
        }
        host.interrupted = { data in
            ProbeHost.from(data)?.isInterruptedNow() == true ? 1 : 0
        }
        host.get_extension = { data, id in
            guard let host = ProbeHost.from(data), let id else { return nil }
            switch String(cString: id) {
            case ROSTRUM_INDEX_EXTENSION: return UnsafeRawPointer(host.indexTable.pointer)
            case ROSTRUM_TRUST_EXTENSION: return UnsafeRawPointer(host.trust.table)
            case ROSTRUM_SCRIPT_EXTENSION: return host.script.map { UnsafeRawPointer($0.table) }
            default: return nil
            }
        }
        return host
    }

    private func open(_ track: UInt32, _ source: inout rostrum_source) -> rostrum_result {
        if interrupted.load(ordering: .relaxed) { return ROSTRUM_ERROR_INTERRUPTED }
        guard Int(track) < sources.count else { return ROSTRUM_ERROR_NOT_FOUND }
        state.withLock { $0.opened.append(track) }
        releaseStrings()
        func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
        switch sources[Int(track)] {
        case .missing:
            return ROSTRUM_ERROR_NOT_FOUND
        case .file(let path):
            source.descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            source.name = lasting(name(path))
            if source.descriptor < 0 {
                return errno == EACCES ? ROSTRUM_ERROR_PERMISSION : ROSTRUM_ERROR_NOT_FOUND
            }
        case .pipe(let path):
            source.descriptor = Self.pipe(path)
            source.name = lasting(name(path))
            if source.descriptor < 0 { return ROSTRUM_ERROR_NOT_FOUND }
        case .bytes(let bytes, let name):
            source.descriptor = Self.memory(bytes)
            source.name = lasting(name)
            if source.descriptor < 0 { return ROSTRUM_ERROR_IO }
        case .url(let url, let headers):
            source.descriptor = -1
            source.url = lasting(url)
            source.headers = headers.flatMap { lasting($0) }
            source.name = lasting("")
        case .renewed(let addresses):
            let asked = state.withLock { $0.opened.count { $0 == track } }
            guard !addresses.isEmpty else { return ROSTRUM_ERROR_NOT_FOUND }
            let address = addresses[min(asked, addresses.count) - 1]
            source.descriptor = -1
            source.url = lasting(address.url)
            source.headers = address.headers.flatMap { lasting($0) }
            source.name = lasting("")
        }
        return ROSTRUM_OK
    }

    /// Returns a nameless file with these bytes.
    private static func memory(_ bytes: [UInt8]) -> Int32 {
        var path = Array("/tmp/engine-probe-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return -1 }
        unlink(path)
        var written = 0
        bytes.withUnsafeBytes { buffer in
            while written < buffer.count {
                let count = write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                guard count > 0 else { return }
                written += count
            }
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    /// Starts a child that writes the file into a pipe; it ends when the reader closes its end.
    private static func pipe(_ path: String) -> Int32 {
        let quoted = path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        guard let stream = popen("exec cat -- '\(quoted)' 2>/dev/null", "r") else { return -1 }
        let descriptor = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0)
        // pclose would wait for the child, which writes until the engine has read everything.
        close(fileno(stream))
        return descriptor
    }
}

/// The certificates that are trusted in addition to the system's.
package final class ProbeTrust: @unchecked Sendable /* never written again */ {
    let certificates: String?
    let fingerprints: String?
    fileprivate let table = UnsafeMutablePointer<rostrum_trust_host>.allocate(capacity: 1)

    package init(certificates: String? = nil, fingerprints: [String] = []) {
        self.certificates = certificates
        self.fingerprints = fingerprints.isEmpty ? nil : fingerprints.map { $0 + "\n" }.joined()
        table.initialize(
            to: rostrum_trust_host(
                size: UInt32(MemoryLayout<rostrum_trust_host>.size), reserved: 0,
                trust: { data, _, trust in
                    guard let host = ProbeHost.from(data), let trust else { return ROSTRUM_ERROR_ARGUMENT }
                    host.fill(&trust.pointee)
                    return ROSTRUM_OK
                }))
    }

    deinit { table.deallocate() }
}
