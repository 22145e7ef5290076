// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FFmpegAudio

@Suite struct TrackEndTests {
    @Test func `the end is where the last audio ended`() {
        var end = TrackEnd()
        end.noteAudio(upTo: 500)
        end.noteAudio(upTo: 400)
        #expect(end.reached == nil)
        end.noteEnd()
        #expect(end.reached == 500 && end.measured == nil, "it was reached, not measured")
    }

    @Test func `a file without audio has no end`() {
        var end = TrackEnd()
        end.noteEnd()
        end.noteMeasured()
        #expect(end.reached == nil && end.measured == nil)
    }

    @Test func `a measurement counts only what is decoded after the move`() {
        var end = TrackEnd()
        end.noteAudio(upTo: 900)
        end.forgetAudio()
        end.noteAudio(upTo: 500)
        end.noteEnd()
        end.noteMeasured()
        #expect(end.measured == 500)
    }

    @Test func `a measurement of the whole file survives an interruption`() {
        var end = TrackEnd()
        end.noteAudio(upTo: 900)
        end.beginWholeFile()
        #expect(end.needsWholeFile)
        end.noteAudio(upTo: 300)
        end.noteEnd()
        end.noteMeasured()
        #expect(!end.needsWholeFile && end.measured == 300)
    }

    @Test func `a track at its end keeps its length`() {
        var end = TrackEnd()
        end.noteAudio(upTo: 500)
        end.noteEnd()
        end.forgetAudio()
        end.moveToEnd()
        end.noteEnd()
        #expect(end.reached == 500)
    }

    @Test func `an end that was found elsewhere is adopted, and an index is kept once`() {
        var end = TrackEnd()
        end.adopt(700)
        #expect(end.reached == 700 && end.measured == nil && !end.isKept)
        end.noteMeasured()
        end.noteKept()
        #expect(end.measured == 700 && end.isKept)
    }
}
