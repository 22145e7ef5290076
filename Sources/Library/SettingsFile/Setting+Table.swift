// SPDX-License-Identifier: Apache-2.0

import AudioSession
import MediaPlayback
import PlaybackCore

extension Setting {
    /// Every setting there is.
    ///
    /// The parser of the file, `rostrum settings`, the protocol and `docs/settings.md` come from this table.
    public static let table: [Setting] = [
        .choice(
            "initialization", \.playback.initialization, effect: .start,
            "prepares the engine that was used last when the session starts, or none before it is needed"),
        .seconds("loadLimit", \.playback.rules.loadLimit, "how long an item may take to open"),
        .seconds("startLimit", \.playback.rules.startLimit, "how long the first sound may take"),
        .seconds("stuckLimit", \.playback.rules.stuckLimit, "how long playback may make no progress"),
        .seconds("networkLimit", \.playback.rules.networkLimit, "replaces `startLimit` and `stuckLimit` for http(s)"),
        .count(
            "recoveryAttempts", \.playback.rules.maximumAttempts, 0...100,
            "how often recovery is tried before playback fails"),
        .seconds("reconnectLimit", \.playback.rules.reconnectLimit, "how long a lost sound server is looked for"),
        .seconds(
            "releaseAfterPause", \.playback.rules.releaseAfterPause, zeroMeans: "never",
            "how long a pause may last before the device is released"),
        .number(
            "preRoll", \.playback.preRoll, 0...2, unit: "s",
            "the silence before the first sound of a device that was asleep; without it, as long as such a device needs"
        ),
        .flag(
            "resumesOnRouteReturn", \.playback.rules.resumesOnRouteReturn,
            "resumes playback when headphones are plugged in again"),
        .seconds(
            "engineIdle", \.playback.engineIdle, anyTime, "how long an engine without an item stays"),
        .seconds(
            "engineParked", \.playback.engineParked, anyTime,
            "how long an engine keeps its item after playback moved to another engine"),
        .seconds("placeInterval", \.playback.placeInterval, anyTime, "how often the place is saved while playing"),
        .seconds(
            "autoRewind", \.playback.autoRewind, 0...60, zeroMeans: "never",
            "how far playback goes back at most after a long pause"),
        .seconds(
            "syntheticChapters", \.playback.syntheticChapters, 60...86_400, zeroMeans: "none",
            "how far apart the chapters are that a long file without chapters gets"),
        .seconds("skipForward", \.playback.skipForward, 1...3600, "how far `skip forward` and the right arrow go"),
        .seconds("skipBack", \.playback.skipBack, 1...3600, "how far `skip back` and the left arrow go"),
        .seconds("sleepFade", \.playback.sleepFade, 0...60, "how long the sleep timer fades out"),
        .number(
            "defaultRate", \.playback.defaultRate, 0.5...3,
            "the speed of an item that was never played; without it, that of the item before"),
        .flag("mono", \.playback.sound.isMono, "plays all channels mixed"),
        .number(
            "balance", \.playback.sound.balance, SoundOptions.balanceRange, "where the sound is: −1 is left, 1 is right"
        ),
        .number(
            "loudness", \.playback.sound.loudness, SoundOptions.loudnessRange, unit: "LUFS", zeroMeans: "as recorded",
            "the loudness that speech is brought to"),
        .number(
            "skipSilence", \.playback.sound.silence, SoundOptions.silenceRange, unit: "s", zeroMeans: "none",
            "the length above which a silence is shortened"),
        .seconds("sessionIdle", \.sessionIdle, anyTime, "how long an idle session stays before it exits"),
        .seconds(
            "watchDelay", \.watchDelay, anyTime,
            "how long a watched folder must rest before the library takes up what changed in it"),
        .flag("inhibitSleep", \.inhibitsSleep, "keeps the machine from going to sleep by itself while something plays"),
        .flag("notices", \.showsNotices, "shows a notice on the desktop if something needs the listener"),
        .choice(
            "remoteTimeline", \.remoteTimeline, effect: .live,
            "whether position and length on desktop shells and lock screens are the book's or the chapter's"),
        .choice(
            "remoteButtons", \.remoteButtons, effect: .live,
            "whether the keys for the next and the previous track skip, or move by chapters"),
        .flag("remoteRecords", \.playback.recordsRemotes, "records each command of a remote in the log"),
        .flag(
            "playNext", \.playsNext,
            "starts the next book of the folder 15 s after the end of one, in the terminal player"),
        .seconds("clipBefore", \.clipBefore, 0...3600, "how much of a new clip lies before the place where it is made"),
        .seconds("clipAfter", \.clipAfter, 0...3600, "how much of a new clip lies behind that place"),
        .flag("clipFiles", \.keepsClipFiles, "makes a file of its own for each clip, which outlives the book"),
        .flag(
            "readMatter", \.reading.readsMatter, effect: .document,
            "reads the title page, the table of contents, licences and what comes behind the end of a book aloud"),
        .flag(
            "readNotes", \.reading.readsNotes, effect: .document,
            "reads footnotes aloud, at the end of their paragraph"),
        .flag("readCode", \.reading.readsCode, effect: .document, "reads blocks of code aloud"),
        .flag("readFormulas", \.reading.readsFormulas, effect: .document, "reads formulas aloud"),
        .flag("readTables", \.reading.readsTables, effect: .document, "reads tables aloud, row by row"),
        .flag(
            "readCaptions", \.reading.readsCaptions, effect: .document,
            "reads the captions of pictures and tables aloud"),
        .flag("sayEmoji", \.reading.saysEmoji, effect: .document, "says emoji by their names"),
        .voices(
            "voices", \.playback.voices, most: 64,
            "the voice of texts in a language, such as `en=sherpa:en_US-joe-medium`; `rostrum voices use` sets it"),
        .assignments("keys", \.keys, most: 64, "keys of the terminal player, such as `pause=p`"),
        .path(
            "trustedCertificates", \.trust.certificates,
            "a PEM file of authorities that are trusted beside those of the system"),
        .fingerprints(
            "trustedFingerprints", \.trust.fingerprints, most: WebTrust.limit,
            "certificates of servers that are trusted as they are; a refusal names the fingerprint"),
    ]

    private static let anyTime = 0...SettingValues.practicallyEndless

    /// The setting with this name, or `nil` if there is none.
    public static func named(_ name: String) -> Setting? { table.first { $0.name == name } }
}
