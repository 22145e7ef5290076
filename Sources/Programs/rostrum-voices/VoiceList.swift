// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import PiperVoices
import SessionProtocol

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the voices that are installed, and those that can be.")
    @Flag(help: "Print JSON Lines, one object per voice.")
    var json = false

    func run() throws {
        let installation = try VoiceInstallation()
        let installed = installation.voices
        let choices = try VoiceChoices()
        var lines: [VoiceLine] = installed.map { VoiceLine($0, chosenFor: choices.languages(of: $0.name)) }
        lines += PublishedVoice.all.filter { voice in !installed.contains { $0.name == voice.name } }.map {
            VoiceLine($0)
        }
        lines.sort { ($0.language, $0.quality, $0.name) < ($1.language, $1.quality, $1.name) }
        // The other engine's voices are not listed, except where one was chosen.
        lines += choices.others.map { VoiceLine(named: $0.voice, chosenFor: $0.language) }
        for line in lines {
            if json {
                VoicesProgram.write(
                    STDOUT_FILENO, String(decoding: try JSONLine.encode(line), as: UTF8.self))
            } else {
                VoicesProgram.write(STDOUT_FILENO, line.text + "\n")
            }
        }
        if !json, !installed.isEmpty, !installation.hasRuntime {
            VoicesProgram.write(
                STDERR_FILENO,
                "rostrum: the library that speaks them is not installed; `rostrum voices install \(installed[0].name)` does that\n"
            )
        }
    }
}

/// A voice as it is listed.
struct VoiceLine: Encodable {
    var name: String
    var language: String
    var languageName: String
    var quality: String
    var isInstalled: Bool
    var speakers: [String]
    var license: String?
    /// The size of the model on the disk.
    var megabytes: Int64
    /// The languages whose texts it reads unless another voice is named.
    var chosenFor: [String] = []

    init(_ voice: PiperVoice, chosenFor: [String] = []) {
        self.chosenFor = chosenFor
        (name, language, languageName) = (voice.name, voice.language, voice.languageName)
        (quality, isInstalled, speakers, license) = (voice.quality, true, voice.speakers, voice.license)
        megabytes = voice.modelBytes / 1_000_000
    }

    init(_ voice: PublishedVoice) {
        (name, language, languageName) = (voice.name, voice.language, voice.languageName)
        (quality, isInstalled, speakers, license) = (voice.quality, false, [], voice.license)
        megabytes = voice.modelBytes / 1_000_000
    }

    /// Describes a voice of another engine, as `espeak:de`.
    init(named name: String, chosenFor language: String) {
        (self.name, self.language, languageName, quality) = (name, language, language, "")
        (isInstalled, speakers, license, megabytes, chosenFor) = (true, [], nil, 0, [language])
    }

    var text: String {
        guard !quality.isEmpty else { return "\(name)  chosen for \(language)" }
        var parts = [name, "\(languageName) (\(language))", quality, "\(megabytes) MB"]
        if !speakers.isEmpty { parts.append("\(speakers.count) speakers") }
        if let license { parts.append("licence: \(license)") }
        parts.append(isInstalled ? "installed" : "can be installed")
        if !chosenFor.isEmpty { parts.append("chosen for \(chosenFor.joined(separator: ", "))") }
        return parts.joined(separator: "  ")
    }
}
