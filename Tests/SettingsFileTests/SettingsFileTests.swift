// SPDX-License-Identifier: Apache-2.0

import AudioSession
import FileTestSupport
import Foundation
import JSON
import MediaPlayback
import PlaybackCore
import Testing

@testable import SettingsFile

@Suite struct SettingsFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> (settings: Settings, complaint: String?) {
        SettingsFile(try folder.write("settings.json", Data(text.utf8))).read()
    }

    @Test func `the settings in the file are set, in seconds, and all others keep their defaults`() throws {
        let (settings, complaint) = try read(
            """
            {"initialization": "onDemand", "loadLimit": 2.5, "startLimit": 1, "stuckLimit": 4, "networkLimit": 30,
             "recoveryAttempts": 1, "reconnectLimit": 60, "releaseAfterPause": 0, "resumesOnRouteReturn": true, "preRoll": 0,
             "engineIdle": 1.5, "engineParked": 20, "placeInterval": 2, "sessionIdle": 3, "watchDelay": 2.5, "autoRewind": 12.5,
             "sleepFade": 0, "syntheticChapters": 600, "defaultRate": 1.25, "mono": true, "balance": -0.5, "loudness": -20, "skipSilence": 0.4,
             "ofALaterVersion": [1]}
            """)
        #expect(complaint == nil)
        var wanted = PlaybackSettings()
        wanted.initialization = .onDemand
        wanted.rules.loadLimit = 2_500
        wanted.rules.startLimit = 1_000
        wanted.rules.stuckLimit = 4_000
        wanted.rules.networkLimit = 30_000
        wanted.rules.maximumAttempts = 1
        wanted.rules.reconnectLimit = 60_000
        wanted.rules.releaseAfterPause = 0
        wanted.rules.resumesOnRouteReturn = true
        wanted.preRoll = 0
        wanted.engineIdle = .seconds(1.5)
        wanted.engineParked = .seconds(20)
        wanted.placeInterval = .seconds(2)
        wanted.autoRewind = .seconds(12.5)
        wanted.sleepFade = .zero
        wanted.defaultRate = 1.25
        wanted.sound = SoundOptions(isMono: true, balance: -0.5, loudness: -20, silence: 0.4)
        wanted.syntheticChapters = .seconds(600)
        #expect(settings.playback == wanted)
        #expect(settings.sessionIdle == .seconds(3))
        #expect(settings.watchDelay == .seconds(2.5))
        let (plain, _) = try read("{}")
        #expect(plain.playback == PlaybackSettings())
        let (off, _) = try read(#"{"mono": false, "balance": 0, "loudness": 0, "skipSilence": 0}"#)
        #expect(off.playback == PlaybackSettings())
    }

    @Test(arguments: [
        "autoRewind\": -1", "autoRewind\": 61", "sleepFade\": -0.1", "sleepFade\": 61", "defaultRate\": 0",
        "defaultRate\": 3.5", "balance\": 1.5", "loudness\": -5", "loudness\": 3", "skipSilence\": 0.1",
        "skipSilence\": 2", "preRoll\": 2.5",
    ])
    func `a number out of range is reported by name`(_ member: String) throws {
        let name = member.prefix { $0 != "\"" }
        let (settings, told) = try read("{\"\(member)}")
        #expect(told?.contains("“\(name)” is out of range") == true)
        #expect(settings.playback == PlaybackSettings())
    }

    @Test func `servers are trusted by file or fingerprint, and by nothing else`() throws {
        let digits = String(repeating: "ab", count: 32)
        let colons = Array(repeating: "AB", count: 32).joined(separator: ":")
        let (settings, complaint) = try read(
            #"{"trustedCertificates": "/etc/own.pem", "trustedFingerprints": ["\#(digits)", "\#(colons)"]}"#)
        #expect(complaint == nil)
        #expect(settings.trust == WebTrust(certificates: "/etc/own.pem", fingerprints: [digits, digits]))
        for wrong in [#"{"trustedCertificates": "own.pem"}"#, #"{"trustedFingerprints": ["abcd"]}"#] {
            let (settings, complaint) = try read(wrong)
            #expect(complaint?.contains("is out of range") == true)
            #expect(settings.trust == WebTrust())
        }
    }

    @Test func `the terminal player's keys are assignments, and anything else is refused`() throws {
        let (settings, complaint) = try read(#"{"playNext": true, "keys": ["pause=p", "mark==", "toggle= "]}"#)
        #expect(complaint == nil)
        #expect(settings.playsNext && settings.keys == ["pause=p", "mark==", "toggle= "])
        #expect(!Settings().playsNext && Settings().keys.isEmpty)
        let most = [String](repeating: "a=b", count: 64)
        let wrong: [(keys: JSONValue, words: String)] = [
            ("pause=p", "another kind"), ([1], "another kind"), (["pause"], "out of range"), (["=p"], "out of range"),
            (["pause="], "out of range"), (["=a=b"], "out of range"), (["=="], "out of range"), ([""], "out of range"),
            ([.string("a=" + String(repeating: "b", count: 39))], "out of range"),
            (.array((most + ["a=b"]).map(JSONValue.string)), "out of range"),
        ]
        for (keys, words) in wrong {
            let text = String(decoding: try JSONEncoder().encode(JSONValue.object(["keys": keys])), as: UTF8.self)
            let (settings, complaint) = try read(text)
            #expect(complaint?.contains(words) == true, "\(text)")
            #expect(settings == Settings())
        }
        for keys in [most, ["a=" + String(repeating: "b", count: 38)]] {
            let text = JSONValue.object(["keys": .array(keys.map(JSONValue.string))])
            #expect(try read(String(decoding: JSONEncoder().encode(text), as: UTF8.self)).settings.keys == keys)
        }
    }

    @Test func `a missing file causes no complaint`() {
        let (settings, complaint) = SettingsFile(folder.path + "/none.json").read()
        #expect(settings.playback == PlaybackSettings() && complaint == nil)
    }

    @Test(arguments: [
        ("{", "not a JSON object; the file is ignored until that is mended"),
        ("[]", "not a JSON object; the file is ignored until that is mended"),
        (
            #"{"loadLimit": "long"}"#,
            "“loadLimit” has a value of another kind; the file is ignored until that is mended"
        ),
        (
            #"{"stuckLimit": 1, "loadLimit": [1]}"#,
            "“loadLimit” has a value of another kind; the file is ignored until that is mended"
        ),
        (
            #"{"initialization": "never"}"#,
            "“initialization” has a value that is not known; the file is ignored until that is mended"
        ),
        (#"{"loadLimit": -1}"#, "“loadLimit” is out of range; the file is ignored until that is mended"),
        (#"{"syntheticChapters": 1}"#, "“syntheticChapters” is out of range; the file is ignored until that is mended"),
        (
            #"{"recoveryAttempts": 1000}"#,
            "“recoveryAttempts” is out of range; the file is ignored until that is mended"
        ),
    ])
    func `a file with a fault is reported and changes nothing`(_ text: String, _ complaint: String) throws {
        let path = try folder.write("settings.json", Data(text.utf8))
        let (settings, told) = SettingsFile(path).read()
        #expect(told == "\(path): \(complaint)")
        #expect(settings.playback == PlaybackSettings())
    }

    @Test func `a pipe, a device or an oversized file is reported and does not block`() throws {
        let pipe = folder.path + "/pipe"
        let device = folder.path + "/device"
        try #require(mkfifo(pipe, 0o600) == 0 && symlink("/dev/zero", device) == 0)
        let large = try folder.write("large", Data(repeating: 0x20, count: 1 << 20 + 1))
        for (path, fault) in [(pipe, "not a file"), (device, "not a file"), (large, "larger than 1 MiB")] {
            let (settings, complaint) = SettingsFile(path).read()
            #expect(settings == Settings())
            #expect(complaint == "\(path): \(fault); the file is ignored until that is mended")
            #expect(throws: SettingsFile.Failure.self) { try SettingsFile(path).set("mono", to: "on") }
        }
        let most = try folder.write("most", Data(#"{"mono": true}"#.utf8) + Data(repeating: 0x20, count: 1 << 20 - 14))
        #expect(SettingsFile(most).read().settings.playback.sound.isMono)
    }

    @Test func `a setting that is stored is read back, and members of a later version stay`() throws {
        let path = try folder.write("settings.json", Data(#"{"ofALaterVersion": {"a": [1, 2.5]}, "mono": true}"#.utf8))
        let file = SettingsFile(path)
        let digits = String(repeating: "AB:", count: 31) + "AB"
        let changes = [
            ("loadLimit", "32.3"), ("loudness", "\u{2212}20"), ("recoveryAttempts", "5"),
            ("resumesOnRouteReturn", "on"), ("balance", "-0.5"),
            ("initialization", "onDemand"), ("trustedCertificates", "/etc/own.pem"),
            ("trustedFingerprints", "\(digits), \(digits)"),
            ("playNext", "yes"), ("keys", "pause=p, mark=m,toggle= "),
        ]
        for (name, text) in changes { try file.set(name, to: text) }
        let settings = file.read().settings
        #expect(file.read().complaint == nil)
        #expect(settings.playback.rules.loadLimit == 32_300 && settings.playback.rules.maximumAttempts == 5)
        #expect(settings.playback.sound == SoundOptions(isMono: true, balance: -0.5, loudness: -20))
        #expect(settings.playback.rules.resumesOnRouteReturn && settings.playback.initialization == .onDemand)
        #expect(settings.playsNext && settings.keys == ["pause=p", "mark=m", "toggle= "])
        #expect(settings.trust.certificates == "/etc/own.pem" && settings.trust.fingerprints.count == 2)
        for name in changes.map(\.0) + ["mono", "skipBack"] { try file.set(name, to: nil) }
        #expect(file.read().settings == Settings())
        let left = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(left == ["ofALaterVersion": ["a": [1, 2.5]]])
    }

    @Test func `every setting rejects an invalid value and accepts its default`() throws {
        for setting in Setting.table {
            var settings = Settings()
            let known = setting.read(settings)
            #expect(throws: Never.self) { try setting.apply(known, to: &settings) }
            #expect(settings == Settings(), "\(setting.name)")
            #expect(throws: Setting.Fault.self, "\(setting.name)") { try setting.apply(["x": 1], to: &settings) }
        }
        #expect(Set(Setting.table.map(\.name)).count == Setting.table.count)
    }

    @Test func `a file with a fault is not overwritten`() throws {
        let path = try folder.write("settings.json", Data(#"{"loadLimit": "long"}"#.utf8))
        do throws(SettingsFile.Failure) {
            try SettingsFile(path).set("mono", to: "on")
            Issue.record("the file has a fault")
        } catch {
            #expect(error.reason == .damaged && error.message.contains("“loadLimit” has a value of another kind"))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == #"{"loadLimit": "long"}"#)
    }

    @Test func `a link is followed, and a missing folder is created`() throws {
        let file = SettingsFile(folder.path + "/new/settings.json")
        try file.set("mono", to: "on")
        let link = folder.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        try SettingsFile(link).set("skipBack", to: "10")
        #expect(file.read().settings.playback.skipBack == .seconds(10))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file.path)
    }

    /// `ROSTRUM_RECORD=1` writes the document.
    ///
    /// The test fails all the same.
    @Test func `docs/settings.md has the table of settings`() throws {
        let path = #filePath.prefix(upTo: #filePath.range(of: "/Tests/")!.lowerBound) + "/docs/settings.md"
        let document = try String(contentsOfFile: String(path), encoding: .utf8)
        let begin = try #require(document.range(of: "| name |"))
        let end =
            document.range(of: "\n\n", range: begin.lowerBound..<document.endIndex)?.lowerBound ?? document.endIndex
        let current = SettingsTable(Setting.table).text
        if ProcessInfo.processInfo.environment["ROSTRUM_RECORD"] != nil {
            let new = document.replacingCharacters(in: begin.lowerBound..<end, with: current)
            try Data(new.utf8).write(to: URL(fileURLWithPath: String(path)))
        }
        #expect(document[begin.lowerBound..<end] == current)
    }

    @Test func `a folder in place of the file is reported`() throws {
        let (settings, told) = SettingsFile(folder.path).read()
        #expect(told == "\(folder.path): not a file; the file is ignored until that is mended")
        #expect(settings.playback == PlaybackSettings())
    }

    @Test func `a changed file takes effect, and a file with a fault is reported once and changes nothing`() throws {
        var follower = SettingsFollower(folder.path + "/settings.json")
        guard case .settings(let none) = follower.look() else { Issue.record("no settings"); return }
        #expect(none.playback == PlaybackSettings())
        guard case .unchanged = follower.look() else { Issue.record("nothing was written"); return }
        _ = try folder.write("settings.json", Data(#"{"skipForward": 15, "skipBack": 10}"#.utf8))
        guard case .settings(let some) = follower.look() else { Issue.record("it was written"); return }
        #expect(some.playback.skipForward == .seconds(15) && some.playback.skipBack == .seconds(10))
        guard case .unchanged = follower.look() else { Issue.record("nothing was written"); return }
        _ = try folder.write("settings.json", Data(#"{"skipForward": 0}"#.utf8))
        guard case .complaint(let line) = follower.look() else { Issue.record("it is out of range"); return }
        #expect(line.hasSuffix("“skipForward” is out of range; the file is ignored until that is mended"))
        guard case .unchanged = follower.look() else { Issue.record("said twice"); return }
        unlink(folder.path + "/settings.json")
        guard case .settings(let again) = follower.look() else { Issue.record("it is gone"); return }
        #expect(again.playback == PlaybackSettings())
    }
}
