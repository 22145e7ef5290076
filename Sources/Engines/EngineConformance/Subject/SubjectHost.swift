// SPDX-License-Identifier: Apache-2.0

import Atomics
import CTransport
import EngineABI
import EngineTransport
import Glibc

/// The host's side of the contract, which records everything that the engine does to it.
///
/// It is created and used on the engine's thread, except for `log`, `interrupted` and what an interrupting thread
/// needs.
final class SubjectHost:
    @unchecked Sendable /* other threads use `interruption`, `interrupted`, `handedOver` and `said` alone */
{
    struct Mark {
        var kind: UInt32
        var position: Int64
        var length: Int64
    }
    /// A file's identity in the kernel.
    struct File: Hashable {
        var device: UInt64
        var inode: UInt64
    }
    /// The records that any thread may add to.
    struct Said {
        var lines: [String] = []
        /// Calls that the contract does not allow.
        var misuse: [(call: String, clause: Clause)] = []
    }

    let contract = UnsafeMutablePointer<rostrum_host>.allocate(capacity: 1)
    let said = LockedValue(Said())
    /// The eventfd that is signalled when a call is to end, for a call that waits in `open_source`.
    let interruption: EventDescriptor
    /// The eventfd that is signalled whenever a source was handed over, or is waited for.
    let handedOver: EventDescriptor
    let interrupted = ManagedAtomic(false)

    /// The sources of the material that is loaded now.
    var sources: [Material.Source] = []
    var fileName = ""
    /// The call of the engine that is running.
    var call: ContractCall?
    private(set) var opened: [UInt32] = []
    private(set) var handed: Set<File> = []
    var marks: [Mark] = []

    private let thread = pthread_self()
    private var strings: [UnsafeMutablePointer<CChar>] = []
    /// The other ends of silent pipes.
    private var heldOpen: [OwnedDescriptor] = []

    init() throws(SystemError) {
        interruption = try EventDescriptor()
        handedOver = try EventDescriptor()
        contract.initialize(to: rostrum_host())
        contract.pointee.size = UInt32(MemoryLayout<rostrum_host>.size)
        contract.pointee.abi_minor = UInt32(ROSTRUM_ABI_MINOR)
        // The host lives as long as the process, which runs one case.
        contract.pointee.host_data = Unmanaged.passRetained(self).toOpaque()
        contract.pointee.open_source = { data, track, source in
            guard let host = SubjectHost.at(data), let source else { return ROSTRUM_ERROR_ARGUMENT }
            return host.openSource(track, source)
        }
        contract.pointee.mark = { data, kind, position, length in
            SubjectHost.at(data)?.mark(kind, position, length)
        }
        contract.pointee.log = { data, _, message in
            guard let host = SubjectHost.at(data) else { return }
            let line = message.map { CText.read($0) } ?? .missing
            host.said.withLock { said in
                if let fault = line.fault(isLine: true) { said.misuse.append(("log with a message \(fault)", .log)) }
                if said.lines.count < 1000 { said.lines.append(line.text) }
            }
        }
        contract.pointee.interrupted = { data in
            SubjectHost.at(data)?.interrupted.load(ordering: .acquiring) == true ? 1 : 0
        }
        contract.pointee.get_extension = { _, _ in nil }
    }

    private static func at(_ data: UnsafeMutableRawPointer?) -> SubjectHost? {
        data.map { Unmanaged<SubjectHost>.fromOpaque($0).takeUnretainedValue() }
    }

    private var isOnEngineThread: Bool { pthread_equal(pthread_self(), thread) != 0 }

    private func misused(_ call: String, _ clause: Clause) {
        said.withLock { $0.misuse.append((call, clause)) }
    }

    /// Throws if the engine called the host in a way that the contract does not allow.
    func checkUse() throws(Finding) {
        guard let (call, clause) = said.withLock({ $0.misuse.first }) else { return }
        throw .fault("a call of the host", expected: "none that the contract does not allow", came: call, clause)
    }

    /// Clears the records, which grow.
    func forget() {
        (opened, handed, marks) = ([], [], [])
        said.withLock { $0.lines = [] }
        closePipes()
    }

    /// Closes the other ends of silent pipes, which are the same files.
    func closePipes() { heldOpen = [] }

    // MARK: Sources

    private func openSource(_ track: UInt32, _ result: UnsafeMutablePointer<rostrum_source>) -> rostrum_result {
        guard isOnEngineThread else {
            misused("open_source on a thread that is not the engine's", .openSource)
            return ROSTRUM_ERROR_STATE
        }
        guard let call, call != .create, call != .destroy, call != .unload else {
            misused("open_source within \(self.call?.name ?? "no call")", .openSource)
            return ROSTRUM_ERROR_STATE
        }
        if interrupted.load(ordering: .acquiring) { return ROSTRUM_ERROR_INTERRUPTED }
        guard Int(track) < sources.count else { return ROSTRUM_ERROR_NOT_FOUND }
        opened.append(track)
        guard let descriptor = descriptor(for: sources[Int(track)]) else {
            if case .waiting = sources[Int(track)] { return ROSTRUM_ERROR_INTERRUPTED }
            return ROSTRUM_ERROR_NOT_FOUND
        }
        if let file = Self.file(descriptor) { handed.insert(file) }
        for string in strings { free(string) }
        strings = [strdup(fileName)]
        var filled = rostrum_source()
        filled.size = result.pointee.size
        filled.descriptor = descriptor
        filled.name = strings.first.map { UnsafePointer($0) }
        let size = min(Int(filled.size), MemoryLayout<rostrum_source>.size)
        withUnsafeBytes(of: &filled) {
            UnsafeMutableRawPointer(result).copyMemory(from: $0.baseAddress ?? .init(result), byteCount: size)
        }
        handedOver.signal()
        return ROSTRUM_OK
    }

    private func descriptor(for source: Material.Source) -> Int32? {
        switch source {
        case .bytes(let bytes): return Self.memory(bytes)
        case .pipe(let bytes): return Self.pipe(bytes, heldOpen: nil)
        case .file(let path):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            return descriptor >= 0 ? descriptor : nil
        case .silentPipe: return Self.pipe([], heldOpen: { self.heldOpen.append($0) })
        case .missing: return nil
        case .waiting:
            handedOver.signal()
            while !interrupted.load(ordering: .acquiring) { interruption.wait() }
            return nil
        }
    }

    static func file(_ descriptor: Int32) -> File? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return File(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Returns a nameless file that is open for reading only.
    private static func memory(_ bytes: [UInt8]) -> Int32? {
        let written = OwnedDescriptor(owning: ctransport_memory_descriptor("content"))
        guard written.rawValue >= 0, write(bytes, to: written.rawValue) else { return nil }
        let descriptor = open("/proc/self/fd/\(written.rawValue)", O_RDONLY | O_CLOEXEC)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Returns a pipe that holds all of `bytes`, and ends unless its other end is held open.
    private static func pipe(_ bytes: [UInt8], heldOpen: ((OwnedDescriptor) -> Void)?) -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard ctransport_pipe(&ends) == 0 else { return nil }
        let writing = OwnedDescriptor(owning: ends[1])
        // Make the pipe blocking, as one from a shell is.
        _ = fcntl(ends[0], F_SETFL, 0)
        let setSize: Int32 = 1031
        guard bytes.isEmpty || fcntl(ends[1], setSize, Int32(bytes.count)) >= bytes.count, write(bytes, to: ends[1])
        else {
            close(ends[0])
            return nil
        }
        heldOpen?(writing)
        return ends[0]
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    // MARK: Marks

    private func mark(_ kind: UInt32, _ position: Int64, _ length: Int64) {
        guard isOnEngineThread, call == .render else {
            let place = isOnEngineThread ? "within \(call?.name ?? "no call")" : "on a thread that is not the engine's"
            misused("mark \(place)", .mark)
            return
        }
        if marks.count < 100_000 { marks.append(Mark(kind: kind, position: position, length: length)) }
    }
}
