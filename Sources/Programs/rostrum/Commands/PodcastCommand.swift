// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TerminalPlayer

/// The commands of podcasts.
struct PodcastCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "podcast",
        abstract: "Subscribe to podcasts, and list, refresh and mark their episodes.",
        discussion: """
            An episode is named PODCAST/EPISODE, as the list prints it; a beginning of each ID that no other has is enough.
            `rostrum play PODCAST/EPISODE` plays it, `rostrum read podcast:PODCAST/EPISODE` reads its transcript.
            """,
        subcommands: [
            PodcastListCommand.self, PodcastShowCommand.self, PodcastAddCommand.self, PodcastRemoveCommand.self,
            PodcastRefreshCommand.self, PodcastImportCommand.self, PodcastExportCommand.self,
            PodcastPlayedCommand.self, PodcastUnplayedCommand.self, PodcastKeepCommand.self,
        ], defaultSubcommand: PodcastListCommand.self)
}

struct PodcastListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the podcasts, or the episodes of one, the newest first.",
        discussion: "With --new, --unplayed or --episodes and without a podcast, the episodes of all are listed.")
    @Argument(help: "The ID or the address of a podcast.")
    var podcast: String?
    @Flag(help: "List episodes that came since the podcast was added, and that nobody has begun.")
    var new = false
    @Flag(help: "List episodes that were not heard to their end.")
    var unplayed = false
    @Flag(help: "List episodes of all podcasts.")
    var episodes = false
    @Option(help: "The most episodes that are listed, 1 to 10000.")
    var limit = 100
    @Flag(help: "Print JSON Lines, one object per podcast or episode.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit takes 1 to 10000") }
        guard !(new && unplayed) else { throw ValidationError("give one of --new and --unplayed") }
    }

    func run() throws {
        guard podcast != nil || new || unplayed || episodes else {
            let page = try PodcastQuery.send(PodcastAction(.list))
            if page.podcasts.isEmpty, !json {
                try StandardOutput.write("no podcast yet; add one with `rostrum podcast add FEED`\n")
            }
            return try page.show(json: json)
        }
        var action = PodcastAction(.episodes, ids: [podcast].compactMap(\.self))
        action.filter = new ? .new : unplayed ? .unplayed : .all
        var offset = 0
        while offset < limit {
            action.offset = offset
            action.limit = min(limit - offset, PodcastAction.mostEpisodes)
            let page = try PodcastQuery.send(action)
            try page.show(json: json, namesPodcasts: podcast == nil)
            offset += page.episodes.count
            if page.episodes.count < action.limit ?? 0 { break }
        }
        if offset == 0, !json { try StandardOutput.write("no such episodes\n") }
    }
}

struct PodcastShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all that is known of a podcast or an episode.")
    @Argument(help: "The ID of a podcast, or PODCAST/EPISODE.")
    var id: String
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let page = try PodcastQuery.send(PodcastAction(.show, ids: [id.withoutPodcastPrefix]))
        if json { return try page.show(json: true) }
        for podcast in page.podcasts { try StandardOutput.write(podcast.detail) }
        for episode in page.episodes { try StandardOutput.write(episode.detail) }
    }
}

struct PodcastAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Subscribe to a podcast, once its feed could be had.")
    @Argument(help: "The http or https address of the feed.")
    var feed: String
    @Flag(help: "Allow an address of this machine or of its networks.")
    var `private` = false
    @Flag(help: "Print JSON Lines: the podcast.")
    var json = false

    func run() throws {
        var action = PodcastAction(.add, ids: [feed])
        action.allowPrivate = `private`
        var page = try PodcastQuery.send(action, seconds: 600)
        page.episodes = []
        try page.show(json: json)
    }
}

struct PodcastRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "End a subscription; the places in its episodes are kept.")
    @Argument(help: "The IDs or the addresses of podcasts.")
    var ids: [String]

    func run() throws {
        let page = try PodcastQuery.send(PodcastAction(.remove, ids: ids))
        try StandardOutput.write(page.podcasts.map { "removed: \($0.name.printable)\n" }.joined())
    }
}

struct PodcastRefreshCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Look at feeds now, and list the episodes that are new.")
    @Argument(help: "The IDs or the addresses of podcasts; all, if none is given.")
    var ids: [String] = []
    @Flag(help: "Print JSON Lines, one object per new episode.")
    var json = false

    func run() throws {
        var page = try PodcastQuery.send(PodcastAction(.refresh, ids: ids), seconds: 600)
        page.podcasts = []
        try page.show(json: json, namesPodcasts: true)
        if page.episodes.isEmpty, page.problems.isEmpty, !json { try StandardOutput.write("nothing new\n") }
        try page.fail()
    }
}

struct PodcastImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Subscribe to the podcasts of an OPML file, as other players export it.",
        discussion: "The feeds are looked at in the background.")
    @Argument(help: "The OPML file.", completion: .file())
    var file: String
    @Flag(help: "Print JSON Lines, one object per podcast that was not there.")
    var json = false

    func run() throws {
        var action = PodcastAction(.import)
        action.path = ItemArguments.absolute(file)
        let page = try PodcastQuery.send(action, seconds: 120)
        try page.show(json: json)
        if !json { try StandardOutput.write("\(page.podcasts.count) podcasts added\n") }
    }
}

struct PodcastExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the subscriptions as OPML, for other players.")

    func run() throws {
        let page = try PodcastQuery.send(PodcastAction(.export))
        try StandardOutput.write(page.opml ?? "")
    }
}

struct PodcastPlayedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "played", abstract: "Mark episodes as played; the places in them are kept.")
    @Argument(help: "PODCAST/EPISODE, or the ID of a podcast for all its episodes.")
    var ids: [String]

    func run() throws { _ = try PodcastQuery.send(PodcastAction(.played, ids: ids.map(\.withoutPodcastPrefix))) }
}

struct PodcastUnplayedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unplayed", abstract: "Mark episodes as not played; the places in them are kept.")
    @Argument(help: "PODCAST/EPISODE, or the ID of a podcast for all its episodes.")
    var ids: [String]

    func run() throws { _ = try PodcastQuery.send(PodcastAction(.unplayed, ids: ids.map(\.withoutPodcastPrefix))) }
}

struct PodcastKeepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Say which episodes of a podcast should be on this machine.",
        discussion: "Without an option, the rule is shown.")
    @Argument(help: "The ID or the address of a podcast.")
    var podcast: String
    @Option(help: "The number of the newest episodes that should be here; 0 for none.")
    var newest: Int?
    @Flag(inversion: .prefixedNo, help: "Delete an episode when it was heard to its end.")
    var deletePlayed: Bool?
    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        var action = PodcastAction(.keep, ids: [podcast])
        (action.newest, action.deletePlayed) = (newest, deletePlayed)
        let page = try PodcastQuery.send(action)
        if json { return try page.show(json: true) }
        for podcast in page.podcasts { try StandardOutput.write("\(podcast.name.printable): \(podcast.rule)\n") }
    }
}
