// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import SessionProtocol
import TerminalPlayer

/// The command that shows what servers have.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "List the books and podcasts of your servers, also when they cannot be reached.",
        discussion: """
            Without arguments it lists the libraries; with one, its items. What was seen once stays; its age is shown if \
            it is old. An ID may be shortened to a beginning that no other has. `rostrum play ID` plays an item or an \
            episode.
            """)

    enum List: String, ExpressibleByArgument, CaseIterable {
        case libraries, items, series, authors, collections, episodes
        case inProgress = "in-progress"

        var verb: BrowseAction.Verb {
            switch self {
            case .libraries: .libraries
            case .items: .items
            case .series: .series
            case .authors: .authors
            case .collections: .collections
            case .episodes: .episodes
            case .inProgress: .progress
            }
        }
    }

    @Argument(help: "The name of a server, if there are several.")
    var server: String?
    @Argument(help: "The name of a library; the server may be left out.")
    var library: String?
    @Option(help: ArgumentHelp("What to list: \(List.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "list"))
    var list: List?
    @Option(help: ArgumentHelp("List the episodes of this podcast, newest first.", valueName: "id"))
    var of: String?
    @Option(help: ArgumentHelp("Show one item or episode with its description.", valueName: "id"))
    var show: String?
    @Option(
        help: ArgumentHelp(
            "Only items with genre:X, tag:X, series:X, author:X, narrator:X or collection:X, or progress:in-progress, "
                + "progress:finished or progress:not-started; may be repeated.", valueName: "kind:value"))
    var filter: [String] = []
    @Option(help: ArgumentHelp("The order: \(BrowseAction.orders.joined(separator: ", ")).", valueName: "order"))
    var sort: String?
    @Flag(help: "Turn the order round.")
    var reverse = false
    @Option(help: ArgumentHelp("Only what has words that begin so.", valueName: "words"))
    var search: String?
    @Option(help: ArgumentHelp("The maximum number of entries.", valueName: "n"))
    var limit: Int?
    @Option(help: ArgumentHelp("The number of entries to skip first.", valueName: "n"))
    var offset = 0
    @Flag(help: "Ask the server for everything, and wait for it.")
    var refresh = false
    @Flag(help: "Print JSON Lines: an object for the page, then one per entry.")
    var json = false

    func run() throws {
        if let limit, limit < 1 { throw SessionError(.usage, "bad limit: \(limit); give 1 or more") }
        var action = BrowseAction(.libraries)
        (action.server, action.library) = (server, library)
        let wantsItems = sort != nil || search != nil || !filter.isEmpty || reverse
        if show != nil {
            (action.action, action.id) = (.show, show)
        } else if of != nil {
            (action.action, action.id) = (.episodes, of)
        } else if let list {
            action.action = list.verb
        } else if wantsItems {
            action.action = .items
        }
        action.filters = filter.isEmpty ? nil : filter
        action.sort = sort
        action.words = search.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        action.reverse = reverse ? true : nil
        if sort == "random" { action.seed = .random(in: 0..<1 << 20) }
        try SessionCommand.browse(action).validate()
        let connection = try Session.runningOrStarted()
        if refresh {
            var all = action
            all.action = .refresh
            _ = try Self.page(all, connection, seconds: 660)
        }
        if action.action == .libraries, list == nil, try Self.page(action, connection).library != nil {
            action.action = .items
        }
        try printPages(of: action, connection)
    }

    /// Lists page by page, because a library may be larger than a message.
    private func printPages(of action: BrowseAction, _ connection: SessionConnection) throws {
        var action = action
        var rest = limit ?? .max
        action.offset = offset
        var isFirst = true
        while rest > 0 {
            action.limit = min(rest, BrowseAction.mostEntries)
            let page = try Self.page(action, connection)
            try page.write(json: json, isFirst: isFirst)
            let count = max(page.items.count, page.episodes.count, page.groups.count)
            guard count == action.limit, action.action != .show else { return }
            rest -= count
            action.offset = (action.offset ?? 0) + count
            isFirst = false
        }
    }

    private static func page(
        _ action: BrowseAction, _ connection: SessionConnection, seconds: Int32 = 60
    ) throws(SessionError) -> BrowsePage {
        try decoded(try connection.call(.command(.browse(action)), seconds: seconds), as: BrowsePage.self)
    }
}
