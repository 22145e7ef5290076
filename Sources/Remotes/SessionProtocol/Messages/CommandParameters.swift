// SPDX-License-Identifier: Apache-2.0

/// The `params` object of any command: `{"to":"+30"}`, `{"rate":1.5}`, or the parameters of `play`.
struct CommandParameters: Codable {
    /// A time for `seek`; for `skip`, `forward` or `back`; for `chapter`, `next`, `previous` or a number.
    var to: String?
    var rate: Double?
    var volume: Double?
    /// The ID for `engine`; for `option` and `settings`, the name.
    var id: String?
    /// A verb for `engines`, `library` and `settings`; without one they list.
    var action: String?
    var path: String?
    var force: Bool?
    /// The item of an ``Address``, whose owner is the one of ``play``.
    var item: String?
    /// The maximum number of entries, for `history`.
    var limit: Int?
    /// The book after which a list continues, for `library`.
    ///
    /// Whether files are one book is in ``asOne``; the items are those of ``play``.
    var after: String?
    var offset: Int?
    var asOne: Bool?
    /// The index of a track, for `peaks`, and the part of it in milliseconds.
    var track: Int?
    var fromMs: Int64?
    var toMs: Int64?
    var atMs: Int64?
    var columns: Int?
    /// A place in a text, for `text`.
    var fromByte: Int64?
    /// `true` if this machine and its networks may be asked, for `reading`.
    var allowPrivate: Bool?
    /// The address of a server, for `server`, and who asks there.
    var url: String?
    var name: String?
    var user: String?
    var password: SecretText?
    var apiKey: SecretText?
    var play = PlayParameters()

    init() {}

    private enum Key: String, CodingKey {
        case to, rate, volume, id, action, path, force, item, limit, owner, after, offset, asOne, items, attach
        case track, fromMs, toMs, atMs, columns, fromByte, allowPrivate
        case url, name, user, password, apiKey
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        to = try members.decodeIfPresent(String.self, forKey: .to)
        rate = try members.decodeIfPresent(Double.self, forKey: .rate)
        volume = try members.decodeIfPresent(Double.self, forKey: .volume)
        id = try members.decodeIfPresent(String.self, forKey: .id)
        action = try members.decodeIfPresent(String.self, forKey: .action)
        path = try members.decodeIfPresent(String.self, forKey: .path)
        force = try members.decodeIfPresent(Bool.self, forKey: .force)
        item = try members.decodeIfPresent(String.self, forKey: .item)
        limit = try members.decodeIfPresent(Int.self, forKey: .limit)
        after = try members.decodeIfPresent(String.self, forKey: .after)
        offset = try members.decodeIfPresent(Int.self, forKey: .offset)
        asOne = try members.decodeIfPresent(Bool.self, forKey: .asOne)
        track = try members.decodeIfPresent(Int.self, forKey: .track)
        fromMs = try members.decodeIfPresent(Int64.self, forKey: .fromMs)
        toMs = try members.decodeIfPresent(Int64.self, forKey: .toMs)
        atMs = try members.decodeIfPresent(Int64.self, forKey: .atMs)
        columns = try members.decodeIfPresent(Int.self, forKey: .columns)
        fromByte = try members.decodeIfPresent(Int64.self, forKey: .fromByte)
        allowPrivate = try members.decodeIfPresent(Bool.self, forKey: .allowPrivate)
        url = try members.decodeIfPresent(String.self, forKey: .url)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        user = try members.decodeIfPresent(String.self, forKey: .user)
        password = try members.decodeIfPresent(SecretText.self, forKey: .password)
        apiKey = try members.decodeIfPresent(SecretText.self, forKey: .apiKey)
        play = try PlayParameters(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        if to == nil && rate == nil && volume == nil && id == nil && action == nil && item == nil && limit == nil
            && columns == nil && isPlain
        {
            return try play.encode(to: encoder)
        }
        var members = encoder.container(keyedBy: Key.self)
        try members.encodeIfPresent(to, forKey: .to)
        try members.encodeIfPresent(rate, forKey: .rate)
        try members.encodeIfPresent(volume, forKey: .volume)
        try members.encodeIfPresent(id, forKey: .id)
        try members.encodeIfPresent(action, forKey: .action)
        try members.encodeIfPresent(path, forKey: .path)
        try members.encodeIfPresent(force, forKey: .force)
        try members.encodeIfPresent(item, forKey: .item)
        try members.encodeIfPresent(limit, forKey: .limit)
        try members.encodeIfPresent(after, forKey: .after)
        try members.encodeIfPresent(offset, forKey: .offset)
        try members.encodeIfPresent(asOne, forKey: .asOne)
        try members.encodeIfPresent(track, forKey: .track)
        try members.encodeIfPresent(fromMs, forKey: .fromMs)
        try members.encodeIfPresent(toMs, forKey: .toMs)
        try members.encodeIfPresent(atMs, forKey: .atMs)
        try members.encodeIfPresent(columns, forKey: .columns)
        try members.encodeIfPresent(fromByte, forKey: .fromByte)
        try members.encodeIfPresent(allowPrivate, forKey: .allowPrivate)
        try members.encodeIfPresent(url, forKey: .url)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(user, forKey: .user)
        try members.encodeIfPresent(password, forKey: .password)
        try members.encodeIfPresent(apiKey, forKey: .apiKey)
        if !play.items.isEmpty { try members.encode(play.items, forKey: .items) }
        try members.encodeIfPresent(play.owner, forKey: .owner)
        try members.encodeIfPresent(play.attach, forKey: .attach)
    }

    /// `false` for a command that has no parameter but an owner.
    var isPlain = true

    /// The methods, each of which takes different members.
    enum Shape: String {
        case play, read, status, contents, pause, resume, toggle, stop, seek, skip, chapter, rate, volume, engine,
            engines,
            clip, claim, release, inspect, undo, history, sleep, option, settings, library, peaks, text,
            reading, server, log

        init?(method: String) { self.init(rawValue: method) }

        func command(_ p: CommandParameters) throws(SessionError) -> SessionCommand {
            let command = try plainCommand(p)
            guard p.play.owner != nil || p.item != nil else { return command }
            switch self {
            case .status, .contents, .pause, .resume, .toggle, .stop, .seek, .skip, .chapter, .rate, .volume, .text:
                return .addressed(Address(owner: p.play.owner, item: p.item), command)
            case .play, .read, .engine, .engines, .clip, .claim, .release, .inspect,
                .undo, .history, .sleep, .option, .settings, .library, .peaks, .reading, .server, .log:
                return command
            }
        }

        private func plainCommand(_ p: CommandParameters) throws(SessionError) -> SessionCommand {
            switch self {
            case .play: .play(p.play)
            case .read: .read(p.play)
            case .status: .status
            case .contents: .contents
            case .pause: .pause
            case .resume: .resume
            case .toggle: .toggle
            case .stop: .stop
            case .seek: .seek(try need(p.to, "to"))
            case .skip: .skip(forward: try direction(p))
            case .chapter: .chapter(try need(p.to, "to"))
            case .rate: .rate(try need(p.rate, "rate"))
            case .volume: .volume(try need(p.volume, "volume"))
            case .engine: .engine(try need(p.id, "id"))
            case .engines: try engines(p)
            case .clip: .clip(p.play)
            case .claim: .claim(try need(p.play.owner, "owner"), isAttached: p.play.attach == true)
            case .release: .release(try need(p.play.owner, "owner"))
            case .inspect: .inspect(p.play)
            case .undo: .undo
            case .history: .history(limit: p.limit ?? 20)
            case .sleep: p.to.map { .sleep($0) } ?? .sleepChoices
            case .option: .option(try need(p.id, "id"), try need(p.to, "to"))
            case .settings: .settings(try settings(p))
            case .library: .library(try library(p))
            case .peaks: .peaks(try peaks(p))
            case .text: .text(TextPassageRequest(fromByte: p.fromByte, limit: p.limit ?? TextPassageRequest.usual))
            case .reading: .reading(try reading(p))
            case .server: .server(try server(p))
            case .log: .log
            }
        }

        private func reading(_ p: CommandParameters) throws(SessionError) -> ReadingAction {
            guard let verb = ReadingAction.Verb(rawValue: p.action ?? "list") else {
                throw SessionError(.usage, "reading: no such action; see `rostrum reading --help`")
            }
            return ReadingAction(verb, id: p.id ?? "", allowPrivate: p.allowPrivate ?? false)
        }

        private func server(_ p: CommandParameters) throws(SessionError) -> ServerAction {
            guard let verb = ServerAction.Verb(rawValue: p.action ?? "list") else {
                throw SessionError(.usage, "server: no such action; see `rostrum server --help`")
            }
            var action = ServerAction(verb, id: p.id ?? "")
            (action.url, action.name, action.user) = (p.url, p.name, p.user)
            (action.password, action.apiKey) = (p.password, p.apiKey)
            return action
        }

        private func peaks(_ p: CommandParameters) throws(SessionError) -> PeaksRequest {
            PeaksRequest(
                items: try need(p.play.items.isEmpty ? nil : p.play.items, "items"), track: p.track ?? 0,
                fromMs: p.fromMs, toMs: p.toMs, atMs: p.atMs,
                columns: p.columns ?? PeaksRequest.defaultColumns)
        }

        private func engines(_ p: CommandParameters) throws(SessionError) -> SessionCommand {
            guard let action = p.action else { return .engines }
            guard let verb = EngineAction.Verb(rawValue: action) else {
                throw SessionError(.usage, "engines: no such action; see `rostrum engines --help`")
            }
            return .manageEngine(EngineAction(verb, id: p.id ?? "", path: p.path, force: p.force ?? false))
        }

        private func settings(_ p: CommandParameters) throws(SessionError) -> SettingsAction {
            switch SettingsAction.Verb(rawValue: p.action ?? "list") {
            case .list: .list
            case .get: .get(try need(p.id, "id"))
            case .set: .set(try need(p.id, "id"), toText: try need(p.to, "to"))
            case nil: throw SessionError(.usage, "settings: no such action; see `rostrum settings --help`")
            }
        }

        private func library(_ p: CommandParameters) throws(SessionError) -> LibraryAction {
            guard let verb = LibraryAction.Verb(rawValue: p.action ?? "list") else {
                throw SessionError(.usage, "library: no such action; see `rostrum library --help`")
            }
            return LibraryAction(
                verb, id: p.id ?? "", items: p.play.items, asOne: p.asOne ?? false, force: p.force ?? false,
                after: p.after, offset: p.offset ?? 0, limit: p.limit ?? LibraryAction.mostLines)
        }

        private func direction(_ p: CommandParameters) throws(SessionError) -> Bool {
            switch try need(p.to, "to") {
            case "forward": true
            case "back": false
            default: throw SessionError(.usage, "skip: \"to\" is neither \"forward\" nor \"back\"")
            }
        }

        private func need<Value>(_ value: Value?, _ name: String) throws(SessionError) -> Value {
            guard let value else { throw SessionError(.usage, "\(rawValue): \"\(name)\" is missing in params") }
            return value
        }
    }
}

extension SessionCommand {
    /// The command's name on the socket and on the command line.
    public var method: String {
        if case .podcasts = self { return PodcastAction.method }
        return shape?.rawValue ?? ClipAction.method
    }

    /// The shape of the parameters; `nil` for a command that has a type of its own for them.
    private var shape: CommandParameters.Shape? {
        switch self {
        case .play: .play
        case .read: .read
        case .status: .status
        case .contents: .contents
        case .pause: .pause
        case .resume: .resume
        case .toggle: .toggle
        case .stop: .stop
        case .seek: .seek
        case .skip: .skip
        case .chapter: .chapter
        case .rate: .rate
        case .volume: .volume
        case .engine: .engine
        case .engines, .manageEngine: .engines
        case .clip: .clip
        case .claim: .claim
        case .release: .release
        case .addressed(_, let command): command.shape
        case .inspect: .inspect
        case .undo: .undo
        case .history: .history
        case .sleep, .sleepChoices: .sleep
        case .option: .option
        case .settings: .settings
        case .library: .library
        case .peaks: .peaks
        case .text: .text
        case .reading: .reading
        case .server: .server
        case .log: .log
        case .manageClips, .podcasts: nil
        }
    }

    var parameters: CommandParameters? {
        var p = CommandParameters()
        switch self {
        case .play(let play), .read(let play), .inspect(let play), .clip(let play): p.play = play
        case .claim(let owner, let isAttached):
            p.play.owner = owner
            p.play.attach = isAttached ? true : nil
            p.isPlain = false
        case .release(let owner):
            p.play.owner = owner
            p.isPlain = false
        case .addressed(let address, let command):
            p = command.parameters ?? p
            p.play.owner = address.owner
            p.item = address.item
            p.isPlain = false
        case .seek(let time), .sleep(let time): p.to = time
        case .option(let name, let value): (p.id, p.to) = (name, value)
        case .history(let limit): p.limit = limit
        case .skip(let forward): p.to = forward ? "forward" : "back"
        case .chapter(let chapter): p.to = chapter
        case .rate(let rate): p.rate = rate
        case .volume(let volume): p.volume = volume
        case .engine(let id): p.id = id
        case .manageEngine(let action):
            p.action = action.verb.rawValue
            p.id = action.id.isEmpty ? nil : action.id
            p.path = action.path
            p.force = action.force ? true : nil
        case .library(let action):
            p.action = action.verb.rawValue
            p.id = action.id.isEmpty ? nil : action.id
            p.play.items = action.items
            p.asOne = action.asOne ? true : nil
            p.force = action.force ? true : nil
            p.after = action.after
            if action.verb == .list {
                p.offset = action.offset
                p.limit = action.limit
            }
        case .peaks(let request):
            p.play.items = request.items
            p.track = request.track
            (p.fromMs, p.toMs, p.atMs) = (request.fromMs, request.toMs, request.atMs)
            p.columns = request.columns
        case .text(let request): (p.fromByte, p.limit) = (request.fromByte, request.limit)
        case .reading(let action):
            p.action = action.verb.rawValue
            if !action.id.isEmpty { p.id = action.id }
            if action.allowPrivate { p.allowPrivate = true }
        case .server(let action):
            p.action = action.verb.rawValue
            if !action.id.isEmpty { p.id = action.id }
            (p.url, p.name, p.user) = (action.url, action.name, action.user)
            (p.password, p.apiKey) = (action.password, action.apiKey)
        case .settings(let action):
            p.action = action.verb.rawValue
            switch action {
            case .list: break
            case .get(let name): p.id = name
            case .set(let name, let value): (p.id, p.to) = (name, value ?? SettingsAction.defaultWord)
            }
        case .status, .contents, .pause, .resume, .toggle, .stop, .engines, .undo, .sleepChoices, .log, .manageClips,
            .podcasts:
            return nil
        }
        return p
    }
}
