// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineABI
import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    /// Tests of cuts that cannot be, or are ended: what is reported, and that nothing else suffers.
    @Suite struct CutFailureTests {
        private static let length: Int64 = 529_200

        /// An order for the twelve seconds of `wav16.wav`, twice.
        struct Order: CustomTestStringConvertible {
            var start: (track: Int, unit: Int64) = (0, 1_000)
            var end: (track: Int, unit: Int64) = (0, 2_000)
            var format = ""
            var code = ROSTRUM_ERROR_ARGUMENT
            var says: String

            var testDescription: String { "\(start) to \(end) \(format)" }
        }

        static let hostile = [
            Order(start: (0, -1), says: "no passage from 0:-1"), Order(start: (0, .min), says: "no passage"),
            Order(end: (0, 1_000), says: "no passage"), Order(end: (0, 999), says: "no passage"),
            Order(start: (1, 0), says: "no passage"), Order(start: (2, 0), end: (2, 5), says: "no passage"),
            Order(end: (2, 5), says: "no passage"), Order(end: (-1, 5), says: "no passage"),
            Order(end: (0, length + 1), says: "ends at 529200; choose an earlier end"),
            Order(end: (0, .max), says: "choose an earlier end"),
            Order(end: (1, length + 1), says: "choose an earlier end"),
            Order(start: (0, length), end: (0, length + 5), says: "choose an earlier"),
            Order(start: (0, .max - 1), end: (0, .max), says: "choose an earlier"),
            Order(start: (0, length), end: (1, 5), says: "choose an earlier start"),
            Order(format: "ogv", code: ROSTRUM_ERROR_UNSUPPORTED, says: "cannot write “ogv”; ask for m4a, mp3"),
            Order(format: "MP3", code: ROSTRUM_ERROR_UNSUPPORTED, says: "cannot write “MP3”"),
        ]

        @Test(arguments: hostile)
        func `an impossible order is refused with a reason, and the engine goes on`(_ order: Order) throws {
            let probe = try CutTests.clip(["wav16.wav", "wav16.wav"])
            let file = try CutFile()
            let refused = #expect(throws: ProbeFailure.self) {
                _ = try probe.cut(order.start, order.end, format: order.format, file: file.descriptor)
            }
            #expect(refused?.code == order.code)
            #expect(refused?.message.contains(order.says) == true, "\(refused?.message ?? "")")
            #expect(try probe.render().position == 0)
        }

        @Test(arguments: ["mp3", "m4a", "opus"])
        func `a copy that would go beyond the end of its source is refused`(_ kind: String) throws {
            let source = ["mp3": "cbr.mp3", "m4a": "book.m4b", "opus": "speech.opus"][kind] ?? ""
            let probe = try CutTests.clip([source])
            let file = try CutFile()
            let end = (try probe.measure()) + 1
            let refused = #expect(throws: ProbeFailure.self) {
                _ = try probe.cut((0, end - 5_000), (0, end), file: file.descriptor)
            }
            #expect(refused?.code == ROSTRUM_ERROR_ARGUMENT, "\(refused?.message ?? "")")
        }

        @Test func `a descriptor of no file to write into is refused`() throws {
            let probe = try CutTests.clip(["wav16.wav"])
            let (readOnly, folder) = (open(try Fixtures.path("wav16.wav"), O_RDONLY), open("/tmp", O_RDONLY))
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0 && readOnly >= 0 && folder >= 0)
            defer { for descriptor in [readOnly, folder] + ends { close(descriptor) } }
            for descriptor in [-1, 900, readOnly, folder, ends[1]] {
                let refused = #expect(throws: ProbeFailure.self) {
                    _ = try probe.cut((0, 0), (0, 5_000), file: descriptor)
                }
                #expect(refused?.code == ROSTRUM_ERROR_ARGUMENT, "\(descriptor)")
            }
            #expect(try probe.renderAll().frames == 529_200)
        }

        @Test(arguments: ["wav", "flac", "m4a", "mp3", "opus"])
        func `a file that cannot grow is a failure of input and output`(_ format: String) throws {
            let probe = try CutTests.clip(["wav16.wav"])
            // F_SEAL_GROW: every byte is one too many, as on a full disk.
            let file = ctransport_memory_descriptor("full")
            try #require(file >= 0 && ctransport_add_seals(file, 4) == 0)
            defer { close(file) }
            let refused = #expect(throws: ProbeFailure.self) {
                _ = try probe.cut((0, 0), (0, 300_000), format: format, file: file)
            }
            #expect(refused?.code == ROSTRUM_ERROR_IO, "\(refused?.message ?? "")")
            #expect(refused?.message.hasPrefix("cannot write the cut: ") == true)
            #expect(try probe.render().position == 0)
        }

        @Test(arguments: ["", "mp3", "opus", "m4a"])
        func `an interrupt ends a cut wherever it is, and the next one is complete`(_ format: String) throws {
            let probe = try CutTests.clip(["cbr.mp3", "cbr.mp3"])
            let file = try CutFile()
            var interrupted = 0
            for look in [1, 2, 3, 5, 8, 13, 21, 34, 55] {
                probe.interrupt(atLook: look)
                do throws(ProbeFailure) {
                    _ = try probe.cut((0, 500), (0, 400_000), format: format, file: file.descriptor)
                } catch {
                    #expect(error.code == ROSTRUM_ERROR_INTERRUPTED, "look \(look): \(error)")
                    interrupted += 1
                }
                probe.resetInterrupt()
            }
            #expect(interrupted >= 3)
            let cut = try probe.cut((0, 500), (0, 400_000), format: format, file: file.descriptor)
            #expect(Int(cut.frames) == Int(Double(399_500) * Double(cut.sampleRate) / 44_100 + 0.5))
            #expect(try probe.render().position == 0)
        }

        @Test func `damage within a passage is silence of its length`() throws {
            var bytes = try Fixtures.bytes("flac16.flac")
            let middle = bytes.count / 2
            for index in middle..<middle + 6_000 { bytes[index] = 0 }
            let file = try CutFile()
            do {
                let probe = try EngineProbe(CutTests.library.get(), sources: [.bytes(bytes, name: "damaged.flac")])
                try probe.load()
                let cut = try probe.cut((0, 10_000), (0, 160_000), file: file.descriptor)
                #expect(cut.frames == 150_000)
            }
            #expect(try file.rendered().frames == 150_000)
        }

        @Test func `a pipe cannot be cut`() throws {
            let probe = try EngineProbe(CutTests.library.get(), sources: [.pipe(Fixtures.path("wav16.wav"))])
            try probe.load()
            let file = try CutFile()
            let refused = #expect(throws: ProbeFailure.self) {
                _ = try probe.cut((0, 0), (0, 500), file: file.descriptor)
            }
            #expect(refused?.code == ROSTRUM_ERROR_UNSUPPORTED)
        }
    }
}
