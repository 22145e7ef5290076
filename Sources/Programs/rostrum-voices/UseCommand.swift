// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PiperVoices
import SimilarNames

struct UseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use", abstract: "Choose the voice that reads the texts of a language.",
        discussion: "`none` takes the choice back. ENGINE:VOICE names a voice of another engine, as in `espeak:en-gb`.")
    @Argument(help: "The name of an installed voice, NAME/SPEAKER, NAME#NUMBER, ENGINE:VOICE, or none.")
    var name: String
    @Option(
        help: ArgumentHelp("The language as a tag such as de or en-GB (default: that of the voice).", valueName: "tag"))
    var language: String?

    func run() throws {
        var choices = try VoiceChoices()
        let installed = try VoiceInstallation().voices
        let other = name == "none" ? nil : try EngineVoices.voice(name)
        let voice = name == "none" ? nil : try other.map { $0.chosenName(name) } ?? choice(among: installed)
        let known = installed.first { $0.name == SpokenName(neuralName).voice }
        let own = known?.language ?? other?.language
        guard let tag = language ?? own.map({ String($0.prefix { $0 != "-" }) }), !tag.isEmpty else {
            throw VoiceFailure.usage("\(name): say for which language: --language TAG")
        }
        choices.choose(voice, for: tag)
        try SiblingProgram.rostrum.replace(["settings", "set", "voices", choices.setting])
    }

    /// Returns the voice with its engine.
    private func choice(among installed: [PiperVoice]) throws(VoiceFailure) -> String {
        let asked = SpokenName(neuralName)
        guard let voice = installed.first(where: { $0.name == asked.voice }) else {
            let near = SimilarNames.advice(for: asked.voice, among: installed.map(\.name))
            throw .missing("\(name): not installed; \(near)see `rostrum voices`")
        }
        guard asked.isSpeaker(of: voice) else {
            throw .missing("\(name): \(voice.name) has no such speaker; it has \(max(1, voice.speakers.count))")
        }
        return "\(VoiceChoices.engine):\(neuralName)"
    }

    /// The name of a neural voice, which its engine may precede.
    private var neuralName: String {
        let engine = VoiceChoices.engine + ":"
        return name.hasPrefix(engine) ? String(name.dropFirst(engine.count)) : name
    }
}
