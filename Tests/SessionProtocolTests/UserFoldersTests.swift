// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Glibc
import SessionProtocol
import Testing

struct `Folders of a user` {
    @Test func `follow the XDG variables and ignore relative paths in them`() throws {
        let environment = [
            "HOME": "/home/l", "XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "/data",
        ]
        let folders = try UserFolders(environment: { environment[$0] }, user: 7)
        #expect(folders.socket == "/run/user/7/rostrum/session.sock")
        #expect(folders.transitionLog == "/home/l/.local/state/rostrum/transitions.jsonl")
        #expect(folders.data == "/data/rostrum")
        #expect(folders.config == "/home/l/.config/rostrum")
        #expect(folders.cache == "/home/l/.cache/rostrum")
    }

    @Test func `are created for the user alone`() throws {
        let temporary = try TemporaryFolders()
        try temporary.folders.create()
        for path in [temporary.folders.runtime, temporary.folders.state, temporary.path + "/config"] {
            var found = stat()
            #expect(stat(path, &found) == 0 && found.st_mode & 0o777 == 0o700, "\(path)")
        }
        try temporary.folders.create()
    }

    @Test func `that others may write to are refused`() throws {
        let temporary = try TemporaryFolders()
        let path = temporary.path + "/open"
        mkdir(path, 0o700)
        chmod(path, 0o777)
        let error = try #require(throws: SessionError.self) { try PrivateFolder.create(path) }
        #expect(error.code == .notPermitted)
        #expect(error.message.contains(path))
    }

    @Test func `whose path leads through a file are refused`() throws {
        let temporary = try TemporaryFolders()
        close(open(temporary.path + "/file", O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SessionError.self) { try PrivateFolder.create(temporary.path + "/file/rostrum") }
        #expect(throws: SessionError.self) { try PrivateFolder.create(temporary.path + "/file") }
    }
}
