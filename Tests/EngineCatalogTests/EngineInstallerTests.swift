// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaPlayback
import PlaybackCore
import ProcessTestSupport
import Testing

@testable import EngineCatalog

@Suite struct EngineInstallerTests {
    let source: EngineFolder
    let data: EngineFolder
    let user: String
    let tone = EngineID("tone")

    init() throws {
        source = try EngineFolder()
        data = try EngineFolder()
        user = data.path + "/share/rostrum/engines"
    }

    private func installer(_ folders: [String] = []) -> EngineInstaller {
        EngineInstaller(EngineCatalog(SearchPath(folders: folders + [user], user: user)))
    }

    private func install(_ path: String, force: Bool = false) throws -> EngineInstaller.Installed {
        try installer().install(path, force: force)
    }

    private func failure(_ body: () throws -> Void) -> EngineInstaller.Failure? {
        do {
            try body()
            return nil
        } catch {
            return error as? EngineInstaller.Failure
        }
    }

    /// Returns the unfinished files that were left behind.
    private func leftovers() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: user)) ?? []).filter { $0.hasPrefix(".") }
    }

    private func tar(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/tar")
        process.arguments = ["--directory=\(source.path)"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test func `the next operation removes what a killed session left unfinished`() throws {
        let left = user + "/.incoming-AbCdEf/checked/tone.engine"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        _ = try install(try source.add())
        #expect(leftovers().isEmpty)
    }

    @Test func `a folder is copied with safe modes`() throws {
        let path = try source.add()
        try FileManager.default.createDirectory(atPath: path + "/voices", withIntermediateDirectories: true)
        chmod(path + "/voices", 0o700)
        try source.write("tone.engine/voices/en", "data")
        chmod(path + "/voices/en", 0o600)
        chmod(path + "/tone.so", 0o700)
        let installed = try install(path)
        #expect(installed.path == user + "/tone.engine" && installed.replaced == nil && installed.version == "1.0.0")
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: installed.path + name)[.posixPermissions] as? Int
        }
        #expect(
            try ["", "/voices", "/voices/en", "/tone.so", "/manifest.json"].map(mode) == [
                0o755, 0o755, 0o644, 0o755, 0o644,
            ])
        #expect(try String(contentsOfFile: installed.path + "/voices/en", encoding: .utf8) == "data")
        let entry = EngineCatalog(SearchPath(folders: [user], user: user)).entries().first
        #expect(entry?.engine.state == .available && entry?.origin == .user)
        #expect(leftovers().isEmpty)
    }

    @Test(arguments: [("tone.tar", "--create"), ("tone.tar.gz", "--gzip"), ("tone.tgz", "--gzip")])
    func `an archive of a folder is installed`(_ name: String, _ option: String) throws {
        let path = try source.add()
        // These are the modes of files on many authors' machines.
        chmod(path, 0o775)
        chmod(path + "/tone.so", 0o664)
        let archive = source.path + "/" + name
        try tar(["--create", option, "--file=\(archive)", "tone.engine"])
        let installed = try install(archive)
        #expect(EngineCatalog(SearchPath(folders: [user])).entries().first?.engine.state == .available)
        #expect(installed.id == tone && leftovers().isEmpty)
    }

    struct Trap: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var kind: EngineInstaller.Failure.Kind
        var words: String
        var set: @Sendable (String) throws -> Void
    }

    static let traps = [
        Trap(testDescription: "link", kind: .notPermitted, words: "is a link") { symlink("/etc/passwd", $0 + "/data") },
        Trap(testDescription: "link as module", kind: .notPermitted, words: "is a link") {
            unlink($0 + "/tone.so")
            symlink("/usr/lib/x.so", $0 + "/tone.so")
        },
        Trap(testDescription: "FIFO", kind: .notPermitted, words: "neither a file nor a folder") {
            mkfifo($0 + "/pipe", 0o600)
        },
        Trap(testDescription: "set-id", kind: .notPermitted, words: "set-id") { chmod($0 + "/tone.so", 0o4755) },
        Trap(testDescription: "others may write", kind: .notPermitted, words: "may be written by others") {
            chmod($0 + "/tone.so", 0o666)
        },
        Trap(testDescription: "no module", kind: .badContent, words: "tone.so is not there") {
            unlink($0 + "/tone.so")
        },
        Trap(testDescription: "no manifest", kind: .badContent, words: "has no readable manifest.json") {
            unlink($0 + "/manifest.json")
        },
        Trap(testDescription: "another id", kind: .badContent, words: "the ID is 'other'") {
            let manifest = try String(contentsOfFile: $0 + "/manifest.json", encoding: .utf8)
            let changed = manifest.replacing("\"tone\"", with: "\"other\"")
            try Data(changed.utf8).write(to: URL(fileURLWithPath: $0 + "/manifest.json"))
        },
        Trap(testDescription: "another contract", kind: .badContent, words: "made for version 2.0") {
            let manifest = try String(contentsOfFile: $0 + "/manifest.json", encoding: .utf8)
            let changed = manifest.replacing("\"abi\":\"1.0\"", with: "\"abi\":\"2.0\"")
            try Data(changed.utf8).write(to: URL(fileURLWithPath: $0 + "/manifest.json"))
        },
    ]

    @Test(arguments: traps, [false, true])
    func `an engine folder with anything unusual is not installed`(_ trap: Trap, _ isArchive: Bool) throws {
        let path = try source.add()
        try trap.set(path)
        let archive = source.path + "/tone.tar"
        if isArchive { try tar(["--create", "--file=\(archive)", "tone.engine"]) }
        let error = failure { _ = try install(isArchive ? archive : path) }
        #expect(error?.kind == trap.kind)
        #expect(error?.message.contains(trap.words) == true, "\(error?.message ?? "installed")")
        #expect(error?.message.contains("\n") == false)
        #expect(!FileManager.default.fileExists(atPath: user + "/tone.engine"))
        #expect(leftovers().isEmpty)
    }

    @Test func `an archive is limited in total bytes and files before it is unpacked`() throws {
        let path = try source.add()
        // Two files of 40 MB, which take nearly no space in the archive.
        for name in ["one", "two"] {
            let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            #expect(ftruncate(file, 40 << 20) == 0)
            close(file)
        }
        let archive = source.path + "/tone.tar.gz"
        try tar(["--create", "--gzip", "--file=\(archive)", "tone.engine"])
        let target = try EngineFolder()
        var tarball = TarArchive(path: archive, mostBytes: 60 << 20)
        #expect(
            failure { try tarball.unpack(into: target.path) }?.message
                == "\(archive) unpacks to more than 60 MiB, more than an engine may have")
        let sizes = ["one", "two"].map { size(of: "\(target.path)/tone.engine/\($0)") }
        #expect(sizes.reduce(0, +) <= 60 << 20)

        let other = try EngineFolder()
        tarball = TarArchive(path: archive, mostEntries: 4)
        #expect(
            failure { try tarball.unpack(into: other.path) }?.message
                == "\(archive) holds more than 4 files, more than an engine may have")
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).isEmpty)

        tarball = TarArchive(path: archive, mostEntries: 5)
        #expect(failure { try tarball.unpack(into: other.path) } == nil)
        #expect(size(of: other.path + "/tone.engine/two") == 40 << 20)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `an archive that makes tar wait is given up, even if the process does not end`(_ isHeld: Bool) async throws {
        let target = try EngineFolder()
        // Nobody writes to it.
        let archive = source.path + "/tone.tar"
        try #require(mkfifo(archive, 0o600) == 0)
        let unpacking = Task.detached { [target = target.path] in
            do throws(EngineInstaller.Failure) {
                try TarArchive(path: archive, seconds: 1).unpack(into: target)
                return ""
            } catch {
                return error.message
            }
        }
        var shell: pid_t?
        var held: HeldProcess?
        while isHeld, shell == nil {
            shell = try children(named: "sh").first
            try await Task.sleep(for: .milliseconds(2))
        }
        if let shell {
            let traced: HeldProcess = try #require(HeldProcess(shell))
            held = traced
        }
        #expect(
            await unpacking.value == "\(archive) took longer than 1 s to unpack; unpack it, and install the folder")
        held?.release()
        if let shell { #expect(waitpid(shell, nil, 0) == shell) }
    }

    private func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    @Test func `an archive cannot write outside of its folder`() throws {
        try source.add()
        try source.write("evil", "x")
        let archive = source.path + "/tone.tar"
        let rows = [
            ["--transform=s,evil,../../../evil,", "evil"], ["--transform=s,evil,/tmp/rostrum-evil,", "evil"],
            ["evil"], ["tone.engine", "evil"],
        ]
        for names in rows {
            try tar(["--create", "--absolute-names", "--file=\(archive)"] + names)
            #expect(failure { _ = try install(archive) }?.kind == .badContent)
        }
        #expect(!FileManager.default.fileExists(atPath: data.path + "/share/rostrum/evil"))
        #expect(!FileManager.default.fileExists(atPath: "/tmp/rostrum-evil"))
        #expect(leftovers().isEmpty)
    }

    @Test func `the refusal of anything else says what to give`() throws {
        #expect(failure { _ = try install("/nowhere/x.engine") }?.kind == .notFound)
        try source.write("notes.txt", "x")
        #expect(failure { _ = try install(source.path + "/notes.txt") }?.kind == .badContent)
        try source.write("broken.tar.gz", "no archive")
        #expect(
            failure { _ = try install(source.path + "/broken.tar.gz") }?.message.contains("is not a tar archive")
                == true)
        #expect(failure { _ = try install(source.path) }?.message.contains("ID.engine") == true)
    }

    @Test func `only a newer version replaces an engine, unless it is forced`() throws {
        let path = try source.add("tone", ["version": "1.9.0"])
        _ = try install(path)
        for (version, isNewer) in [("1.9.0", false), ("1.8.9", false), ("0.99", false), ("1.10.0", true)] {
            try source.add("tone", ["version": version])
            if isNewer {
                #expect(try install(path).replaced == "1.9.0")
            } else {
                let error = failure { _ = try install(path) }
                #expect(error?.kind == .cannotCreate)
                #expect(
                    error?.message
                        == "tone 1.9.0 is installed in \(user)/tone.engine, and \(version) is not newer; --force replaces it"
                )
            }
        }
        try source.add("tone", ["version": "0.1"])
        #expect(try install(path, force: true).replaced == "1.10.0")
        #expect(leftovers().isEmpty)
    }

    @Test func `only the user's own engines are removed`() throws {
        let other = try EngineFolder()
        let installedByOthers = try other.add("wide", ["id": "wide"])
        _ = try install(try source.add())
        let installer = installer([other.path])
        #expect(try installer.remove(tone) == user + "/tone.engine")
        #expect(!FileManager.default.fileExists(atPath: user + "/tone.engine"))
        let error = failure { _ = try installer.remove(EngineID("wide")) }
        #expect(error?.kind == .notPermitted)
        #expect(error?.message.contains(installedByOthers) == true)
        #expect(failure { _ = try installer.remove(tone) }?.kind == .unavailable)
        #expect(leftovers().isEmpty)
    }
}
