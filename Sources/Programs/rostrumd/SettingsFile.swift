// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MediaPlayback
import PlaybackCore

/// `$XDG_CONFIG_HOME/rostrum/settings.json`: what is a matter of taste.
///
/// Everything may be missing; times are seconds.
struct SettingsFile: Decodable {
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
    var sessionIdle: Double?

    struct Settings {
        var playback = PlaybackSettings()
        /// How long a session that nobody needs stays.
        var sessionIdle = Duration.seconds(60)
    }

    /// The settings, and what is wrong with the file; a file that cannot be read changes nothing.
    static func read(_ path: String) -> (Settings, complaint: String?) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return (Settings(), nil) }
        do {
            let file = try JSONDecoder().decode(SettingsFile.self, from: data)
            return (file.settings, nil)
        } catch DecodingError.dataCorrupted {
            return (Settings(), "\(path): not JSON; the settings are those of a new installation")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let name = context.codingPath.last?.stringValue ?? "?"
            return (Settings(), "\(path): “\(name)” has a value of another kind; no setting of the file is used")
        } catch {
            return (Settings(), "\(path): unreadable; no setting of the file is used")
        }
    }

    private var settings: Settings {
        var settings = Settings()
        func set(_ value: Double?, _ target: inout Int) {
            if let value, value >= 0, value < 86_400 { target = Int(value * 1000) }
        }
        func set(_ value: Double?, _ target: inout Duration) {
            if let value, value >= 0, value < 86_400 * 365 { target = .seconds(value) }
        }
        set(loadLimit, &settings.playback.rules.loadLimit)
        set(startLimit, &settings.playback.rules.startLimit)
        set(stuckLimit, &settings.playback.rules.stuckLimit)
        set(networkLimit, &settings.playback.rules.networkLimit)
        set(reconnectLimit, &settings.playback.rules.reconnectLimit)
        set(releaseAfterPause, &settings.playback.rules.releaseAfterPause)
        if let recoveryAttempts, (0...100).contains(recoveryAttempts) {
            settings.playback.rules.maximumAttempts = recoveryAttempts
        }
        if let resumesOnRouteReturn { settings.playback.rules.resumesOnRouteReturn = resumesOnRouteReturn }
        if let initialization { settings.playback.initialization = initialization }
        set(engineIdle, &settings.playback.engineIdle)
        set(engineParked, &settings.playback.engineParked)
        set(placeInterval, &settings.playback.placeInterval)
        set(sessionIdle, &settings.sessionIdle)
        return settings
    }
}
