// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder of a reading list in memory, with one document and its entry.
struct EntryFolder {
    static let id = "abc123"
    static let shared = EntryFolder()

    let path = "/dev/shm/rostrum-list-fuzz-\(getpid())"

    private init() {
        mkdir(path, 0o700)
        write([0x61], to: "\(Self.id)-1.txt")
        atexit {
            for name in ["\(EntryFolder.id)-1.txt", "\(EntryFolder.id).entry.json"] {
                unlink("\(EntryFolder.shared.path)/\(name)")
            }
            rmdir(EntryFolder.shared.path)
        }
    }

    func fill(_ bytes: [UInt8]) { write(bytes, to: "\(Self.id).entry.json") }

    private func write(_ bytes: [UInt8], to name: String) {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        guard file >= 0, bytes.withUnsafeBytes({ Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            fatalError("cannot write: \(errno)")
        }
    }
}
