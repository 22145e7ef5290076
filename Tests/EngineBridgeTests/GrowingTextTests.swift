// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import EngineConfinement
import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import PlaybackCore
import ReadingText
import SpeechScript
import Testing

extension EngineBridgeTests {
    /// Texts whose script is being made while a confined engine reads them.
    @Suite(.timeLimit(.minutes(1)), .disabled(if: BuildProducts.isSanitized))
    struct GrowingTextTests {
        private static let sentence = "One two. "
        private static let count = 60

        private let folder: TemporaryFolder
        private let content: Content
        private let making: ScriptMaking
        private var writer: ScriptFileWriter
        private let engine: HostedEngine

        init() throws {
            folder = try TemporaryFolder()
            let text = Array(String(repeating: Self.sentence, count: Self.count).utf8)
            let path = try folder.write("a.txt", Data(text))
            let script = try folder.write("a.script", Data())
            let files = [path, script].map { (path: String) in SharedDescriptor(owning: open(path, O_RDWR | O_CLOEXEC))
            }
            writer = try ScriptFileWriter(
                descriptor: files[1].rawValue,
                of: ReadingDocument(text: text, blocks: [TextBlock(.paragraph, 0..<text.count)]))
            making = ScriptMaking(end: 0) {}
            var content = Content(
                uri: "x", kind: .text, tracks: [.descriptor(files[0], name: "a.txt")], title: "x", language: "en")
            content.document = TextDocument(text: files[0], script: files[1], making: making)
            self.content = content
            let launch = EngineLaunch(
                id: EngineID("espeak"), module: BuildProducts.folder + "/libEspeakEngine.so",
                hosting: TestHosting.isolated.launch, confinement: Confinement())
            engine = try HostedEngine(launch, reactor: EngineReactor()) { WebTrust() }
        }

        /// Makes the script up to a sentence.
        private mutating func make(to end: Int) throws {
            for index in writer.count..<end {
                let start = index * Self.sentence.utf8.count
                let words = [start..<start + 3, start + 4..<start + 7]
                try writer.append(
                    Utterance(
                        range: start..<start + 8, sentence: start..<start + 8, block: 0, spoken: "One two.",
                        words: words.map {
                            .init(spoken: $0.lowerBound - start..<$0.upperBound - start, range: $0)
                        }, language: "en", pause: 10))
            }
            try writer.publish()
            if end == Self.count {
                try writer.finish()
                making.end(.success(()))
            } else {
                making.advance(to: Int64(writer.end))
            }
        }

        /// Takes sound until some of it lies at or behind a place, or all is over.
        private func take(until place: Int64, _ heard: inout [HeardBlock]) {
            while heard.last.map({ $0.positionEnd < place && !$0.isEnd }) ?? true, let block = engine.source.take() {
                heard.append(block)
            }
        }

        @Test mutating func `an engine that comes to the end of what was made goes on when there is more`() async throws
        {
            try make(to: 2)
            _ = try await engine.load(LoadRequest(content))
            var heard: [HeardBlock] = []
            // The sound of the first sentence; what is behind the second is asked for by then.
            take(until: 7, &heard)
            #expect(heard.last?.isEnd == false)
            // Longer than an engine has that does not answer: what it waits for is not its own.
            #expect(!engine.source.waitForSound(1500))
            for end in [3, 20, Self.count] {
                try make(to: end)
                take(until: Int64((end - 1) * Self.sentence.utf8.count), &heard)
            }
            take(until: .max, &heard)
            #expect(heard.last?.isEnd == true)
            #expect(zip(heard, heard.dropFirst()).allSatisfy { $0.positionEnd <= $1.position || $1.isEnd })
            let words = Set(heard.map { $0.position / Int64(Self.sentence.utf8.count) })
            #expect(words.isSuperset(of: (0..<Int64(Self.count))))
            await engine.shutDown()
        }

        @Test mutating func `an engine that begins behind what was made waits for it`() async throws {
            try make(to: 2)
            let start = MediaPosition(track: 0, units: Int64(40 * Self.sentence.utf8.count))
            let (engine, request) = (engine, LoadRequest(content, at: start))
            let load = Task { try await engine.load(request) }
            try make(to: 10)
            try make(to: Self.count)
            _ = try await load.value
            var heard: [HeardBlock] = []
            take(until: start.units + 1, &heard)
            #expect(heard.first?.position == start.units)
            await engine.shutDown()
        }

        @Test mutating func `a script that ends too early is an error with its reason`() async throws {
            try make(to: 3)
            _ = try await engine.load(LoadRequest(content))
            var heard: [HeardBlock] = []
            take(until: 7, &heard)
            making.end(.failure(ItemError(.unsupported, "a.txt: its reader ended before it was done")))
            let engine = engine
            let drain = Task.detached { while engine.source.take() != nil {} }
            let error = await engine.firstEvent { if case .failed(_, let error, _) = $0 { error } else { nil } }
            #expect(error?.message == "a.txt: its reader ended before it was done")
            await engine.shutDown()
            await drain.value
        }
    }
}
