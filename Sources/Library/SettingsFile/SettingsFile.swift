// SPDX-License-Identifier: Apache-2.0

import AudioSession
import FoundationEssentials
import Glibc
public import MediaPlayback
import PlaybackCore

/// `$XDG_CONFIG_HOME/rostrum/settings.json`: what is a matter of taste.
///
/// Everything may be missing; times are seconds.
public struct SettingsFile: Decodable {
    /// `selectedAtLaunch` or `onDemand`.
    var initialization: InitializationPolicy?
    var loadLimit: Double?
    var startLimit: Double?
    var stuckLimit: Double?
    var networkLimit: Double?
    var recoveryAttempts: Int?
    var reconnectLimit: Double?
    var releaseAfterPause: Double?
    var resumesOnRouteReturn: Bool?
    var engineIdle: Double?
    var engineParked: Double?
    var placeInterval: Double?
    /// How far back at most after a long pause; 0: never.
    ///
    /// 60 s is the slip tolerance of saved places.
    var autoRewind: Double?
    /// How far `skip` and the arrows of a player go.
    var skipForward: Double?
    var skipBack: Double?
    var sleepFade: Double?
    /// The speed of items that were never played; missing: as the one before.
    var defaultRate: Double?
    var mono: Bool?
    /// −1 (left) to 1 (right).
    var balance: Double?
    /// LUFS; 0: as recorded.
    var loudness: Double?
    /// Silences that are longer are shortened; 0: none is.
    var skipSilence: Double?
    /// Between the chapters of a long file that has none; 0: it has none.
    var syntheticChapters: Double?
    var sessionIdle: Double?
    /// Path of a PEM file: counts over https beside the system's store.
    var trustedCertificates: String?
    /// SHA-256 of certificates of servers that are taken as they are; colons between the digits are allowed.
    var trustedFingerprints: [String]?

    public struct Settings {
        public var playback = PlaybackSettings()
        /// How long a session that nobody needs stays.
        public var sessionIdle = Duration.seconds(60)
        public var trust = WebTrust()

        public init() {}
    }

    private struct OutOfRange: Error {
        var name: String
    }

    /// The settings, and what is wrong with the file; a file with a fault changes nothing.
    public static func read(_ path: String) -> (Settings, complaint: String?) {
        guard access(path, F_OK) == 0 else { return (Settings(), nil) }
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            return (try JSONDecoder().decode(SettingsFile.self, from: data).settings(), nil)
        } catch {
            return (Settings(), "\(path): \(fault(error)); no setting of the file is used")
        }
    }

    private static func fault(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "“\(context.codingPath.last?.stringValue ?? "{}")” has a value of another kind"
        case DecodingError.dataCorrupted(let context):
            context.codingPath.last.map { "“\($0.stringValue)” has a value that is not known" } ?? "not JSON"
        case let error as OutOfRange: "“\(error.name)” is out of range"
        default: "unreadable"
        }
    }

    private func settings() throws(OutOfRange) -> Settings {
        var settings = Settings()
        func set(_ name: String, _ value: Double?, _ milliseconds: inout Int) throws(OutOfRange) {
            guard let value else { return }
            guard value >= 0, value < 86_400 else { throw OutOfRange(name: name) }
            milliseconds = Int(value * 1000)
        }
        func set(_ name: String, _ value: Double?, _ duration: inout Duration) throws(OutOfRange) {
            guard let value else { return }
            guard value >= 0, value < 86_400 * 365 else { throw OutOfRange(name: name) }
            duration = .seconds(value)
        }
        try set("loadLimit", loadLimit, &settings.playback.rules.loadLimit)
        try set("startLimit", startLimit, &settings.playback.rules.startLimit)
        try set("stuckLimit", stuckLimit, &settings.playback.rules.stuckLimit)
        try set("networkLimit", networkLimit, &settings.playback.rules.networkLimit)
        try set("reconnectLimit", reconnectLimit, &settings.playback.rules.reconnectLimit)
        try set("releaseAfterPause", releaseAfterPause, &settings.playback.rules.releaseAfterPause)
        if let recoveryAttempts {
            guard (0...100).contains(recoveryAttempts) else { throw OutOfRange(name: "recoveryAttempts") }
            settings.playback.rules.maximumAttempts = recoveryAttempts
        }
        if let resumesOnRouteReturn { settings.playback.rules.resumesOnRouteReturn = resumesOnRouteReturn }
        if let initialization { settings.playback.initialization = initialization }
        try set("engineIdle", engineIdle, &settings.playback.engineIdle)
        try set("engineParked", engineParked, &settings.playback.engineParked)
        try set("placeInterval", placeInterval, &settings.playback.placeInterval)
        if let autoRewind {
            guard (0...60).contains(autoRewind) else { throw OutOfRange(name: "autoRewind") }
            settings.playback.autoRewind = .seconds(autoRewind)
        }
        func skip(_ name: String, _ value: Double?, _ duration: inout Duration) throws(OutOfRange) {
            guard let value else { return }
            guard (1...3600).contains(value) else { throw OutOfRange(name: name) }
            duration = .seconds(value)
        }
        try skip("skipForward", skipForward, &settings.playback.skipForward)
        try skip("skipBack", skipBack, &settings.playback.skipBack)
        if let sleepFade {
            guard (0...60).contains(sleepFade) else { throw OutOfRange(name: "sleepFade") }
            settings.playback.sleepFade = .seconds(sleepFade)
        }
        if let defaultRate {
            guard (0.5...3.0).contains(defaultRate) else { throw OutOfRange(name: "defaultRate") }
            settings.playback.defaultRate = defaultRate
        }
        settings.playback.sound = try sound()
        if let syntheticChapters {
            guard syntheticChapters == 0 || (60...86_400).contains(syntheticChapters) else {
                throw OutOfRange(name: "syntheticChapters")
            }
            settings.playback.syntheticChapters = .seconds(syntheticChapters)
        }
        try set("sessionIdle", sessionIdle, &settings.sessionIdle)
        settings.trust = try trust()
        return settings
    }

    private func trust() throws(OutOfRange) -> WebTrust {
        var trust = WebTrust()
        if let path = trustedCertificates {
            guard path.hasPrefix("/") else { throw OutOfRange(name: "trustedCertificates") }
            trust.certificates = path
        }
        for fingerprint in trustedFingerprints ?? [] {
            let digits = fingerprint.lowercased().filter { $0 != ":" }
            guard digits.utf8.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                trust.fingerprints.count < WebTrust.limit
            else { throw OutOfRange(name: "trustedFingerprints") }
            trust.fingerprints.append(digits)
        }
        return trust
    }

    private func sound() throws(OutOfRange) -> SoundOptions {
        var sound = SoundOptions(isMono: mono ?? false)
        func check(
            _ name: String, _ value: Double?, _ range: ClosedRange<Double>
        ) throws(OutOfRange) -> Double? {
            guard let value, value != 0 else { return nil }
            guard range.contains(value) else { throw OutOfRange(name: name) }
            return value
        }
        sound.balance = try check("balance", balance, SoundOptions.balanceRange) ?? 0
        sound.loudness = try check("loudness", loudness, SoundOptions.loudnessRange)
        sound.silence = try check("skipSilence", skipSilence, SoundOptions.silenceRange)
        return sound
    }
}
