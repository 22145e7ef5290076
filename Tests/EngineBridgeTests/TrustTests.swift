// SPDX-License-Identifier: Apache-2.0

import EngineBridge
import EngineConfinement
import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

extension EngineBridgeTests {
    /// Tests that the certificates that the user trusts reach the confined engine, and count from the next address on.
    @Suite(.timeLimit(.minutes(1)), .disabled(if: BuildProducts.isSanitized))
    struct TrustTests {
        private let folder: TemporaryFolder
        private let server = Process()
        private let input = Pipe()
        private let address: String

        init() throws {
            folder = try TemporaryFolder()
            _ = try folder.write("a.wav", Self.silence)
            let output = Pipe()
            server.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            server.arguments = [FixtureModule.package + "/Tests/Fixtures/hostile-server.py", folder.path]
            server.standardInput = input
            server.standardOutput = output
            try server.run()
            var line = Data()
            while !line.contains(0x0A) {
                let more = output.fileHandleForReading.availableData
                try #require(!more.isEmpty, "hostile-server.py did not start")
                line += more
            }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            let good = try #require(words.firstIndex(of: "good"))
            address = "https://127.0.0.1:\(words[good + 1])/file/a.wav"
        }

        /// One second, 8 kHz, 16 bits.
        private static let silence: Data = {
            func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
            }
            var data = Data("RIFF".utf8) + bytes(16_036, 4) + Data("WAVEfmt ".utf8) + bytes(16, 4)
            data += bytes(1, 2) + bytes(1, 2) + bytes(8_000, 4) + bytes(16_000, 4) + bytes(2, 2) + bytes(16, 2)
            return data + Data("data".utf8) + bytes(16_000, 4) + Data(count: 16_000)
        }()

        @Test func `a server is refused while its authority is not trusted`() async throws {
            defer { try? input.fileHandleForWriting.close() }
            let trust = LockedTrust()
            let launch = EngineLaunch(
                id: EngineID("ffmpeg"), module: BuildProducts.folder + "/libFFmpegEngine.so",
                hosting: TestHosting.isolated.launch, confinement: Confinement(network: true))
            let engine = try HostedEngine(launch, reactor: EngineReactor()) { trust.now }
            let content = Content(uri: "x", kind: .audio, tracks: [.url(address, headers: [])], title: "x")
            func load() async -> EngineError? {
                await failure { () throws(EngineError) in _ = try await engine.load(LoadRequest(content)) }
            }
            let refusal = await load()
            #expect(refusal?.code == -202)
            #expect(refusal?.message.contains("is not signed by a trusted authority") == true)
            trust.now = WebTrust(certificates: FixtureModule.package + "/Tests/Fixtures/Certificates/authority.pem")
            #expect(await load() == nil)
            trust.now = WebTrust(certificates: folder.path + "/none.pem")
            #expect(await load()?.message.contains("trustedCertificates of settings.json") == true)
            let digits = try #require(refusal?.message.firstRange(of: "SHA-256 ")?.upperBound)
            trust.now = WebTrust(fingerprints: [String((refusal?.message ?? "")[digits...].prefix(64))])
            #expect(await load() == nil)
            trust.now = WebTrust()
            #expect(await load()?.code == -202)
            await engine.shutDown()
        }

        private final class LockedTrust: Sendable {
            // The lock is needed because the test sets it, and the thread that opens the source reads it.
            private let value = Mutex(WebTrust())
            var now: WebTrust {
                get { value.withLock { $0 } }
                set { value.withLock { $0 = newValue } }
            }
        }
    }
}
