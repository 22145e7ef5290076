// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import PiperVoices
import SessionProtocol

/// The voices and the pronunciations: started by `rostrum voices` and `rostrum pronunciations`.
@main
struct VoicesProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rostrum voices", abstract: "List, install, choose and remove voices.",
        discussion:
            "`rostrum voices use NAME` chooses one for its language; `rostrum read --engine sherpa --voice NAME FILE` "
            + "reads one text with it.",
        subcommands: [
            ListCommand.self, InstallCommand.self, AddCommand.self, UseCommand.self, SampleCommand.self,
            RemoveCommand.self, PronunciationList.self,
        ],
        defaultSubcommand: ListCommand.self)

    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as VoiceFailure {
            write(STDERR_FILENO, "rostrum: \(failure.message)\n")
            Glibc.exit(failure.code)
        } catch {
            exit(withError: error)
        }
    }

    /// Writes a text without what a terminal could obey, but lines and tabs: names come from files and engines.
    static func write(_ descriptor: Int32, _ text: String) {
        let harmless = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control where !["\n", "\r", "\t"].contains(scalar): " "
            // Without the joiners, words of some languages are wrong.
            case .format where scalar.value != 0x200C && scalar.value != 0x200D: " "
            default: scalar
            }
        }
        _ = String(String.UnicodeScalarView(harmless)).withCString { Glibc.write(descriptor, $0, strlen($0)) }
    }

    /// Writes a value as a line for a program, which gets each character as it is.
    static func write(_ value: some Encodable) throws {
        let line = try JSONLine.encode(value)
        _ = Glibc.write(STDOUT_FILENO, line, line.count)
    }
}

struct InstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Fetch a voice, and the library that speaks it.")
    @Argument(help: "The name of the voice, from `rostrum voices`.")
    var name: String

    func run() throws {
        let installation = try VoiceInstallation()
        let published = PublishedVoice.all.first { $0.name == name }
        let present = installation.voices.first { $0.name == name }
        guard published != nil || present != nil else {
            throw VoiceFailure.missing(
                "\(name): no such voice; see `rostrum voices`, or add one of Piper's with `rostrum voices add FOLDER`")
        }
        try installation.lock()
        if !installation.hasRuntime {
            VoicesProgram.write(STDERR_FILENO, "licence: \(PublishedPackage.runtime.license)\n")
            try installation.installRuntime()
        }
        guard present == nil, let published else {
            VoicesProgram.write(STDOUT_FILENO, "\(name) is installed\n")
            return
        }
        VoicesProgram.write(STDERR_FILENO, "licence: \(published.license) (\(published.name))\n")
        let voice = try installation.install(published)
        VoicesProgram.write(STDOUT_FILENO, "installed: \(VoiceLine(voice).text)\n")
    }
}

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a voice of Piper from a folder with NAME.onnx and NAME.onnx.json.")
    @Argument(help: "The folder.")
    var folder: String

    func run() throws {
        let installation = try VoiceInstallation()
        try installation.lock()
        try installation.installRuntime()
        let voice = try installation.add(folder)
        VoicesProgram.write(STDOUT_FILENO, "added: \(VoiceLine(voice).text)\n")
    }
}

struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a voice.")
    @Argument(help: "The name of the voice.")
    var name: String

    func run() throws {
        let installation = try VoiceInstallation()
        try installation.lock()
        try installation.remove(name)
        VoicesProgram.write(STDOUT_FILENO, "removed: \(name)\n")
    }
}
