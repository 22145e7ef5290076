// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A mounted file system, as /proc/self/mountinfo lists it.
struct Mount: Hashable {
    var id: String
    var point: WatchedPath
    var type: String

    /// `true` if other machines may change its files without the kernel knowing.
    var isShared: Bool {
        let remote: Set = [
            "9p", "afs", "ceph", "cifs", "coda", "fuse", "lustre", "nfs", "nfs4", "prl_fs", "smb3", "smbfs", "vboxsf",
            "virtiofs",
        ]
        return remote.contains(type) || type.hasPrefix("fuse.")
    }
}

/// The mounted file systems that matter to a folder.
struct MountTable: Hashable {
    /// Those above the folder and those below it, in the order of the system.
    var mounts: [Mount]

    init(_ text: [UInt8], around path: WatchedPath) {
        mounts = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 6,
                let dash = fields[6...].firstIndex(where: { $0.elementsEqual([UInt8(ascii: "-")]) }),
                dash + 1 < fields.count
            else { return nil }
            let point = Self.unescaped(fields[4])
            guard path.isIn(point) || point.isIn(path) else { return nil }
            return Mount(
                id: String(decoding: fields[0], as: UTF8.self), point: point,
                type: String(decoding: fields[dash + 1], as: UTF8.self))
        }
    }

    /// Reads the table of the system; an empty one if there is none.
    static func read(around path: WatchedPath) -> MountTable {
        let descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return MountTable([], around: path) }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while text.count < 16 << 20 {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            text += piece[..<count]
        }
        return MountTable(text, around: path)
    }

    /// Returns `true` if the folder, or one below it, is on a file system that other machines may change.
    func isShared(_ path: WatchedPath) -> Bool {
        let above = mounts.filter { path.isIn($0.point) }
        // Of several mounts at one point, the last one covers the others.
        var nearest: Mount?
        for mount in above where mount.point.count >= nearest?.point.count ?? 0 { nearest = mount }
        return nearest?.isShared == true || mounts.contains { $0.isShared && $0.point.isIn(path) }
    }

    /// Decodes `\040` and the like.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> WatchedPath {
        var path: WatchedPath = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) {
                path.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }))
                rest = rest.dropFirst(3)
            } else {
                path.append(byte)
            }
        }
        return path
    }
}
