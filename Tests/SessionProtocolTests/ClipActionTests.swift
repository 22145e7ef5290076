// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

@Suite struct `An action on clips` {
    private static func clip(_ id: String = "7qk2m9xd", items: [String] = ["/x"]) -> ClipInfo {
        ClipInfo(
            id: id, uri: "file:///x", items: items, title: "T", author: nil, chapter: nil,
            start: .init(track: 0, units: 1, unitsPerSecond: 44_100),
            end: .init(track: 0, units: 44_101, unitsPerSecond: 44_100), startMs: nil, durationMs: nil, note: "",
            tags: [], createdAt: 1, changedAt: 1, sourceThere: true, file: nil)
    }

    private func refusal(_ action: ClipAction) -> String? {
        do throws(SessionError) {
            try SessionCommand.manageClips(action).validate()
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [ClipAction.Verb.show, .play, .edit], [0, 2, 201])
    func `on one clip is refused for another number of them`(_ verb: ClipAction.Verb, _ count: Int) {
        #expect(
            refusal(ClipAction(verb, ids: (0..<count).map { "\($0)" }))
                == "clip \(verb.rawValue): give the id of one clip; see `rostrum clip list`")
    }

    @Test func `on several clips is refused for too many`() {
        #expect(
            refusal(ClipAction(.delete, ids: (0...200).map { "\($0)" }))
                == "clip delete: more than 200 clips; name fewer at once")
    }

    @Test(arguments: [
        ["descriptor:0"], ["book.mp3"], ["../book.mp3"], ["/x", "y"], [""], ["http://"], ["library:"], ["tone:440"],
    ])
    func `brings in no clip whose source is another one in each session`(_ items: [String]) {
        var action = ClipAction(.import)
        action.clips = [Self.clip("1"), Self.clip("2", items: items)]
        #expect(refusal(action)?.hasPrefix("clip import: ") == true)
        #expect(refusal(action)?.contains("clip \"2\"") == true)
    }

    @Test(arguments: [["/a b.mp3"], ["file:///a"], ["HTTPS://host/x"], ["http://host"], ["library:7q"], ["/1", "/2"]])
    func `brings in a clip of a file, an address or a book`(_ items: [String]) {
        var action = ClipAction(.import)
        action.clips = [Self.clip(items: items)]
        #expect(refusal(action) == nil)
    }

    @Test(arguments: [
        ("/a/x.mp3", nil, "mp3"), ("/a/x.MP3", nil, "mp3"), ("/a/x.flac", "flac", "flac"), ("/a/x.ogg", "opus", "opus"),
        ("/a/x", "wav", "wav"), ("/a.mp3/.m4a", "wav", "wav"),
    ])
    func `exports in the format of the name, or in the one that is asked for`(
        _ path: String, _ asked: String?, _ format: String
    ) throws {
        #expect(try ClipAction.format(asked, ofFile: path) == format)
    }

    @Test(arguments: [
        (
            "/a/x.ogg", nil,
            "x.ogg says no format; end the name in .m4a, .mp3, .opus, .flac, .wav, .mp4, .txt, .md, or give --format"
        ),
        (
            "/a.mp3/x", nil,
            "x says no format; end the name in .m4a, .mp3, .opus, .flac, .wav, .mp4, .txt, .md, or give --format"
        ),
        (
            "/a/x.mp3", "flac",
            "x.mp3 is no name for flac; end it in .flac, or leave --format out (formats: m4a, mp3, opus, flac, wav, mp4, txt, md)"
        ),
    ])
    func `exports under no name that says another format or none`(
        _ path: String, _ asked: String?, _ words: String
    ) {
        let error = #expect(throws: SessionError.self) { try ClipAction.format(asked, ofFile: path) }
        #expect(error?.message == "clip export: " + words)
        #expect(error?.code == .usage)
    }
}
