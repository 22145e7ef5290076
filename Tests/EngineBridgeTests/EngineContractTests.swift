// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import Glibc
import MediaPlayback
import Testing

/// What a controller may rely on, wherever the engine lives.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct EngineContractTests {
    let reactor: EngineReactor

    init() throws { reactor = try EngineReactor() }

    @Test(arguments: TestHosting.allCases)
    func `a load describes the content and sound follows from its start`(_ hosting: TestHosting) async throws {
        let engine = try HostedEngine(BuildProducts.tone(hosting), reactor: reactor)
        let media = try await engine.load(LoadRequest(tones()))
        #expect(media.title == "Tones")
        #expect(media.tracks.map(\.timeline.duration) == [480_000])
        #expect(media.tracks.map(\.timeline.confidence) == [.exact])
        #expect(media.tracks.map(\.format) == [AudioFormat(sampleRate: 48_000, channels: 1)])

        var position: Int64 = 0
        var index: Int64 = 0
        while let block = engine.source.take() {
            #expect(block.position == position)
            #expect(block.index == index)
            #expect(abs(block.first - 0.25 * sin(2 * .pi * 220 * Float(position) / 48_000)) < 0.01)
            index += block.positionEnd - position
            position = block.positionEnd
            if block.isEnd { break }
        }
        #expect(position == 480_000)
        await engine.shutDown()
    }
}
