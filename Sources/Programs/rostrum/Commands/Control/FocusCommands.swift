// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct ClaimCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim", abstract: "Give audio focus to an owner, without starting any sound.")
    @Argument(help: "The owner's name, such as clip-editor-1.")
    var owner: String
    func command() -> SessionCommand { .claim(owner) }
}

struct ReleaseCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Return audio focus to the owner that it was taken from.")
    @Argument(help: "The owner that gives it up.")
    var owner: String
    func command() -> SessionCommand { .release(owner) }
}
