// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite struct `The events of a stream` {
    private func words(_ news: inout StreamNews) -> [String] {
        news.take().map {
            switch $0 {
            case .started(let generation): "started \(generation)"
            case .ended(let generation, let atLimit): "ended \(generation)\(atLimit ? " at the limit" : "")"
            case .starved(let generation): "starved \(generation)"
            default: "\($0)"
            }
        }
    }

    @Test func `are reported once for each generation`() {
        var news = StreamNews()
        for _ in 0..<2 {
            news.start(1)
            news.end(1, atLimit: true)
        }
        news.start(2)
        #expect(words(&news) == ["started 1", "ended 1 at the limit", "started 2"])
        #expect(words(&news) == [])
        #expect(news.hasStarted(2) && !news.hasStarted(1) && news.hasEnded(1))
    }

    @Test func `of late sound include another start`() {
        var news = StreamNews()
        news.starve(1)
        #expect(words(&news) == [], "what was not heard cannot run dry")
        news.start(1)
        news.starve(1)
        news.starve(1)
        news.supply()
        #expect(!news.hasStarted(1))
        news.start(1)
        news.starve(1)
        #expect(words(&news) == ["started 1", "starved 1", "started 1", "starved 1"])
    }

    @Test func `of sound in time include no start`() {
        var news = StreamNews(alreadyStarted: 1)
        news.supply()
        news.start(1)
        #expect(words(&news) == [])
    }

    @Test func `of a seek do not wait for sound that was late before it`() {
        var news = StreamNews(alreadyStarted: 1)
        news.starve(1)
        news.reposition()
        news.supply()
        #expect(news.hasStarted(1), "the late sound never came")
        news.start(2)
        news.starve(2)
        #expect(words(&news) == ["starved 1", "started 2", "starved 2"])
    }
}
