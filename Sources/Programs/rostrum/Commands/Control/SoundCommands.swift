// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct RateCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "rate", abstract: "Set the speed.")
    @Argument(help: "The speed, 0.5 to 3.0; 1.0 is as recorded.")
    var rate: Double
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.rate(rate)) }
}

struct VolumeCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "volume", abstract: "Set the volume.")
    @Argument(help: "The volume, 0.0 to 1.0.")
    var volume: Double
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.volume(volume)) }
}

struct OptionCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "option", abstract: "Set a listening option: mono, balance, loudness or silence.",
        discussion: """
            mono on|off           play the same sound on all channels
            balance -1.0…1.0      shift the sound from left to right
            loudness on|off|LUFS  bring speech to -18 LUFS, or to a value from -31 to -12
            silence on|off|S      shorten silences over 0.5 s, or over a value from 0.3 to 1.0 s
            Each also takes default, the value in settings.json. `rostrum status` shows what is on.
            """)
    @Argument(help: "The option: mono, balance, loudness or silence.")
    var name: String
    @Argument(help: "The value: on, off, a number or default.")
    var value: String
    func command() -> SessionCommand { .option(name, value) }
}
