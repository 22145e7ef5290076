// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// The services that the host offers an engine.
///
/// The type is `Sendable` because the contract allows `log` and `interrupted` to be called from any thread. Call
/// everything else on the engine's thread.
public struct Host: @unchecked Sendable /* immutable pointer, valid until the engine is destroyed */ {
    private let host: UnsafePointer<rostrum_host>

    init(_ host: UnsafePointer<rostrum_host>) {
        self.host = host
    }

    /// Requests the source of a track from the session, and waits for it.
    public func openSource(track: Int) throws(EngineFailure) -> Source {
        var source = rostrum_source()
        source.size = UInt32(MemoryLayout<rostrum_source>.size)
        source.descriptor = -1
        let result = host.pointee.open_source(host.pointee.host_data, UInt32(clamping: track), &source)
        guard result == ROSTRUM_OK else {
            throw EngineFailure(result, "the session has no source for track \(track)")
        }
        let name = source.name.map { String(cString: $0) } ?? ""
        if source.descriptor >= 0 {
            return .descriptor(source.descriptor, name: name)
        }
        guard let url = source.url else {
            throw EngineFailure(ROSTRUM_ERROR_NOT_FOUND, "the session has no source for track \(track)")
        }
        return .url(String(cString: url), headers: source.headers.map { String(cString: $0) }, name: name)
    }

    /// Returns the index that was kept for the content of the source that was opened most recently, or `nil` if none was
    /// kept.
    ///
    /// Another version of the engine may have made it, so the engine checks that the index fits.
    public func index(track: Int) -> [UInt8]? {
        guard let found = host.pointee.get_extension(host.pointee.host_data, ROSTRUM_INDEX_EXTENSION) else {
            return nil
        }
        let table = found.assumingMemoryBound(to: rostrum_index_host.self)
        guard table.pointee.size >= UInt32(MemoryLayout<rostrum_index_host>.size), let index = table.pointee.index
        else {
            return nil
        }
        var bytes: UnsafePointer<UInt8>?
        var length: UInt64 = 0
        guard index(host.pointee.host_data, UInt32(clamping: track), &bytes, &length) == ROSTRUM_OK, let bytes else {
            return nil
        }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(clamping: length)))
    }

    /// Returns the certificates that the user trusts in addition to the system's, for the source that was opened most
    /// recently.
    ///
    /// Throws if something that the user named cannot be read; the engine must then open no https address.
    public func trust(track: Int) throws(EngineFailure) -> Trust {
        guard let found = host.pointee.get_extension(host.pointee.host_data, ROSTRUM_TRUST_EXTENSION) else {
            return Trust()
        }
        let table = found.assumingMemoryBound(to: rostrum_trust_host.self)
        guard table.pointee.size >= UInt32(MemoryLayout<rostrum_trust_host>.size), let ask = table.pointee.trust else {
            return Trust()
        }
        var trust = rostrum_trust()
        trust.size = UInt32(MemoryLayout<rostrum_trust>.size)
        let result = ask(host.pointee.host_data, UInt32(clamping: track), &trust)
        guard result == ROSTRUM_OK else {
            throw EngineFailure(result, "the session cannot read the certificates that are trusted beside the system's")
        }
        return Trust(
            certificates: trust.certificates.map { String(cString: $0) },
            fingerprints: trust.fingerprints.map { String(cString: $0).split(separator: "\n").map(String.init) } ?? [])
    }

    /// Returns the utterance that contains a position of the loaded text or, if none does, the next one; `nil` if nothing
    /// is said from there on.
    ///
    /// Throws `ROSTRUM_ERROR_UNSUPPORTED` if the content has no script; the engine then reads the text itself.
    public func utterance(at position: Int64) throws(EngineFailure) -> SpokenUtterance? {
        guard let found = host.pointee.get_extension(host.pointee.host_data, ROSTRUM_SCRIPT_EXTENSION) else {
            throw EngineFailure(ROSTRUM_ERROR_UNSUPPORTED, "the session has no scripts")
        }
        let table = found.assumingMemoryBound(to: rostrum_script_host.self)
        guard table.pointee.size >= UInt32(MemoryLayout<rostrum_script_host>.size), let ask = table.pointee.utterance
        else { throw EngineFailure(ROSTRUM_ERROR_UNSUPPORTED, "the session has no scripts") }
        var utterance = rostrum_utterance()
        utterance.size = UInt32(MemoryLayout<rostrum_utterance>.size)
        let result = ask(host.pointee.host_data, position, &utterance)
        if result == ROSTRUM_ERROR_NOT_FOUND { return nil }
        guard result == ROSTRUM_OK else { throw EngineFailure(result, "the session has no script of the text") }
        return SpokenUtterance(utterance)
    }

    /// Announces that a word or sentence begins at `position`.
    ///
    /// Call it within `render`, before the block in which the text is heard.
    public func mark(_ kind: MarkKind, position: Int64, length: Int64) {
        host.pointee.mark(host.pointee.host_data, kind.rawValue, position, length)
    }

    /// Writes one line to the session's log; may be called from any thread.
    public func log(_ level: LogLevel, _ message: String) {
        host.pointee.log(host.pointee.host_data, level.rawValue, message)
    }

    /// `true` while the host wants the current call to end soon with `ROSTRUM_ERROR_INTERRUPTED`.
    ///
    /// It may be read from any thread.
    public var isInterrupted: Bool {
        host.pointee.interrupted(host.pointee.host_data) != 0
    }
}

/// The severity of a line in the log.
public enum LogLevel: UInt32, Sendable {
    case debug = 1
    case info = 2
    case warning = 3
    case error = 4
}
