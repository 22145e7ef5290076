// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import PiperVoices
import SessionProtocol

/// The voices of the engine `sherpa`: started by `rostrum voices`.
@main
struct VoicesProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rostrum voices", abstract: "List, install, add and remove neural voices.",
        discussion: "`rostrum read --engine sherpa --voice NAME FILE` reads with one.",
        subcommands: [ListCommand.self, InstallCommand.self, AddCommand.self, RemoveCommand.self],
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

    static func write(_ descriptor: Int32, _ text: String) {
        _ = text.withCString { Glibc.write(descriptor, $0, strlen($0)) }
    }
}

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the voices that are installed, and those that can be.")
    @Flag(help: "Print JSON Lines, one object per voice.")
    var json = false

    func run() throws {
        let installation = try VoiceInstallation()
        let installed = installation.voices
        var lines: [VoiceLine] = installed.map { VoiceLine($0) }
        lines += PublishedVoice.all.filter { voice in !installed.contains { $0.name == voice.name } }.map {
            VoiceLine($0)
        }
        lines.sort { ($0.language, $0.quality, $0.name) < ($1.language, $1.quality, $1.name) }
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
        if !installation.hasRuntime {
            VoicesProgram.write(STDERR_FILENO, "licence: \(PublishedPackage.runtime.license)\n")
            try installation.installRuntime()
        }
        guard present == nil, let published else {
            VoicesProgram.write(STDOUT_FILENO, "\(name) is installed\n")
            return
        }
        VoicesProgram.write(STDERR_FILENO, "licence: \(published.package.license) (\(published.name))\n")
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
        try VoiceInstallation().remove(name)
        VoicesProgram.write(STDOUT_FILENO, "removed: \(name)\n")
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
    var megabytes: Int64

    init(_ voice: PiperVoice) {
        (name, language, languageName) = (voice.name, voice.language, voice.languageName)
        (quality, isInstalled, speakers, license) = (voice.quality, true, voice.speakers, voice.license)
        megabytes = voice.modelBytes / 1_000_000
    }

    init(_ voice: PublishedVoice) {
        (name, language, languageName) = (voice.name, voice.language, voice.languageName)
        (quality, isInstalled, speakers, license) = (voice.quality, false, [], voice.package.license)
        megabytes = voice.package.size / 1_000_000
    }

    var text: String {
        var parts = [name, "\(languageName) (\(language))", quality, "\(megabytes) MB"]
        if !speakers.isEmpty { parts.append("\(speakers.count) speakers") }
        if let license { parts.append("licence: \(license)") }
        parts.append(isInstalled ? "installed" : "can be installed")
        return parts.joined(separator: "  ")
    }
}
