// SPDX-License-Identifier: Apache-2.0

import AudioSession
import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import SettingsFile
import Testing

@Suite struct SettingsFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ text: String) throws -> (SettingsFile.Settings, complaint: String?) {
        SettingsFile.read(try folder.write("settings.json", Data(text.utf8)))
    }

    @Test func `what the file names is set, in seconds, and nothing else`() throws {
        let (settings, complaint) = try read(
            """
            {"initialization": "onDemand", "loadLimit": 2.5, "startLimit": 1, "stuckLimit": 4, "networkLimit": 30,
             "recoveryAttempts": 1, "reconnectLimit": 60, "releaseAfterPause": 0, "resumesOnRouteReturn": true,
             "engineIdle": 1.5, "engineParked": 20, "placeInterval": 2, "sessionIdle": 3, "autoRewind": 12.5,
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
        let (plain, _) = try read("{}")
        #expect(plain.playback == PlaybackSettings())
        let (off, _) = try read(#"{"mono": false, "balance": 0, "loudness": 0, "skipSilence": 0}"#)
        #expect(off.playback == PlaybackSettings())
    }

    @Test(arguments: [
        "autoRewind\": -1", "autoRewind\": 61", "sleepFade\": -0.1", "sleepFade\": 61", "defaultRate\": 0",
        "defaultRate\": 3.5", "balance\": 1.5", "loudness\": -5", "loudness\": 3", "skipSilence\": 0.1",
        "skipSilence\": 2",
    ])
    func `a number out of its range is named`(_ member: String) throws {
        let name = member.prefix { $0 != "\"" }
        let (settings, told) = try read("{\"\(member)}")
        #expect(told?.contains("“\(name)” is out of range") == true)
        #expect(settings.playback == PlaybackSettings())
    }

    @Test func `servers are trusted by file or fingerprint, and by nothing that is neither`() throws {
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

    @Test func `no file is no complaint`() {
        let (settings, complaint) = SettingsFile.read(folder.path + "/none.json")
        #expect(settings.playback == PlaybackSettings() && complaint == nil)
    }

    @Test(arguments: [
        ("{", "not JSON; no setting of the file is used"),
        (#"{"loadLimit": "long"}"#, "“loadLimit” has a value of another kind; no setting of the file is used"),
        (
            #"{"stuckLimit": 1, "loadLimit": [1]}"#,
            "“loadLimit” has a value of another kind; no setting of the file is used"
        ),
        (
            #"{"initialization": "never"}"#,
            "“initialization” has a value that is not known; no setting of the file is used"
        ),
        (#"{"loadLimit": -1}"#, "“loadLimit” is out of range; no setting of the file is used"),
        (#"{"syntheticChapters": 1}"#, "“syntheticChapters” is out of range; no setting of the file is used"),
        (#"{"recoveryAttempts": 1000}"#, "“recoveryAttempts” is out of range; no setting of the file is used"),
    ])
    func `a file with a fault is named with it, and changes nothing`(_ text: String, _ complaint: String) throws {
        let path = try folder.write("settings.json", Data(text.utf8))
        let (settings, told) = SettingsFile.read(path)
        #expect(told == "\(path): \(complaint)")
        #expect(settings.playback == PlaybackSettings())
    }

    @Test func `a folder in its place is named`() throws {
        let (settings, told) = SettingsFile.read(folder.path)
        #expect(told == "\(folder.path): unreadable; no setting of the file is used")
        #expect(settings.playback == PlaybackSettings())
    }

    @Test func `a file that is written anew is taken up, a broken one is said once and changes nothing`() throws {
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
        #expect(line.hasSuffix("“skipForward” is out of range; no setting of the file is used"))
        guard case .unchanged = follower.look() else { Issue.record("said twice"); return }
        unlink(folder.path + "/settings.json")
        guard case .settings(let again) = follower.look() else { Issue.record("it is gone"); return }
        #expect(again.playback == PlaybackSettings())
    }
}
