// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol

struct ClipWaveformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waveform", abstract: "Show the waveform of a file, or write it to one.",
        discussion: """
            The session makes it once, in the background, and keeps it. Ctrl-C stops waiting; what is made is kept, and \
            the same command continues. --output writes a waveform data file (version 2), as audiowaveform reads it.
            """)
    @Argument(help: "A file, a folder or an .m3u, or a book of the library.")
    var item: String
    @Option(help: ArgumentHelp("The number of the file in a book of several (default: 1).", valueName: "number"))
    var track = 1
    @Option(help: ArgumentHelp("Write a waveform data file.", valueName: "file.dat"))
    var output: String?
    @Flag(help: "Replace the file if it exists.")
    var force = false
    @Option(help: ArgumentHelp("The number of columns (default: those of the terminal).", valueName: "columns"))
    var width: Int?
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        guard track > 0 else { throw SessionError(.usage, "bad track: \(track); count from 1") }
        // Descriptors and addresses have no waveform.
        let isBook = item.hasPrefix("library:")
        let items = isBook ? [item] : try ItemArguments([item], isPlayed: false).items
        let request = PeaksRequest(
            items: items, track: track - 1,
            columns: width ?? (json ? PeaksRequest.defaultColumns : WaveformWait.columns))
        let copy = output.map { WaveformCopy(path: $0, replaces: force) }
        // A file that is in the way is refused before the waveform is waited for.
        try copy?.check()
        try WaveformWait(json: json).run(request, output: copy)
    }
}
