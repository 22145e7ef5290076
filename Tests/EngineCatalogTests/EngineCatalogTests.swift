// SPDX-License-Identifier: Apache-2.0

import EngineCatalog
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

@Suite struct EngineCatalogTests {
    let folder: EngineFolder

    init() throws { folder = try EngineFolder() }

    private func entries() -> [EngineCatalog.Entry] {
        EngineCatalog(SearchPath(folders: [folder.path])).entries()
    }

    @Test func `a valid manifest is listed unchanged`() throws {
        let path = try folder.add()
        let entry = try #require(entries().first)
        #expect(
            entry.engine
                == InstalledEngine(
                    id: EngineID("tone"), name: "Test tones", version: "1.0.0", vendor: "Rostrum",
                    license: "Apache-2.0", abi: "1.0", kinds: [.audio], extensions: ["wav"], schemes: [],
                    hosting: .isolated, state: .available, path: path, reason: nil))
        #expect(entry.module == path + "/tone.so")
    }

    struct Lie: Sendable, CustomTestStringConvertible {
        var change: String
        var state: InstalledEngine.State
        var reason: String
        var testDescription: String { change }
    }

    static let lies = [
        Lie(change: #"{"schema":2}"#, state: .incompatible, reason: "manifest.json: schema 2, this program knows 1"),
        Lie(change: #"{"schema":"1"}"#, state: .incompatible, reason: "manifest.json: 'schema' is of the wrong type"),
        Lie(change: #"{"name":null}"#, state: .incompatible, reason: "manifest.json: lacks 'name'"),
        Lie(change: #"{"kinds":"audio"}"#, state: .incompatible, reason: "manifest.json: 'kinds' is of the wrong type"),
        Lie(
            change: #"{"kinds":["smell"]}"#, state: .incompatible,
            reason: "manifest.json: no kind of content is known"),
        Lie(
            change: #"{"id":"other"}"#, state: .incompatible,
            reason: "manifest.json: the ID is 'other', the folder says 'tone'"),
        Lie(
            change: #"{"id":"../../x"}"#, state: .incompatible,
            reason: "manifest.json: an ID has at most 32 lower case letters, digits and '-'"),
        Lie(
            change: #"{"abi":"2.0"}"#, state: .incompatible,
            reason: "made for version 2.0 of the engine contract, this program has 1"),
        Lie(
            change: #"{"abi":"one"}"#, state: .incompatible,
            reason: "made for version one of the engine contract, this program has 1"),
        Lie(change: #"{"module":"absent.so"}"#, state: .incompatible, reason: "absent.so is not there"),
        Lie(
            change: #"{"module":"/bin/sh"}"#, state: .incompatible, reason: "/bin/sh is not there"),
        Lie(
            change: #"{"hosting":"kernel"}"#, state: .incompatible,
            reason: "manifest.json: unknown hosting 'kernel'"),
        Lie(
            change: #"{"name":"a\nb"}"#, state: .incompatible,
            reason: "manifest.json: a field is too long, or has more than one line"),
    ]

    @Test(arguments: lies) func `an invalid manifest is reported in one line`(_ lie: Lie) throws {
        let changes = try JSONSerialization.jsonObject(with: Data(lie.change.utf8)) as? [String: Any]
        // null removes a field.
        try folder.add("tone", changes ?? [:])
        let engine = try #require(entries().first?.engine)
        #expect(engine.state == lie.state)
        #expect(engine.reason == lie.reason)
        #expect(entries().first?.module == nil)
    }

    @Test(arguments: ["", "{", "[]", "{}", "null", "\u{0}", String(repeating: "[", count: 60_000)])
    func `a file that is not a manifest is incompatible`(_ text: String) throws {
        try folder.add()
        try folder.write("tone.engine/manifest.json", text)
        #expect(entries().first?.engine.state == .incompatible)
    }

    @Test func `a manifest that is too long, a folder or a FIFO is not read`() throws {
        try folder.add()
        try folder.write("tone.engine/manifest.json", String(repeating: " ", count: 100_000))
        #expect(entries().first?.engine.reason == "has no readable manifest.json")
        unlink(folder.path + "/tone.engine/manifest.json")
        mkfifo(folder.path + "/tone.engine/manifest.json", 0o644)
        #expect(entries().first?.engine.reason == "has no readable manifest.json")
    }

    @Test(arguments: ["", "/manifest.json", "/tone.so"], [0o020, 0o002] as [mode_t])
    func `an engine that others may write to is refused`(_ file: String, _ bit: mode_t) throws {
        let path = try folder.add() + file
        chmod(path, (file.isEmpty ? 0o755 : 0o644) | bit)
        let engine = try #require(entries().first?.engine)
        #expect(engine.state == .refused)
        #expect(engine.reason == "\(path) may be written by others: chmod go-w")
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func `an engine that belongs to another user is refused`() throws {
        let path = try folder.add()
        chown(path + "/tone.so", 4242, 4242)
        #expect(entries().first?.engine.reason == "\(path)/tone.so belongs to another user")
        #expect(entries().first?.engine.state == .refused)
        let theirs = EngineCatalog(SearchPath(folders: [folder.path]), user: 4242).entries()
        #expect(theirs.first?.engine.state == .available)
    }

    @Test(arguments: ["../outside.so", "link.so", "outside.la"])
    func `a module outside of the engine's folder is refused`(_ module: String) throws {
        let path = try folder.add("tone", ["module": module])
        try folder.write("outside.so", "")
        symlink("../outside.so", path + "/link.so")
        try folder.write("tone.engine/outside.la", "dlname='outside.so'\nlibdir='\(folder.path)'\ninstalled=yes\n")
        let engine = try #require(entries().first?.engine)
        #expect(engine.state == .refused)
        #expect(engine.reason == "\(module) is \(folder.path)/outside.so, outside the engine's folder")
    }

    /// The module may load these: from beside it, from below, by a link.
    @Test(arguments: ["libdecoder.so.3", "lib/libdecoder.so", "lib", "linked.so", "linked"])
    func `a library beside the module that others may write is refused`(_ name: String) throws {
        let folder = try EngineFolder()
        let elsewhere = try EngineFolder()
        let engine = try folder.add()
        mkdir(engine + "/lib", 0o755)
        chmod(engine + "/lib", 0o755)
        for file in ["libdecoder.so.3", "lib/libdecoder.so", "lib/data.bin"] {
            try Data().write(to: URL(fileURLWithPath: "\(engine)/\(file)"))
            chmod("\(engine)/\(file)", 0o644)
        }
        // Data is not code.
        chmod(engine + "/lib/data.bin", 0o666)
        try elsewhere.write("other.so", "")
        chmod(elsewhere.path, 0o755)
        symlink(elsewhere.path + "/other.so", engine + "/linked.so")
        symlink(elsewhere.path, engine + "/linked")
        let catalog = EngineCatalog(SearchPath(folders: [folder.path]))
        #expect(catalog.entries().first?.engine.state == .available)
        let before = catalog.fingerprint()

        let target = name.hasPrefix("linked") ? elsewhere.path : "\(engine)/\(name)"
        chmod(target, name == "lib" || name.hasPrefix("linked") ? 0o777 : 0o666)
        let entry = try #require(catalog.entries().first)
        #expect(entry.engine.state == .refused && entry.module == nil)
        #expect(entry.engine.reason?.hasSuffix("may be written by others: chmod go-w") == true)
        #expect(catalog.fingerprint() != before)
    }

    /// The result does not depend on the folder of the tests.
    ///
    /// `/tmp` is sticky; a folder without that bit lets others replace its entries.
    @Test(arguments: [(mode_t(0o1777), InstalledEngine.State.available), (0o777, .refused)])
    func `a link may lead into a world-writable folder only if it is sticky`(
        _ mode: mode_t, _ state: InstalledEngine.State
    ) throws {
        let folder = try EngineFolder()
        let shared = try EngineFolder()
        mkdir(shared.path + "/elsewhere", 0o755)
        symlink(shared.path + "/elsewhere", try folder.add() + "/linked")
        chmod(shared.path, mode)
        #expect(EngineCatalog(SearchPath(folders: [folder.path])).entries().first?.engine.state == state)
    }

    /// Opening a device can be a command to it.
    ///
    /// A pipe stands for one, because its opening can be watched.
    @Test func `a manifest that is not a file is not opened`() throws {
        let folder = try EngineFolder()
        let manifest = try folder.add() + "/manifest.json"
        unlink(manifest)
        mkfifo(manifest, 0o644)
        let watch = inotify_init1(Int32(O_NONBLOCK))
        defer { close(watch) }
        #expect(inotify_add_watch(watch, manifest, 0x20 /* IN_OPEN */) >= 0)
        let engine = EngineCatalog(SearchPath(folders: [folder.path])).entries().first?.engine
        #expect(engine?.reason == "has no readable manifest.json")
        var events = [UInt8](repeating: 0, count: 4096)
        #expect(read(watch, &events, events.count) < 0)
        // The watch works.
        close(open(manifest, O_RDONLY | O_NONBLOCK))
        #expect(read(watch, &events, events.count) > 0)
    }

    @Test func `a libtool archive names a module in the folder`() throws {
        let path = try folder.add("tone", ["module": "tone.la"])
        try folder.write(
            "tone.engine/tone.la", "# made by libtool\ndlname='tone.so'\ninstalled=no\nlibdir='/usr/lib'\n")
        #expect(entries().first?.module == path + "/tone.so")
        try folder.write("tone.engine/tone.la", "nonsense")
        #expect(entries().first?.engine.reason == "tone.la is not there")
    }

    @Test func `the first engine with an id wins, and the others are shadowed`() throws {
        let second = try EngineFolder()
        try folder.add()
        try folder.add("other", ["id": "other"])
        let shadowed = try second.add()
        let catalog = EngineCatalog(SearchPath(folders: ["/nowhere", folder.path, second.path, folder.path]))
        let found = catalog.entries().map { [$0.engine.id.rawValue, $0.engine.state.rawValue] }
        #expect(found == [["other", "available"], ["tone", "available"], ["tone", "shadowed"]])
        #expect(catalog.entries().last?.engine.path == shadowed)
        #expect(catalog.entries().last?.module == nil)
    }

    @Test func `the fingerprint changes with the folders, and only then`() throws {
        let catalog = EngineCatalog(SearchPath(folders: [folder.path]))
        var seen = [catalog.fingerprint()]
        func note() { seen.append(catalog.fingerprint()) }
        try folder.add()
        note()
        #expect(catalog.fingerprint() == seen.last)
        try folder.add("tone", ["name": "Another name"])
        note()
        chmod(folder.path + "/tone.engine/tone.so", 0o666)
        note()
        try folder.add("second", ["id": "second"])
        note()
        #expect(Set(seen).count == seen.count)
    }

    @Test func `other files in a folder are not engines`() throws {
        try folder.write("notes.txt", "")
        try folder.write("file.engine", "")
        try FileManager.default.createDirectory(atPath: folder.path + "/.engine", withIntermediateDirectories: true)
        #expect(entries().map(\.engine.reason) == ["is not a folder"])
    }

    @Test(arguments: [
        ("Apache-2.0", false), ("GPL-3.0-or-later", true), ("(MIT OR GPL-2.0-only)", true), ("LGPL-2.1", false),
        ("AGPL-3.0", true), ("MIT AND LGPL-3.0-only", false),
    ])
    func `licences that do not allow in-process hosting are known`(_ license: String, _ isCopyleft: Bool) throws {
        try folder.add("tone", ["license": license])
        #expect(entries().first?.isCopyleft == isCopyleft)
    }

    @Test func `folders of the installation and of the user are distinguished`() {
        let path = SearchPath(
            environment: ["ROSTRUM_ENGINE_PATH": "/a", "HOME": "/home/u"], program: "/opt/r/bin/rostrumd")
        #expect(path.installed == ["/opt/r/lib/rostrum/engines", "/opt/r/bin/engines"])
        #expect(path.user == "/home/u/.local/share/rostrum/engines")
    }

    @Test func `the search path is the environment, the user's folder, the prefix and the program's folder`() {
        let environment = ["ROSTRUM_ENGINE_PATH": "/a::/b", "XDG_DATA_HOME": "/data", "HOME": "/home/u"]
        #expect(
            SearchPath(environment: environment, program: "/opt/r/bin/rostrumd").folders == [
                "/a", "/b", "/data/rostrum/engines", "/opt/r/lib/rostrum/engines", "/opt/r/bin/engines",
            ])
        #expect(
            SearchPath(environment: ["HOME": "/home/u", "XDG_DATA_HOME": "relative"], program: "/usr/bin/rostrumd")
                .folders == ["/home/u/.local/share/rostrum/engines", "/usr/lib/rostrum/engines", "/usr/bin/engines"])
    }
}
