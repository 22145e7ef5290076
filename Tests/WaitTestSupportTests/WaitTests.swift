// SPDX-License-Identifier: Apache-2.0

import Testing
import WaitTestSupport

@Suite(.timeLimit(.minutes(1))) struct `A wait of a test` {
    private let watched = Watched<[String]>([])

    @Test func `ends with the change that passes it`() async {
        async let came = watched.wait { $0.contains("two") }
        watched.change { $0.append("one") }
        watched.change { $0.append("two") }
        #expect(await came)
        #expect(await watched.wait { $0.count == 2 }, "what was there before counts")
    }

    @Test func `ends when nothing changes any more`() async {
        async let came = watched.wait { $0.contains("two") }
        watched.end()
        #expect(await came)
    }

    @Test(arguments: [false, true]) func `ends when its task is cancelled, before it begins or later`(
        _ isLater: Bool
    ) async {
        let waiting = Task { [watched] in
            watched.change { $0.append("waits") }
            // Goes on once it is cancelled.
            if !isLater { try? await Task.sleep(for: .seconds(600)) }
            return await watched.wait { $0.contains("two") }
        }
        _ = await watched.wait { $0.contains("waits") }
        waiting.cancel()
        #expect(await !waiting.value)
    }

    @Test func `that is cancelled tells what there was instead`() async {
        await withKnownIssue {
            let waiting = Task { await until({ false }, otherwise: { "one" }) }
            waiting.cancel()
            await waiting.value
        } matching: {
            $0.comments.contains { $0.rawValue == "what is waited for did not come; came:\none" }
        }
    }
}
