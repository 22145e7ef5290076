// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport
import Glibc

/// The services that an engine may call: the `rostrum_host` of the contract.
///
/// They are created on the engine's thread and are valid until `retire`, which follows the destruction of the engine.
final class HostServices: @unchecked Sendable /* but for `log` and `interrupted`, used on `thread` only, as checked */ {
    private let inbox: HostInbox
    private let socket: MessageSocket
    private let thread = pthread_self()
    private let host = UnsafeMutablePointer<rostrum_host>.allocate(capacity: 1)
    private let indexHost = UnsafeMutablePointer<rostrum_index_host>.allocate(capacity: 1)
    private let trustHost = UnsafeMutablePointer<rostrum_trust_host>.allocate(capacity: 1)
    private let scriptHost = UnsafeMutablePointer<rostrum_script_host>.allocate(capacity: 1)
    private let script = ScriptHost()

    private var nextSource: UInt32 = 0
    private var strings: [UnsafeMutablePointer<CChar>] = []
    /// The index that was kept for the source that was opened last, and the track of that source.
    private var index: (track: UInt32, descriptor: OwnedDescriptor)?
    private var indexBytes: UnsafeMutableBufferPointer<UInt8>?
    /// The trusted certificates for the address that was handed over last.
    private var trust: (track: UInt32, fingerprints: String?, certificates: OwnedDescriptor?)?
    private var marks: [WireMark] = []
    /// The request whose content is loaded, which is sent with requests for sources.
    var load: UInt32 = 0
    /// The generation that is being rendered, for marks; `nil` outside of `render`.
    var rendering: UInt32?

    init(inbox: HostInbox, socket: MessageSocket) {
        self.inbox = inbox
        self.socket = socket
        host.initialize(to: rostrum_host())
        host.pointee.size = UInt32(MemoryLayout<rostrum_host>.size)
        host.pointee.abi_minor = UInt32(ROSTRUM_ABI_MINOR)
        host.pointee.open_source = { data, track, source in
            guard let services = HostServices.at(data), let source else { return ROSTRUM_ERROR_ARGUMENT }
            return services.openSource(track, source)
        }
        host.pointee.mark = { data, kind, position, length in
            HostServices.at(data)?.mark(kind, position, length)
        }
        host.pointee.log = { data, level, message in
            guard let message else { return }
            HostServices.at(data)?.log(level, EngineString.read(message))
        }
        host.pointee.interrupted = { data in HostServices.at(data)?.inbox.isInterrupted == true ? 1 : 0 }
        indexHost.initialize(to: rostrum_index_host())
        indexHost.pointee.size = UInt32(MemoryLayout<rostrum_index_host>.size)
        indexHost.pointee.index = { data, track, bytes, length in
            guard let services = HostServices.at(data), let bytes, let length else { return ROSTRUM_ERROR_ARGUMENT }
            return services.readIndex(track, bytes, length)
        }
        trustHost.initialize(to: rostrum_trust_host())
        trustHost.pointee.size = UInt32(MemoryLayout<rostrum_trust_host>.size)
        trustHost.pointee.trust = { data, track, trust in
            guard let services = HostServices.at(data), let trust else { return ROSTRUM_ERROR_ARGUMENT }
            return services.readTrust(track, trust)
        }
        scriptHost.initialize(to: rostrum_script_host())
        scriptHost.pointee.size = UInt32(MemoryLayout<rostrum_script_host>.size)
        scriptHost.pointee.utterance = { data, position, utterance in
            guard let services = HostServices.at(data), let utterance else { return ROSTRUM_ERROR_ARGUMENT }
            return services.readUtterance(position, utterance)
        }
        host.pointee.get_extension = { data, id in
            guard let services = HostServices.at(data), let id else { return nil }
            if strcmp(id, ROSTRUM_INDEX_EXTENSION) == 0 { return UnsafeRawPointer(services.indexHost) }
            if strcmp(id, ROSTRUM_TRUST_EXTENSION) == 0 { return UnsafeRawPointer(services.trustHost) }
            if strcmp(id, ROSTRUM_SCRIPT_EXTENSION) == 0 { return UnsafeRawPointer(services.scriptHost) }
            return nil
        }
    }

    /// Returns the table for `create`, which is valid until `retire`.
    func table() -> UnsafePointer<rostrum_host> {
        host.pointee.host_data = Unmanaged.passRetained(self).toOpaque()
        return UnsafePointer(host)
    }

    func retire() {
        guard let data = host.pointee.host_data else { return }
        host.pointee.host_data = nil
        Unmanaged<HostServices>.fromOpaque(data).release()
    }

    deinit {
        for string in strings { free(string) }
        indexBytes?.deallocate()
        indexHost.deallocate()
        trustHost.deallocate()
        scriptHost.deallocate()
        host.deallocate()
    }

    private static func at(_ data: UnsafeMutableRawPointer?) -> HostServices? {
        data.map { Unmanaged<HostServices>.fromOpaque($0).takeUnretainedValue() }
    }

    private var isOnEngineThread: Bool { pthread_equal(pthread_self(), thread) != 0 }

    func log(_ level: UInt32, _ message: String) {
        let line = String(message.prefix(1000).map { $0.isNewline ? " " : $0 })
        _ = socket.send(EngineMessage.log(level: level, line).encoded(), waiting: true)
    }

    private func openSource(_ track: UInt32, _ result: UnsafeMutablePointer<rostrum_source>) -> rostrum_result {
        guard isOnEngineThread else {
            log(ROSTRUM_LOG_ERROR, "open_source was called on a thread that is not the engine's")
            return ROSTRUM_ERROR_STATE
        }
        guard let (source, descriptors) = ask({ .needSource(request: $0, load: load, track: track) }) else {
            return ROSTRUM_ERROR_INTERRUPTED
        }
        index = descriptors.count > 1 ? (track, descriptors[1]) : nil
        trust = nil
        var filled = rostrum_source()
        filled.size = result.pointee.size
        filled.descriptor = -1
        for string in strings { free(string) }
        strings = []
        switch source {
        case .failed(let code): return code < 0 ? code : ROSTRUM_ERROR_NOT_FOUND
        case .descriptor(let name):
            guard let descriptor = descriptors.first else { return ROSTRUM_ERROR_IO }
            // The engine owns this duplicate from now on.
            let own = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 3)
            guard own >= 0 else { return ROSTRUM_ERROR_IO }
            filled.descriptor = own
            filled.name = lasting(name)
        case .url(let url, let headers, let name, let fingerprints):
            trust = (track, fingerprints, descriptors.first)
            filled.url = lasting(url)
            filled.headers = headers.flatMap(lasting)
            filled.name = lasting(name)
        }
        let size = min(Int(filled.size), MemoryLayout<rostrum_source>.size)
        withUnsafeBytes(of: &filled) {
            UnsafeMutableRawPointer(result).copyMemory(from: $0.baseAddress ?? .init(result), byteCount: size)
        }
        return ROSTRUM_OK
    }

    /// Asks the session for a source, and waits for it; `nil` if the wait was interrupted.
    private func ask(_ question: (UInt32) -> EngineMessage) -> (HostMessage.Source, [OwnedDescriptor])? {
        nextSource &+= 1
        guard inbox.expectSource(nextSource) else { return nil }
        guard socket.send(question(nextSource).encoded(), waiting: true) == .sent else { return nil }
        return inbox.awaitSource()
    }

    private func readUtterance(
        _ position: Int64, _ result: UnsafeMutablePointer<rostrum_utterance>
    ) -> rostrum_result {
        guard isOnEngineThread else { return ROSTRUM_ERROR_STATE }
        return script.utterance(
            at: position, of: load, result,
            open: { place in
                let question = { EngineMessage.needScript(request: $0, load: self.load, position: place) }
                guard let (source, descriptors) = ask(question) else { return .interrupted }
                if let descriptor = descriptors.first { return .script(descriptor) }
                if case .failed(let code) = source { return .failed(code) }
                return .failed(ROSTRUM_ERROR_IO)
            },
            log: { log(ROSTRUM_LOG_WARNING, $0) })
    }

    /// Reads the whole index, from the current offset of the descriptor.
    private func readIndex(
        _ track: UInt32, _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>, _ length: UnsafeMutablePointer<UInt64>
    ) -> rostrum_result {
        guard isOnEngineThread else { return ROSTRUM_ERROR_STATE }
        guard let index, index.track == track else { return ROSTRUM_ERROR_NOT_FOUND }
        indexBytes?.deallocate()
        indexBytes = nil
        guard let buffer = Self.rest(of: index.descriptor, limit: Limits.index) else { return ROSTRUM_ERROR_NOT_FOUND }
        indexBytes = buffer
        bytes.pointee = UnsafePointer(buffer.baseAddress)
        length.pointee = UInt64(buffer.count)
        return ROSTRUM_OK
    }

    /// Returns the rest of a file from the descriptor's current offset, or `nil` if it is empty or larger than the
    /// limit.
    private static func rest(of file: OwnedDescriptor, limit: Int) -> UnsafeMutableBufferPointer<UInt8>? {
        let descriptor = file.rawValue
        let start = lseek(descriptor, 0, SEEK_CUR)
        var status = stat()
        guard start >= 0, fstat(descriptor, &status) == 0 else { return nil }
        let size = Int(status.st_size) - start
        guard (1...limit).contains(size) else { return nil }
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: size)
        buffer.initialize(repeating: 0)
        var filled = 0
        while filled < size {
            let count = pread(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled, start + filled)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                buffer.deallocate()
                return nil
            }
            filled += count
        }
        return buffer
    }

    private func readTrust(_ track: UInt32, _ result: UnsafeMutablePointer<rostrum_trust>) -> rostrum_result {
        guard isOnEngineThread else { return ROSTRUM_ERROR_STATE }
        guard let trust, trust.track == track else { return ROSTRUM_ERROR_NOT_FOUND }
        var filled = rostrum_trust()
        filled.size = result.pointee.size
        filled.fingerprints = trust.fingerprints.flatMap(lasting)
        if let certificates = trust.certificates {
            guard let bytes = Self.rest(of: certificates, limit: Limits.certificates) else {
                return ROSTRUM_ERROR_PERMISSION
            }
            filled.certificates = lasting(String(decoding: bytes, as: UTF8.self))
            bytes.deallocate()
            guard filled.certificates != nil else { return ROSTRUM_ERROR_MEMORY }
        }
        let size = min(Int(filled.size), MemoryLayout<rostrum_trust>.size)
        withUnsafeBytes(of: &filled) {
            UnsafeMutableRawPointer(result).copyMemory(from: $0.baseAddress ?? .init(result), byteCount: size)
        }
        return ROSTRUM_OK
    }

    /// Returns a copy of a string that stays valid until the next source is opened.
    private func lasting(_ string: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(string) else { return nil }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    private func mark(_ kind: UInt32, _ position: Int64, _ length: Int64) {
        guard isOnEngineThread, rendering != nil else {
            log(ROSTRUM_LOG_ERROR, "mark was called outside of render")
            return
        }
        let mark = WireMark(kind: kind, position: position, length: length)
        guard mark.isPlausible else { return }
        marks.append(mark)
        if marks.count == 1000 { flushMarks() }
    }

    func flushMarks() {
        guard let rendering, !marks.isEmpty else { return }
        _ = socket.send(EngineMessage.marks(generation: rendering, marks).encoded(), waiting: true)
        marks.removeAll(keepingCapacity: true)
    }
}

/// A reader of an engine's strings, which cuts them to the limit and repairs invalid UTF-8.
enum EngineString {
    static func read(_ pointer: UnsafePointer<CChar>) -> String {
        let count = strnlen(pointer, Limits.string)
        return pointer.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }
}
