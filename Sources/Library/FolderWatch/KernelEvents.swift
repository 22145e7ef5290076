// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An event of inotify(7).
struct KernelEvent: Hashable {
    var watch: Int32
    var mask: UInt32
    /// The name in the watched folder; empty for the folder itself.
    var name: [UInt8]

    static func bits(_ flag: some BinaryInteger) -> UInt32 { UInt32(truncatingIfNeeded: flag) }

    func has(_ flag: some BinaryInteger) -> Bool { mask & Self.bits(flag) != 0 }
    var isFolder: Bool { has(IN_ISDIR) }
}

/// A queue of inotify(7).
struct KernelQueue {
    let descriptor: Int32
    /// The events that a watched folder reports; its files' times and rights are among them, reading is not.
    static let changes: UInt32 =
        [IN_CREATE, IN_CLOSE_WRITE, IN_MOVED_FROM, IN_MOVED_TO, IN_DELETE, IN_DELETE_SELF, IN_MOVE_SELF, IN_ATTRIB]
        .reduce(0) { $0 | KernelEvent.bits($1) } | KernelEvent.bits(IN_ONLYDIR) | KernelEvent.bits(IN_EXCL_UNLINK)
    /// The events of a folder in which something is awaited.
    static let arrivals: UInt32 =
        [IN_CREATE, IN_MOVED_TO, IN_DELETE_SELF, IN_MOVE_SELF].reduce(0) { $0 | KernelEvent.bits($1) }
        | KernelEvent.bits(IN_ONLYDIR)
    /// The events of a folder that leads to the watched one.
    static let moves = KernelEvent.bits(IN_MOVE_SELF) | KernelEvent.bits(IN_ONLYDIR)

    /// Opens a queue; `nil` with `errno` if there is none left.
    init?() {
        descriptor = inotify_init1(Int32(truncatingIfNeeded: O_CLOEXEC | O_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    /// Adds a watch.
    ///
    /// - Returns: Its number, or a negative error number.
    func add(_ path: WatchedPath, _ mask: UInt32, followsLink: Bool = false) -> Int32 {
        let mask = followsLink ? mask : mask | KernelEvent.bits(IN_DONT_FOLLOW)
        let watch = path.withCString { inotify_add_watch(descriptor, $0, mask) }
        return watch >= 0 ? watch : -errno
    }

    func remove(_ watch: Int32) { _ = inotify_rm_watch(descriptor, watch) }

    /// Reads what has come, without waiting.
    func read() -> [KernelEvent] {
        // One event with the longest name fits in any case.
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? Self.events(in: bytes[..<count]) : []
    }

    /// Splits what was read into events.
    static func events(in bytes: ArraySlice<UInt8>) -> [KernelEvent] {
        var events: [KernelEvent] = []
        var rest = bytes
        while rest.count >= 16 {
            let head = Array(rest.prefix(16))
            func number(_ at: Int) -> UInt32 {
                head.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: at, as: UInt32.self) }
            }
            rest = rest.dropFirst(16)
            let length = Int(number(12))
            guard rest.count >= length else { break }
            events.append(
                KernelEvent(
                    watch: Int32(bitPattern: number(0)), mask: number(4),
                    name: Array(rest.prefix(length).prefix { $0 != 0 })))
            rest = rest.dropFirst(length)
        }
        return events
    }
}
