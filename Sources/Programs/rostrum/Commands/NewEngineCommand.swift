// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct NewEngineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a project for an engine of your own, which builds and plays.")

    @Argument(help: "The ID: at most 32 lower-case letters, digits and -, beginning with a letter.")
    var name: String
    @Option(help: "The language of the sources.")
    var language: EngineLanguage
    @Option(
        name: .customLong("in"), help: ArgumentHelp("The folder in which to create the project.", valueName: "folder"))
    var parent = "."

    func run() throws {
        let name = try EngineName(name)
        let folder = parent == "." ? name.id : "\(parent)/\(name.id)"
        try ProjectTemplate.installed(language).write(name, to: folder)
        try StandardOutput.write(
            """
            \(folder): \(language.describes). It is yours to change. Build it, install it for yourself, and hear it:
              make -C \(folder) install && rostrum play --engine \(name.id) \(language.example)

            """)
    }
}

/// The languages for which there is a template.
enum EngineLanguage: String, ExpressibleByArgument, CaseIterable {
    case c
    case cPlusPlus = "c++"
    case swift

    /// The example that serves as the template, as a folder of `Examples`.
    var template: String {
        switch self {
        case .c: "c-wav"
        case .cPlusPlus: "cpp-au"
        case .swift: "swift-morse"
        }
    }

    var describes: String {
        switch self {
        case .c: "an engine in C that plays WAV files"
        case .cPlusPlus: "an engine in C++ that plays .au files"
        case .swift: "an engine in Swift that reads texts in Morse code"
        }
    }

    var example: String {
        switch self {
        case .c: "FILE.wav"
        case .cPlusPlus: "FILE.au"
        case .swift: "FILE.txt"
        }
    }
}
