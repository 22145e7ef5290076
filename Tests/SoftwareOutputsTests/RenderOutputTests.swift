// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import Glibc
import Testing

@testable import SoftwareOutputs

@Suite struct RenderOutputTests {
    /// A path that is removed at the end of the test.
    final class Folder {
        let path: String

        init() {
            var template = Array("/tmp/rostrum-wav-XXXXXX".utf8CString)
            path = template.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/tmp"
            }
        }

        func file(_ name: String) -> String { "\(path)/\(name)" }

        deinit {
            _ = ["a.wav", "b.wav", "pipe"].map { unlink(file($0)) }
            rmdir(path)
        }
    }

    let folder = Folder()
    let source = FakeSource()

    func bytes(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 22)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    func data(_ path: String) -> [UInt8] {
        let bytes = bytes(path)
        let start = (0..<bytes.count - 8).first { Array(bytes[$0..<$0 + 4]) == Array("data".utf8) } ?? 0
        return Array(bytes[(start + 8)...])
    }

    func render(_ request: StreamRequest, to path: String) async throws -> [String] {
        let output = RenderOutput(wavPath: path)
        let log = EventLog(output)
        _ = try await output.open(request)
        await log.wait(for: "ended \(request.generation)")
        _ = await output.close()
        await output.shutDown()
        return log.lines
    }

    @Test func `a WAV holds exactly the samples of the source`() async throws {
        source.supply(generation: 1, from: 0, to: 50_000)
        let lines = try await render(.test(source), to: folder.file("a.wav"))
        #expect(lines == ["started 1", "ended 1"])
        let data = data(folder.file("a.wav"))
        #expect(data.count == 200_000)
        let first = (0..<50_000).first { frame in
            let low = Int(data[frame * 4]) | Int(data[frame * 4 + 1]) << 8
            let high = Int(data[frame * 4 + 2]) | Int(data[frame * 4 + 3]) << 8
            return low - 1 != frame & 0x3fff || high - 1 != frame >> 14
        }
        #expect(first == nil)
    }

    @Test func `later files of another format are converted to the first`() async throws {
        source.put(48_000, at: 0, isTrackEnd: true)
        source.put(22_050, track: 1, at: 0, isEnd: true, format: AudioFormat(sampleRate: 44_100, channels: 1))
        _ = try await render(.test(source), to: folder.file("a.wav"))
        #expect(abs(data(folder.file("a.wav")).count - 72_000 * 4) <= 64)
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe without a reader is reported at once`() async throws {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let output = RenderOutput(wavPath: path)
        let error = await #expect(throws: OutputError.self) { _ = try await output.open(.test(source)) }
        #expect(error?.code == .cannotCreate)
        #expect(error?.message == "cannot write \(path): nothing reads this pipe; start its reader first")
        await output.shutDown()
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe that is read slowly blocks the writer and receives everything`()
        async throws
    {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        // This is more than a pipe holds.
        source.supply(generation: 1, from: 0, to: 50_000)
        let output = RenderOutput(wavPath: path)
        let log = EventLog(output)
        _ = try await output.open(.test(source))
        var bytes = 0
        var part = [UInt8](repeating: 0, count: 4_096)
        while !log.lines.contains("ended 1") || bytes < 200_092 {
            let count = read(reader, &part, part.count)
            if count > 0 { bytes += count }
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(bytes == 200_092)
        await output.shutDown()
    }

    @Test func `a render waits for a slow engine`() async throws {
        let output = RenderOutput(wavPath: folder.file("a.wav"))
        let log = EventLog(output)
        source.put(1_000, at: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        source.put(1_000, at: 1_000, isEnd: true)
        await log.wait(for: "ended 1")
        #expect(await output.heard()?.units == 2_000)
        await output.shutDown()
        #expect(data(folder.file("a.wav")).count == 8_000)
    }

    @Test func `a file that cannot be created is reported with the reason`() async {
        let output = RenderOutput(wavPath: "/nonexistent/a.wav")
        await #expect {
            _ = try await output.open(.test(source))
        } throws: { error in
            (error as? OutputError)?.code == .cannotCreate
        }
        await output.shutDown()
    }

    @Test func `a full disk ends the render with the last position`() async throws {
        let output = RenderOutput(wavPath: "/dev/full")
        await #expect {
            _ = try await output.open(.test(source))
        } throws: { error in
            (error as? OutputError)?.code == .io
        }
        await output.shutDown()
    }

    @Test func `the fast null output takes everything at once`() async throws {
        let output = RenderOutput()
        let log = EventLog(output)
        source.supply(generation: 1, from: 0, to: 1_000_000)
        _ = try await output.open(.test(source))
        await log.wait(for: "ended 1")
        #expect(await output.heard()?.units == 1_000_000)
        #expect(source.released > 900_000)
        await output.shutDown()
    }

    @Test(arguments: [
        (SampleEncoding.int16, Float(-1), [0x00, 0x80] as [UInt8]), (.int16, 0.5, [0x00, 0x40]),
        (.int16, 1, [0xff, 0x7f]), (.int24, -0.5, [0x00, 0x00, 0xc0]), (.int24, 1 / 8_388_608, [0x01, 0x00, 0x00]),
        (.int32, -1, [0, 0, 0, 0x80]), (.int32, 1, [0xff, 0xff, 0xff, 0x7f]), (.float32, 1, [0, 0, 0x80, 0x3f]),
    ]) func `samples are written exactly`(_ encoding: SampleEncoding, _ sample: Float, _ expected: [UInt8]) {
        var output: [UInt8] = []
        withUnsafePointer(to: sample) { encoding.encode($0, count: 1, into: &output) }
        #expect(output == expected)
    }

    @Test func `a header grows into RF64 without moving the samples`() {
        var header = WAVHeader(format: AudioFormat(sampleRate: 48_000, channels: 2), encoding: .int16)
        let small = header.bytes
        header.dataBytes = 5 << 32
        let large = header.bytes
        #expect(small.count == large.count)
        #expect(Array(small.prefix(4)) == Array("RIFF".utf8))
        #expect(Array(large.prefix(4)) == Array("RF64".utf8))
        #expect(Array(large[12..<16]) == Array("ds64".utf8))
        #expect(large[28..<36].elementsEqual([0, 0, 0, 0, 5, 0, 0, 0]))
    }
}
