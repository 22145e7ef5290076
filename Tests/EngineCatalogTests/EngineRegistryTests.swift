// SPDX-License-Identifier: Apache-2.0

import EngineCatalog
import EngineConfinement
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

@Suite struct EngineRegistryTests {
    let folder: EngineFolder
    let registry: EngineRegistry
    let tone = EngineID("tone")

    init() throws {
        folder = try EngineFolder()
        registry = EngineRegistry(path: folder.path + "/engines.json")
    }

    private func write(_ text: String) throws { try folder.write("engines.json", text) }

    private func json() throws -> [String: Any] {
        let data = try Data(contentsOf: URL(fileURLWithPath: registry.path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `a decision is stored for one engine only`() throws {
        #expect(registry.records().isEmpty)
        try registry.update(tone) { $0.isDisabled = true }
        let trust = EngineRecord.Trust(path: "/x/other.engine", permissions: ["network"])
        try registry.update(EngineID("other")) { $0.trust = trust }
        try registry.quarantine(tone, hash: "sha256:1", reason: "died 5 times", since: "2026-01-01T00:00:00Z")
        let record = registry.record(of: tone)
        #expect(record.isDisabled && record.trust == nil)
        #expect(
            record.quarantine
                == EngineRecord.Quarantine(
                    reason: "died 5 times", module: "sha256:1", since: "2026-01-01T00:00:00Z"))
        #expect(registry.record(of: EngineID("other")).trust == trust)
        try registry.clear(tone)
        #expect(registry.record(of: tone).quarantine == nil)
        try registry.update(tone) { $0.isDisabled = false }
        #expect(registry.records().keys.map(\.rawValue) == ["other"])
    }

    @Test func `members that this version does not know are kept`() throws {
        try write(
            #"{"schema":1,"later":[1,2.5,null],"engines":{"tone":{"disabled":true,"nickname":"T","trusted":{"path":"/t","permissions":[],"by":"me"}},"other":{"x":{"y":true}}}}"#
        )
        try registry.update(tone) {
            $0.isDisabled = false
            $0.trust?.permissions = ["network"]
        }
        let after = try json()
        let expected =
            #"{"schema":1,"later":[1,2.5,null],"engines":{"tone":{"nickname":"T","trusted":{"path":"/t","permissions":["network"],"by":"me"}},"other":{"x":{"y":true}}}}"#
        let wanted = try JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSDictionary
        #expect(after as NSDictionary == wanted)
        #expect(try FileManager.default.attributesOfItem(atPath: registry.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: ["", "{", "[]", "null", "{}", #"{"schema":"1"}"#, "\u{0}", String(repeating: "[", count: 60_000)])
    func `a damaged file is reported and set aside, and grants nothing`(_ text: String) throws {
        try write(text)
        #expect(registry.records().isEmpty)
        let complaint = try registry.update(tone) { $0.isDisabled = true }
        let aside = registry.path + ".damaged"
        #expect(complaint?.contains(aside) == true)
        #expect(try String(contentsOfFile: aside, encoding: .utf8) == text)
        #expect(registry.record(of: tone).isDisabled)
        // A second one does not overwrite the first.
        try write(text)
        #expect(registry.repair()?.contains(aside + "-2") == true)
        #expect(registry.repair() == nil)
    }

    @Test func `a file of a newer version is not changed`() throws {
        try write(#"{"schema":2,"engines":{"tone":{"disabled":true}}}"#)
        #expect(registry.records().isEmpty && registry.repair() == nil)
        #expect(throws: EngineRegistry.Failure.self) { try registry.clear(tone) }
        #expect(try String(contentsOfFile: registry.path, encoding: .utf8).contains("disabled"))
    }

    @Test(arguments: [
        #""x""#, #"{"disabled":1}"#, #"{"trusted":true}"#, #"{"trusted":{"path":3}}"#, #"{"quarantine":{}}"#,
        #"{"trusted":{"permissions":["network"]}}"#,
    ])
    func `an invalid record has no effect`(_ record: String) throws {
        try write(#"{"schema":1,"engines":{"tone":\#(record)}}"#)
        #expect(registry.record(of: tone) == EngineRecord())
    }

    @Test func `simultaneous changes are not lost`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask { [registry] in
                    _ = try? registry.update(EngineID("e\(number)")) { $0.isDisabled = true }
                }
            }
        }
        #expect(registry.records().count == 40)
    }

    @Test func `a folder that cannot be written is reported`() {
        let nowhere = EngineRegistry(path: "/nowhere/engines.json")
        let error = #expect(throws: EngineRegistry.Failure.self) { try nowhere.clear(tone) }
        #expect(error?.message == "/nowhere/engines.json cannot be changed: No such file or directory")
    }

    // MARK: In the catalog

    private func catalog(installed: Bool = false) -> EngineCatalog {
        EngineCatalog(
            SearchPath(folders: [folder.path], installed: installed ? [folder.path] : [], user: nil), registry: registry
        )
    }

    @Test func `a disabled engine is listed with its reason`() throws {
        try folder.add()
        let before = catalog().fingerprint()
        try registry.update(tone) { $0.isDisabled = true }
        let entry = try #require(catalog().entries().first)
        #expect(entry.engine.state == .disabled)
        #expect(entry.engine.reason == "by the user; rostrum engines enable tone")
        #expect(catalog().fingerprint() != before)
    }

    @Test func `only engines of the installation, or trusted at their path, may use the network`() throws {
        let path = try folder.add("tone", ["permissions": ["network", "camera"], "schemes": ["https", "x"]])
        let installed = try #require(catalog(installed: true).entries().first)
        #expect(installed.granted == ["network"] && installed.engine.schemes == ["https", "x"])
        #expect(installed.engine.reason == nil && installed.confinement.network)

        let own = try #require(catalog().entries().first)
        #expect(own.granted.isEmpty && own.engine.schemes == ["x"] && own.engine.state == .available)
        #expect(own.engine.reason == "without the permission “network”; rostrum engines trust tone")
        #expect(!own.confinement.network)

        let elsewhere = EngineRecord.Trust(path: "/elsewhere/tone.engine", permissions: ["network"])
        try registry.update(tone) { $0.trust = elsewhere }
        #expect(catalog().entries().first?.granted == [])
        try registry.update(tone) { $0.trust = EngineRecord.Trust(path: path, permissions: []) }
        #expect(catalog().entries().first?.granted == [])
        try registry.update(tone) { $0.trust = EngineRecord.Trust(path: path, permissions: ["network", "camera"]) }
        #expect(catalog().entries().first?.granted == ["network"])
    }

    @Test func `a quarantine applies only to the module that caused it`() throws {
        let path = try folder.add()
        try folder.write("tone.engine/tone.so", "broken")
        let hash = try #require(ContentHash.of(path + "/tone.so"))
        try registry.quarantine(tone, hash: hash, reason: "crashed", since: "2026-01-01T00:00:00Z")
        let entry = try #require(catalog().entries().first)
        #expect(entry.engine.state == .quarantined)
        #expect(entry.engine.reason == "crashed (2026-01-01T00:00:00Z); rostrum engines clear tone")
        try folder.write("tone.engine/tone.so", "mended")
        #expect(catalog().entries().first?.engine.state == .available)
    }

    @Test func `a hash is SHA-256`() throws {
        try folder.write("abc", "abc")
        #expect(
            ContentHash.of(folder.path + "/abc")
                == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(ContentHash.of(folder.path + "/none") == nil)
        #expect(ContentHash.of(folder.path) == nil)
        // Nobody writes to this pipe.
        try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(ContentHash.of(folder.path + "/pipe") == nil)
    }

    @Test(arguments: [(64, 64), (nil, 1024), (4096, 4096)] as [(Int?, Int)])
    func `an engine gets the memory that its manifest requests`(_ asked: Int?, _ given: Int) throws {
        var changes: [String: Any] = [:]
        if let asked { changes["memory"] = asked }
        try folder.add("tone", changes)
        #expect(catalog().entries().first?.confinement.memory == given)
    }

    @Test(arguments: [0, -1, 63, 4097, Int.max]) func `an amount of memory out of range is refused`(_ memory: Int)
        throws
    {
        try folder.add("tone", ["memory": memory])
        #expect(
            catalog().entries().first?.engine.reason
                == "manifest.json: memory is \(memory) MiB; an engine may have 64 to 4096")
    }

    @Test func `the first of several engines for an extension plays it`() throws {
        try folder.add("b", ["id": "b", "extensions": ["wav", "x"]])
        try folder.add("a", ["id": "a", "extensions": ["WAV"]])
        try folder.add("c", ["id": "c", "extensions": ["wav"], "kinds": ["text"]])
        let all = catalog().entries()
        let shown = try #require(all.first { $0.engine.id == EngineID("b") })
        #expect(
            EngineConflict.of(shown, among: all) == [
                EngineConflict(
                    fileExtension: "wav", engines: [EngineID("a"), EngineID("b")], winner: EngineID("a"))
            ])
        try registry.update(EngineID("a")) { $0.isDisabled = true }
        let later = catalog().entries()
        #expect(EngineConflict.of(shown, among: later).isEmpty)
    }

    @Test func `only engines whose licence allows it are hosted in-process`() throws {
        try folder.add("tone", ["hosting": "inProcess", "license": "GPL-3.0-or-later"])
        let entry = try #require(catalog().entries().first)
        #expect(entry.hosted(inProcess: true).engine.state == .refused)
        #expect(entry.hosted(inProcess: false).engine.hosting == .isolated)
        #expect(entry.hosted(inProcess: false).engine.state == .available)
    }

    @Test func `a file that cannot be read stays where it is, and nothing is decided`() throws {
        // It stands for a file of another user, which a test that runs as root could read.
        try FileManager.default.createSymbolicLink(atPath: registry.path, withDestinationPath: registry.path)
        #expect(registry.records().isEmpty && registry.repair() == nil)
        #expect(throws: EngineRegistry.Failure.self) { try registry.update(tone) { $0.isDisabled = true } }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: registry.path) == registry.path)
    }
}
