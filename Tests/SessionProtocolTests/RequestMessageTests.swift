// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

private func parse(_ text: String) throws(RequestMessage.Rejection) -> RequestMessage {
    try RequestMessage(line: Array(text.utf8))
}

struct `A request` {
    static let everything: [SessionCommand] = {
        var play = PlayParameters()
        play.items = ["/a b/ü.m4b", "descriptor:0"]
        play.names = ["standard input"]
        play.engine = "ffmpeg"
        play.at = "1:02"
        play.until = "50%"
        play.rate = 1.5
        play.volume = 0.25
        play.owner = "main"
        play.voice = "en"
        play.headers = ["A:b"]
        play.identity = "my book"
        play.output = "null:fast"
        play.attach = true
        var clip = play
        clip.fromStart = nil
        clip.at = "1"
        clip.until = "2"
        clip.loop = true
        clip.owner = "clip-editor-1"
        var clips = ClipAction(.list, items: ["/a b/ü.m4b"])
        (clips.words, clips.since, clips.before, clips.order) = (["ü", "%"], 1, 1 << 40, .made)
        (clips.offset, clips.limit) = (3, 20)
        var added = ClipAction(.add)
        (added.start, added.end, added.note, added.tags) = ("1:02", "50%", "a\nnote \u{7}", ["one", "zwei wörter"])
        added.owner = "main"
        var played = ClipAction(.play, ids: ["7qk2"])
        (played.owner, played.loop, played.rate, played.volume) = ("clip-viewer-7qk2", true, 1.5, 0.25)
        (played.output, played.attach) = ("null", true)
        var range = ClipAction(.range)
        (range.owner, range.start, range.end, range.loop) = ("clip-editor-7qk2", "1", "2.5", true)
        var edited = ClipAction(.edit, ids: ["7qk2m9xd"])
        (edited.start, edited.end) = ("-1.5", "+1")
        var exported = ClipAction(.export, ids: ["7qk2m9xd", "a"])
        (exported.path, exported.format, exported.force) = ("/a b", "mp3", true)
        var imported = ClipAction(.import)
        imported.clips = [
            ClipInfo(
                id: "7qk2m9xd", uri: "file:///x", items: ["/x"], title: "T", author: nil, chapter: "C",
                start: .init(track: 0, units: 1, unitsPerSecond: 44_100),
                end: .init(track: 2, units: 0, unitsPerSecond: 22_050), startMs: nil, durationMs: 5, note: "n",
                tags: ["t"], createdAt: 1, changedAt: 2, sourceThere: false,
                file: .init(path: "/y", frames: 7, sampleRate: 44_100, encoded: true))
        ]
        return [
            .manageClips(clips), .manageClips(added), .manageClips(played), .manageClips(range), .manageClips(edited),
            .manageClips(exported), .manageClips(imported), .manageClips(ClipAction(.repair)),
            .manageClips(ClipAction(.show, ids: ["7"])), .manageClips(ClipAction(.delete, ids: ["7", "8"])),
            .clip(clip), .claim("clip-editor-1"), .claim("clip-editor-1", isAttached: true), .release("clip-editor-1"),
            .addressed(Address(owner: "main"), .pause), .addressed(Address(owner: "main"), .status),
            .addressed(Address(owner: "main", item: "file:///a.mp3"), .seek("+30")),
            .addressed(Address(item: "file:///a.mp3"), .skip(forward: false)),
            .addressed(Address(owner: "main"), .contents), .addressed(Address(owner: "main"), .rate(1.5)),
            .addressed(Address(owner: "main", item: "file:///a.mp3"), .volume(0.5)),
            .play(play), .play(PlayParameters()), .read(play), .inspect(play),
            .text(TextPassageRequest()), .text(TextPassageRequest(fromByte: 1 << 40, limit: 131_072)),
            .addressed(
                Address(owner: "applet", item: "file:///a.txt"), .text(TextPassageRequest(fromByte: 0, limit: 1))),
            .peaks(PeaksRequest(items: ["/a", "/b"])),
            .peaks(PeaksRequest(items: ["library:x"], track: 3, fromMs: 1, toMs: 9, atMs: 4, columns: 7)), .status,
            .contents, .pause, .resume,
            .toggle, .stop,
            .seek("+30"), .skip(forward: true), .skip(forward: false), .chapter("next"), .rate(0.5), .volume(0),
            .engine("espeak"), .engines, .log, .undo, .history(limit: 7), .sleep("+10"), .sleep("chapter"),
            .sleepChoices,
            .option("mono", "on"), .option("balance", "-0.5"),
            .settings(.list), .settings(.get("loudness")), .settings(.set("loudness", to: "-20")),
            .settings(.set("loudness", to: nil)),
            .manageEngine(EngineAction(.show, id: "tone")), .manageEngine(EngineAction(.disable, id: "tone")),
            .library(LibraryAction(.list, after: "abc", offset: 3, limit: 20)), .library(LibraryAction(.rescan)),
            .library(LibraryAction(.show, id: "7qk2m9xd")), .library(LibraryAction(.remove, id: "7qk2m9xd")),
            .library(LibraryAction(.next, id: "7qk2m9xd")),
            .library(LibraryAction(.next, id: "file:///" + String(repeating: "%C3%BC", count: 2_700))),
            .library(LibraryAction(.add, items: ["/a b/ü", "/c"], asOne: true)),
            .library(LibraryAction(.watch, items: ["/a b/ü", "/c"])), .library(LibraryAction(.watched)),
            .library(LibraryAction(.unwatch, items: ["/a b/ü"])),
            .library(LibraryAction(.pair, id: "7qk2m9xd", items: ["/c.epub"], force: true)),
            .manageEngine(EngineAction(.install, path: "/x/tone.engine", force: true)),
        ]
    }()

    @Test(arguments: everything)
    func `is the same after encoding and decoding`(command: SessionCommand) throws {
        for id in [RequestID.number(7), .string("seven"), nil] {
            let line = try RequestMessage(id: id, .command(command)).line()
            #expect(line.last == JSONLine.newline && line.count { $0 == JSONLine.newline } == 1)
            #expect(try RequestMessage(line: Array(line.dropLast())) == RequestMessage(id: id, .command(command)))
        }
    }

    @Test func `to subscribe without topics subscribes to all of them`() throws {
        #expect(try parse(#"{"jsonrpc":"2.0","method":"subscribe","id":1}"#).request == .subscribe(Subscription()))
        #expect(
            try parse(#"{"jsonrpc":"2.0","method":"subscribe","id":1,"params":{"topics":["status"]}}"#).request
                == .subscribe(Subscription([.status])))
    }

    @Test(
        arguments: [
            ("", -32700, RequestID.null), ("{", -32700, .null), ("nonsense", -32700, .null), ("\u{0}", -32700, .null),
            (#"{"jsonrpc":"2.0","method":"pause","id":1"#, -32700, .null),
            ("[]", -32600, .null), ("1", -32600, .null), ("null", -32600, .null), ("{}", -32600, .null),
            (#"[{"jsonrpc":"2.0","method":"pause","id":1}]"#, -32600, .null),
            (#"{"method":"pause","id":1}"#, -32600, .number(1)),
            (#"{"jsonrpc":"1.0","method":"pause","id":"a"}"#, -32600, .string("a")),
            (#"{"jsonrpc":"2.0","method":7,"id":1}"#, -32600, .number(1)),
            (#"{"jsonrpc":"2.0","method":"pause","id":{}}"#, -32600, .null),
            (#"{"jsonrpc":"2.0","method":"pause","id":1.5}"#, -32600, .null),
            (#"{"jsonrpc":"2.0","method":"clam","id":1}"#, -32601, .number(1)),
            (#"{"jsonrpc":"2.0","method":"claim","id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"","id":1}"#, -32601, .number(1)),
            (#"{"jsonrpc":"2.0","method":"seek","id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"seek","params":{"to":"1:99"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"seek","params":[30],"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"rate","params":{"rate":9},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"rate","params":{"rate":"1"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"volume","params":{"volume":-0.1},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"skip","params":{"to":"up"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"chapter","params":{"to":"0"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"engine","params":{"id":""},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"library","params":{"action":"next"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"library","params":{"action":"watch"},"id":1}"#, -32602, .number(1)),
            (
                #"{"jsonrpc":"2.0","method":"library","params":{"action":"unwatch","items":["a"]},"id":1}"#, -32602,
                .number(1)
            ),
            (#"{"jsonrpc":"2.0","method":"contents","params":{"owner":""},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"text","params":{"fromByte":-1},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"text","params":{"fromByte":"1"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"text","params":{"fromByte":1e30},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"text","params":{"limit":0},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"text","params":{"limit":131073},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"text","params":{"owner":""},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"play","params":{"items":"x"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"play","params":{"output":"wav:"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"play","params":{"output":"wav:out.wav"},"id":1}"#, -32602, .number(1)),
            (
                #"{"jsonrpc":"2.0","method":"play","params":{"items":["/a"],"headers":["a b:c"]},"id":1}"#, -32602,
                .number(1)
            ),
            (
                #"{"jsonrpc":"2.0","method":"play","params":{"items":["/a"],"headers":["A:b\r\nC:d"]},"id":1}"#, -32602,
                .number(1)
            ),
            (#"{"jsonrpc":"2.0","method":"play","params":{"headers":["A:b"]},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"read","params":{"identity":"a"},"id":1}"#, -32602, .number(1)),
            (#"{"jsonrpc":"2.0","method":"play","params":{"at":"1","fromStart":true},"id":1}"#, -32602, .number(1)),
            (
                #"{"jsonrpc":"2.0","method":"read","params":{"items":["/a"],"language":"de"},"id":1}"#, -32602,
                .number(1)
            ),
            (
                #"{"jsonrpc":"2.0","method":"read","params":{"items":["/a"],"pronunciations":[]},"id":1}"#, -32602,
                .number(1)
            ),
            (
                #"{"jsonrpc":"2.0","method":"read","params":{"items":["/a"],"sample":true,"language":"d e"},"id":1}"#,
                -32602, .number(1)
            ),
            (
                #"{"jsonrpc":"2.0","method":"read","params":{"items":["/a"],"sample":true,"pronunciations":"a = b"},"id":1}"#,
                -32602, .number(1)
            ),
        ] as [(String, Int, RequestID)])
    func `that is invalid is refused with its code and ID`(text: String, code: Int, id: RequestID) throws {
        let rejection = try #require(throws: RequestMessage.Rejection.self) { try parse(text) }
        #expect(rejection.error.code == code)
        #expect(rejection.id == id)
        #expect(rejection.error.sessionError.code == .usage)
    }

    @Test(arguments: [(16, 1000, false), (17, 1, true), (1, 1001, true)])
    func `with more pronunciations than one sample needs is refused`(count: Int, bytes: Int, isRefused: Bool) throws {
        let entry = "\"" + String(repeating: "x", count: bytes) + "\""
        let entries = Array(repeating: entry, count: count).joined(separator: ",")
        let text =
            #"{"jsonrpc":"2.0","method":"read","params":{"items":["/a"],"sample":true,"language":"de-AT","pronunciations":[\#(entries)]},"id":1}"#
        guard isRefused else {
            guard case .command(.read(let parameters)) = try parse(text).request else {
                Issue.record("no command to read")
                return
            }
            #expect(parameters.pronunciations?.count == count && parameters.language == "de-AT")
            return
        }
        let rejection = try #require(throws: RequestMessage.Rejection.self) { try parse(text) }
        #expect(rejection.error.message.contains("pronunciations.txt"))
    }

    @Test(arguments: [(16_380, false), (16_381, true)])
    func `with more bytes of headers than an engine accepts is refused`(bytes: Int, isRefused: Bool) throws {
        // The limit is 16,384 bytes, including the ends of both lines.
        let headers = ["A:b", "C:" + String(repeating: "d", count: bytes - 3 - 2)]
        let text =
            #"{"jsonrpc":"2.0","method":"play","params":{"items":["/a"],"headers":["\#(headers[0])","\#(headers[1])"]},"id":1}"#
        guard isRefused else {
            _ = try parse(text)
            return
        }
        let rejection = try #require(throws: RequestMessage.Rejection.self) { try parse(text) }
        #expect(rejection.error.sessionError.code == .usage)
        #expect(rejection.error.message.contains("16384 bytes"))
    }

    @Test func `with a secret in an invalid header does not repeat it in the error`() throws {
        let text = #"{"jsonrpc":"2.0","method":"play","params":{"items":["/a"],"headers":["A:secret\n"]},"id":1}"#
        let rejection = try #require(throws: RequestMessage.Rejection.self) { try parse(text) }
        #expect(!rejection.error.message.contains("secret"))
    }

    @Test func `with very deep nesting is refused without recursing into it`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: RequestMessage.Rejection.self) { try parse(deep) }
        #expect(throws: RequestMessage.Rejection.self) {
            try parse(#"{"jsonrpc":"2.0","method":"play","id":1,"params":{"items":"# + deep)
        }
    }
}

struct `An error` {
    @Test(arguments: [1, 64, 65, 66, 69, 70, 73, 74, 75, 77] as [Int32])
    func `keeps its exit code, with and without data`(exit: Int32) {
        let error = SessionError(.init(rawValue: exit), "what: which; do")
        var rpc = RPCError(error)
        #expect(rpc.sessionError == error)
        rpc.data = nil
        #expect(rpc.sessionError == error)
    }

    @Test(arguments: [
        (-32001, 1), (-32065, 65), (-32700, 64), (-32603, 70), (0, 70), (42, 70), (-1, 70), (Int.min, 70),
    ])
    func `of any code has an exit code`(code: Int, exit: Int) {
        var rpc = RPCError(code: code, message: "m", exit: .usage)
        rpc.data = nil
        #expect(Int(rpc.sessionError.code.rawValue) == exit)
    }

    @Test(arguments: [0, -1, 256, Int32.max]) func `with an invalid exit code falls back to its code`(exit: Int32) {
        var rpc = RPCError(code: -32065, message: "m", exit: .usage)
        rpc.data?.exit = exit
        #expect(rpc.sessionError.code == .badContent)
    }
}
