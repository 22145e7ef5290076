// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A voice's folder in memory with one file.
struct VoiceFile {
    static let folder = "/dev/shm/rostrum-voice-fuzz-\(getpid())"
    static let shared = VoiceFile()

    let path = "\(Self.folder)/voice.json"

    private init() {
        mkdir(Self.folder, 0o700)
        atexit {
            unlink("\(VoiceFile.folder)/voice.json")
            rmdir(VoiceFile.folder)
        }
    }

    func fill(_ bytes: [UInt8]) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        guard file >= 0, bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            fatalError("cannot write: \(errno)")
        }
    }
}
