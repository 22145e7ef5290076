// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FolderWatch

@Suite struct `The table of mounts` {
    private static let text = """
        24 29 0:22 / /proc rw,nosuid shared:12 - proc proc rw
        29 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
        61 29 0:50 / /media/my\\040disk rw shared:2 - nfs4 server:/x rw
        62 29 8:1 / /media/stick rw - fuseblk /dev/sdb1 rw
        63 62 0:51 / /media/stick/net rw shared:3 master:4 - fuse.sshfs me@x: rw
        64 29 0:52 / /media/stickier rw - cifs //x/y rw
        broken
        65 29 0:52

        """

    @Test(arguments: [
        ("/home/a", ["29"], false), ("/media/my disk", ["29", "61"], true), ("/media/my disk/a/b", ["29", "61"], true),
        ("/media/my", ["29"], false), ("/media/stick/net/a", ["29", "62", "63"], true),
        ("/media/stick/a", ["29", "62"], false), ("/media/stick", ["29", "62", "63"], true),
        ("/proc", ["24", "29"], false),
    ])
    func `has what lies around a folder`(_ path: String, _ ids: [String], _ isShared: Bool) {
        let table = MountTable(Array(Self.text.utf8), around: Array(path.utf8))
        #expect(table.mounts.map(\.id) == ids)
        #expect(table.isShared(Array(path.utf8)) == isShared)
    }

    @Test func `is that of the system`() {
        #expect(!MountTable.read(around: Array("/".utf8)).mounts.isEmpty)
    }
}

@Suite struct `The events of the kernel` {
    @Test func `are split, and a torn one is left out`() {
        func event(_ watch: UInt8, _ name: [UInt8], length: UInt8) -> [UInt8] {
            [watch, 0, 0, 0, 0, 1, 0, 0x40, 0, 0, 0, 0, length, 0, 0, 0] + name
        }
        let bytes =
            event(1, Array("a\nb".utf8) + [0xFF, 0, 0, 0, 0], length: 8) + event(2, [], length: 0)
            + event(3, [1, 2], length: 200)
        let events = KernelQueue.events(in: bytes[...])
        #expect(events.map(\.watch) == [1, 2])
        #expect(events.map(\.name) == [Array("a\nb".utf8) + [0xFF], []])
        #expect(events.allSatisfy { $0.isFolder && $0.mask == 0x4000_0100 })
    }
}
