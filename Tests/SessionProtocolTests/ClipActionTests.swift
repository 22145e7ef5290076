// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

@Suite struct `An action on clips` {
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
            "x.ogg says no format; end the name in .m4a, .mp3, .opus, .flac, .wav, .mp4, or give --format"
        ),
        ("/a.mp3/x", nil, "x says no format; end the name in .m4a, .mp3, .opus, .flac, .wav, .mp4, or give --format"),
        (
            "/a/x.mp3", "flac",
            "x.mp3 is no name for flac; end it in .flac, or leave --format out (formats: m4a, mp3, opus, flac, wav, mp4)"
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
