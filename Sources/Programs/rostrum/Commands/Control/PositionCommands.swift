// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct SeekCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek",
        abstract: "Go to a position, or move by a time: 90, 1:02:03, 1h2m3s, 50%, ch:12, track:2+1:30, +30, -30.",
        discussion: """
            In a text also sentence:+1 and paragraph:-1, sentence:12 and paragraph:3 counted from 1, page:12 as it is \
            printed, and byte:4096.
            """)
    @Argument(help: "The position, or with + or - the time to move by.")
    var time: String
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.seek(time)) }
    var startsSession: Bool { options.owner == nil }
}

struct SkipCommand: ControlCommand {
    enum Direction: String, ExpressibleByArgument, CaseIterable { case forward, back }
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Skip 25 s forward or 30 s back, or as the settings skipForward and skipBack say.")
    @Argument(help: "The direction: forward or back.")
    var direction: Direction
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.skip(forward: direction == .forward)) }
}

struct ChapterCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "chapter", abstract: "Go to a chapter.")
    @Argument(help: "A chapter number from 1, next or previous.")
    var chapter: String
    @OptionGroup var options: AddressOptions
    func command() -> SessionCommand { options.address(.chapter(chapter)) }
    var startsSession: Bool { options.owner == nil }
}
