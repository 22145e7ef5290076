// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import PiperVoices

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the voices: those that are there, and neural ones that can be installed.",
        discussion: "Voices of other engines are listed for your languages only, unless you ask for more.")
    @Flag(help: "List the voices of all languages.")
    var all = false
    @Option(help: ArgumentHelp("List the voices of one language, as in de or en-GB.", valueName: "tag"))
    var language: String?
    @Flag(help: "Print JSON Lines, one object per voice; without --language, all of them.")
    var json = false

    func run() throws {
        let installation = try VoiceInstallation()
        let installed = installation.voices
        let choices = try VoiceChoices()
        var lines: [VoiceLine] = installed.map { VoiceLine($0, chosenFor: choices.languages(of: $0.name)) }
        lines += PublishedVoice.all.filter { voice in !installed.contains { $0.name == voice.name } }.map {
            VoiceLine($0)
        }
        let others = try EngineVoices.all()
        lines += others.map { VoiceLine($0, chosenFor: choices.languages(ofOther: $0.fullName)) }
        // A choice that its engine does not know any more must be seen.
        lines += choices.others.filter { choice in !others.contains { $0.fullName == choice.voice.beforePlus } }.map {
            VoiceLine(named: $0.voice, chosenFor: $0.language)
        }
        lines.sort { $0.order < $1.order }
        let isWanted = isWanted(by: choices)
        let wanted = lines.filter(isWanted)
        for line in wanted {
            if json {
                try VoicesProgram.write(line)
            } else {
                VoicesProgram.write(STDOUT_FILENO, line.text + "\n")
            }
        }
        guard !json else { return }
        if wanted.count < lines.count, language == nil {
            let languages = Set(lines.filter { !isWanted($0) }.map { LanguageRange.primary($0.language) }).count
            VoicesProgram.write(
                STDOUT_FILENO,
                "\(lines.count - wanted.count) more, in \(languages) languages: `rostrum voices --all`, or --language TAG\n"
            )
        }
        if let language, wanted.isEmpty {
            throw VoiceFailure.missing("\(language): no voice speaks that; `rostrum voices --all` lists all")
        }
        if !installed.isEmpty, !installation.hasRuntime {
            VoicesProgram.write(
                STDERR_FILENO,
                "rostrum: the library that speaks neural voices is not installed; `rostrum voices install \(installed[0].name)` does that\n"
            )
        }
    }

    private func isWanted(by choices: VoiceChoices) -> (VoiceLine) -> Bool {
        if let language {
            let range = LanguageRange(language)
            return { range.contains($0.language) }
        }
        if all || json { return { _ in true } }
        let ranges = LanguageRange.ofListener
        return { line in
            line.engine == VoiceChoices.engine || !line.chosenFor.isEmpty
                || ranges.contains { $0.contains(line.language) }
        }
    }
}

/// A voice as it is listed.
struct VoiceLine: Encodable {
    var name: String
    var engine: String
    var language: String
    var languageName: String
    /// The grade that a neural voice's maker gave it, or `formant` for a voice that is computed without recordings.
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
        engine = VoiceChoices.engine
        (name, language, languageName) = (voice.name, voice.language, voice.languageName)
        (quality, isInstalled, speakers, license) = (voice.quality, true, voice.speakers, voice.license)
        megabytes = voice.modelBytes / 1_000_000
    }

    init(_ voice: PublishedVoice) {
        engine = VoiceChoices.engine
        (name, language, languageName) = (voice.name, voice.language, voice.languageName)
        (quality, isInstalled, speakers, license) = (voice.quality, false, [], voice.license)
        megabytes = voice.modelBytes / 1_000_000
    }

    init(_ voice: EngineVoiceEntry, chosenFor: [String]) {
        (name, engine, language) = (voice.fullName, voice.engine, voice.language)
        languageName = voice.about ?? voice.language
        quality = voice.engine == "espeak" ? "formant" : ""
        (isInstalled, speakers, license, megabytes) = (true, [], nil, 0)
        self.chosenFor = chosenFor
    }

    /// Describes a voice of which nothing but the choice is known.
    init(named name: String, chosenFor language: String) {
        (self.name, self.language, languageName, quality) = (name, language, language, "")
        engine = String(name.prefix { $0 != ":" })
        (isInstalled, speakers, license, megabytes, chosenFor) = (false, [], nil, 0, [language])
    }

    /// The place in a list: by language, then neural voices first.
    var order: (String, Int, String, String) {
        (LanguageRange.primary(language), engine == VoiceChoices.engine ? 0 : 1, quality, name)
    }

    var text: String {
        var parts = [name, "\(languageName) (\(language))"]
        if !quality.isEmpty { parts.append(quality) }
        if megabytes > 0 || engine == VoiceChoices.engine { parts.append("\(megabytes) MB") }
        if !speakers.isEmpty { parts.append("\(speakers.count) speakers") }
        if let license { parts.append("licence: \(license)") }
        if engine == VoiceChoices.engine {
            parts.append(isInstalled ? "installed" : "can be installed")
        } else if !isInstalled {
            parts.append("not found")
        }
        if !chosenFor.isEmpty { parts.append("chosen for \(chosenFor.joined(separator: ", "))") }
        return parts.joined(separator: "  ")
    }
}
