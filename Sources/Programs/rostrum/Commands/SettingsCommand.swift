// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "List and change the settings.",
        subcommands: [List.self, Get.self, Set.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List every setting with its value, its default and its meaning.")
        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let result = try SettingsCommand.send(.list)
            try show(result, as: SettingsList.self, json: json) { SettingsText($0).lines }
        }
    }

    struct Get: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "get", abstract: "Show the value of a setting.")
        @Argument(help: "The name of a setting.")
        var name: String
        @Flag(help: "Print one JSON object.")
        var json = false

        func run() throws {
            let result = try SettingsCommand.send(.get(name))
            try show(result, as: SettingsList.self, json: json) { list in
                if let fault = list.fault { StandardError.write(warning: fault) }
                return list.settings.map { SettingsText.value($0.value) }
            }
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change a setting.",
            discussion: "Times are in seconds; commas separate lists. `default` removes the setting from the file.")
        @Argument(help: "The name of a setting.")
        var name: String
        @Argument(parsing: .captureForPassthrough, help: "The value, or default.")
        var value: [String]

        func run() throws { _ = try SettingsCommand.send(.set(name, toText: value.joined(separator: " "))) }
    }

    fileprivate static func send(_ action: SettingsAction) throws -> [UInt8] {
        let command = SessionCommand.settings(action)
        try command.validate()
        // The session gives up before: after 10 s.
        return try Session.runningOrStarted().call(.command(command), seconds: 15)
    }
}
