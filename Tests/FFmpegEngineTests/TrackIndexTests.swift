// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    /// Tests of an index: the results of reading a file once, given back at the next opening.
    @Suite struct TrackIndexTests {
        static let files = [
            "bare.mp3", "vbr.mp3", "plain.aac", "matroska.mka", "vorbis.mka", "opus.webm", "flac16.flac", "wma.wma",
            "fragments.mp4",
        ]

        private func probe(_ file: String, index: [UInt8]? = nil) throws -> EngineProbe {
            try EngineProbe(
                FFmpegEngineTests.library.get(), sources: [.file(Fixtures.path(file))],
                indexes: index.map { [0: $0] } ?? [:])
        }

        private func measured(_ file: String) throws -> (duration: Int64, index: [UInt8]) {
            let probe = try probe(file)
            try probe.load()
            let duration = try probe.measure()
            return (duration, try #require(try probe.index(), "\(file)"))
        }

        @Test(arguments: files)
        func `with an index the length is exact at once, and a seek sounds the same`(_ file: String) throws {
            let (duration, index) = try measured(file)
            var firsts: [[Float]] = []
            for index in [nil, index] {
                let probe = try probe(file, index: index)
                try probe.load()
                if index != nil {
                    #expect(try probe.track().duration == duration)
                    #expect(try probe.track().confidence == ROSTRUM_CONFIDENCE_EXACT)
                    #expect(try probe.measure() == duration)
                }
                var heard: [Float] = []
                for place in [duration - 5000, duration / 2, 1, duration / 3] {
                    try probe.seek(position: place)
                    let block = try probe.render()
                    #expect(block.position == place)
                    heard += block.samples.prefix(64)
                }
                firsts.append(heard)
                let rest = try probe.renderAll(keepingSamples: false)
                #expect(rest.runs.last?.end == duration)
            }
            #expect(firsts[0] == firsts[1])
        }

        @Test func `there is no index before the track was measured`() throws {
            let probe = try probe("bare.mp3")
            try probe.load()
            #expect(try probe.index() == nil)
            _ = try probe.measure()
            #expect(try probe.index(track: 0) != nil)
        }

        @Test func `an index of another file or version, or one that is cut off, is not used`() throws {
            let (duration, own) = try measured("bare.mp3")
            let foreign = try ["vbr.mp3", "plain.aac", "flac16.flac"].map { try measured($0).index }
            let plain = try probe("bare.mp3")
            try plain.load()
            let claimed = try plain.track()
            var newer = own
            newer[0] = 200
            for index in foreign + [newer, Array(own.dropLast()), own + [0], [], [1], Array(own.prefix(8))] {
                let probe = try probe("bare.mp3", index: index)
                try probe.load()
                #expect(try probe.track().confidence == claimed.confidence)
                #expect(try probe.track().duration == claimed.duration)
                #expect(try probe.measure() == duration)
            }
        }

        @Test func `an index with any wrong byte does no harm`() throws {
            for file in ["bare.mp3", "matroska.mka"] {
                let (_, own) = try measured(file)
                for place in own.indices {
                    var bad = own
                    bad[place] ^= 1 << UInt8(place % 8)
                    let probe = try probe(file, index: bad)
                    try probe.load()
                    // A wrong length may cut the sound short; it may neither cause a failure nor move the position.
                    try probe.seek(position: 200_000)
                    let block = try probe.render()
                    #expect(block.isEnd || block.position == 200_000, "\(file) \(place)")
                }
            }
        }

        @Test(arguments: ["bare.mp3", "matroska.mka", "wma.wma"])
        func `interrupted measuring resumes`(_ file: String) throws {
            let (duration, index) = try measured(file)
            let probe = try probe(file)
            try probe.load()
            for _ in 0..<5 {
                probe.interrupt()
                #expect(throws: ProbeFailure.self) { try probe.measure() }
                probe.resetInterrupt()
            }
            #expect(try probe.index() == nil)
            #expect(try probe.measure() == duration)
            #expect(try probe.index() == index)
        }
    }
}
