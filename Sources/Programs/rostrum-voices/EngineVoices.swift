// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SessionProtocol
import SimilarNames

/// A voice of another engine than the neural one, as that engine lists it.
struct EngineVoiceEntry {
    var engine: String
    var name: String
    /// A BCP 47 tag; empty if it is not known.
    var language: String
    var about: String?

    /// The name by which a listener chooses it.
    var fullName: String { "\(engine):\(name)" }

    /// Returns the full name with the variant of the name by which a listener called it.
    func chosenName(_ name: String) -> String {
        fullName + (name.firstIndex(of: "+").map { String(name[$0...]) } ?? "")
    }

    /// `true` if a listener may name it so: by its name, its language or its title, with or without a variant as in `en+f3`.
    func isCalled(_ name: String) -> Bool {
        let asked = name.prefix { $0 != "+" }.lowercased()
        return [self.name, language, about ?? ""].contains { $0.lowercased() == asked }
    }
}

/// The voices of the engines that list them themselves, each in a process of its own.
enum EngineVoices {
    /// Returns the voices of all engines but the neural one, and tells of those that cannot be asked.
    static func all() throws(VoiceFailure) -> [EngineVoiceEntry] {
        try list(["--except", VoiceChoices.engine]) { engine, error throws(VoiceFailure) in
            VoicesProgram.write(STDERR_FILENO, "rostrum: the voices of \(engine) cannot be listed: \(error.message)\n")
        }
    }

    /// Returns the voice that a name of the form ENGINE:VOICE means; `nil` for any other name.
    ///
    /// Throws if there is none, with those that may have been meant. An engine that lists none may have any: it knows the name.
    static func voice(_ name: String) throws(VoiceFailure) -> EngineVoiceEntry? {
        guard let colon = name.firstIndex(of: ":") else { return nil }
        let (engine, asked) = (String(name[..<colon]), String(name[name.index(after: colon)...]))
        guard engine != VoiceChoices.engine else { return nil }
        let plain = asked.beforePlus
        guard !plain.isEmpty else {
            throw .usage("\(name): which voice of \(engine)? see `rostrum voices --all`")
        }
        let voices = try list(["--engine", engine]) { _, error throws(VoiceFailure) in
            throw VoiceFailure(error.message, error.code.rawValue)
        }
        guard !voices.isEmpty else { return EngineVoiceEntry(engine: engine, name: plain, language: "", about: nil) }
        if let voice = voices.first(where: { $0.isCalled(asked) }) { return voice }
        let near = SimilarNames.advice(for: asked, among: voices.flatMap { [$0.name, $0.language] })
        throw .missing("\(name): \(engine) has no such voice; \(near)see `rostrum voices --all`")
    }

    private static func list(
        _ arguments: [String], _ fail: (String, SessionError) throws(VoiceFailure) -> Void
    ) throws(VoiceFailure) -> [EngineVoiceEntry] {
        var voices: [EngineVoiceEntry] = []
        let output = try SiblingProgram.session.output(of: ["list-voices"] + arguments)
        for line in output.split(separator: JSONLine.newline) {
            switch try? JSONDecoder().decode(EngineVoiceLine.self, from: Data(line)) {
            case .voice(let engine, let name, let language, let about):
                voices.append(EngineVoiceEntry(engine: engine, name: name, language: language, about: about))
            case .failed(let engine, let error): try fail(engine, error)
            case nil: continue
            }
        }
        return voices
    }
}
