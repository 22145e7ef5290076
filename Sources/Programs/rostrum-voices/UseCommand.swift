// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import PiperVoices

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
        let voice = name == "none" ? nil : try choice(among: installed)
        let known = installed.first { $0.name == SpokenName(name).voice }
        guard let tag = language ?? known.map({ String($0.language.prefix { $0 != "-" }) }) else {
            throw VoiceFailure.usage("\(name): say for which language: --language TAG")
        }
        choices.choose(voice, for: tag)
        try RostrumProgram.start(["settings", "set", "voices", choices.setting])
    }

    /// Returns the voice with its engine.
    private func choice(among installed: [PiperVoice]) throws(VoiceFailure) -> String {
        if name.contains(":") { return name }
        let asked = SpokenName(name)
        guard let voice = installed.first(where: { $0.name == asked.voice }) else {
            throw .missing("\(name): not installed; see `rostrum voices`")
        }
        guard asked.isSpeaker(of: voice) else {
            throw .missing("\(name): \(voice.name) has no such speaker; it has \(max(1, voice.speakers.count))")
        }
        return "\(VoiceChoices.engine):\(name)"
    }
}

/// The program `rostrum`, which lies beside this one.
enum RostrumProgram {
    /// Runs `rostrum` in place of this program; returns only to fail.
    static func start(_ arguments: [String]) throws(VoiceFailure) {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = own.lastIndex(of: "/").map { String(own[...$0]) } ?? ""
        let program = folder + "rostrum"
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        execv(program, &words)
        throw .unavailable("cannot start \(program): \(String(cString: strerror(errno)))")
    }
}
