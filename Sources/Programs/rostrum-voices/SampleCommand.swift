// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import PiperVoices

struct SampleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sample", abstract: "Play a sentence in a voice; what plays goes on afterwards.")
    @Argument(help: "The name of an installed voice, NAME/SPEAKER, NAME#NUMBER or ENGINE:VOICE.")
    var name: String
    @Argument(help: "What to say (default: a sentence in the language of the voice).")
    var text: [String] = []
    @Option(help: ArgumentHelp("The speed, 0.5 to 3.0.", valueName: "r"))
    var rate: Double?

    /// A pipe takes this much without a reader.
    private static let longestText = 4096

    func run() throws {
        if let voice = try EngineVoices.voice(name) {
            return try play(
                voice.engine, String(voice.chosenName(name).dropFirst(voice.engine.count + 1)), voice.language)
        }
        let asked = SpokenName(name)
        guard let voice = try VoiceInstallation().voices.first(where: { $0.name == asked.voice }) else {
            guard PublishedVoice.all.contains(where: { $0.name == name }) else {
                throw VoiceFailure.missing("\(name): no such voice; see `rostrum voices`")
            }
            throw VoiceFailure.unavailable(
                "\(name): not installed, and its publisher has no sample that can be fetched; "
                    + "`rostrum voices install \(name)` first")
        }
        try play(VoiceChoices.engine, name, voice.language)
    }

    private func play(_ engine: String, _ voice: String, _ language: String) throws {
        let said = text.isEmpty ? Self.sentence(in: language) : text.joined(separator: " ")
        guard said.utf8.count <= Self.longestText else {
            throw VoiceFailure.usage("a sample has at most \(Self.longestText) bytes; `rostrum read` takes more")
        }
        try Self.putOnInput(said + "\n")
        let speed = rate.map { ["--rate", "\($0)"] } ?? []
        try SiblingProgram.rostrum.replace(["read", "-", "--sample", "--engine", engine, "--voice", voice] + speed)
    }

    private static func putOnInput(_ text: String) throws(VoiceFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, dup2(ends[0], STDIN_FILENO) == STDIN_FILENO else {
            throw .disk("no pipe for the sample: \(String(cString: strerror(errno)))")
        }
        _ = text.withCString { write(ends[1], $0, strlen($0)) }
        close(ends[0])
        close(ends[1])
    }

    /// Returns a sentence in a language; for a language without one, numbers, which every voice can say.
    static func sentence(in language: String) -> String {
        sentences[String(language.prefix { $0 != "-" })] ?? "1, 2, 3, 4, 5."
    }

    private static let sentences = [
        "ar": "توقف المطر، والمساء هادئ.", "ca": "Ha parat de ploure, i el vespre és tranquil.",
        "cs": "Déšť ustal a večer je klidný.", "da": "Regnen er holdt op, og aftenen er stille.",
        "de": "Der Regen hat aufgehört, und der Abend ist still.", "el": "Η βροχή σταμάτησε και το βράδυ είναι ήσυχο.",
        "en": "The rain has stopped, and the evening is quiet.",
        "es": "Ha dejado de llover, y la tarde está tranquila.",
        "fi": "Sade on lakannut, ja ilta on hiljainen.", "fr": "La pluie a cessé, et le soir est calme.",
        "hu": "Elállt az eső, és csendes az este.", "it": "Ha smesso di piovere, e la sera è tranquilla.",
        "nl": "Het is opgehouden met regenen, en de avond is stil.", "no": "Regnet har stanset, og kvelden er stille.",
        "pl": "Przestało padać i wieczór jest cichy.", "pt": "A chuva parou, e a noite está calma.",
        "ro": "Ploaia s-a oprit, iar seara este liniștită.", "ru": "Дождь перестал, и вечер тихий.",
        "sv": "Regnet har upphört, och kvällen är stilla.", "tr": "Yağmur durdu ve akşam sessiz.",
        "uk": "Дощ ущух, і вечір тихий.", "vi": "Mưa đã tạnh, và buổi tối thật yên tĩnh.",
    ]
}
