// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Glibc
import Testing

extension FFmpegEngineTests {
    /// Tests of cuts of real files, which are skipped if the files are absent.
    @Suite struct CutCorpusTests {
        private struct Place {
            var name: String
            var range: Range<Int64>
        }

        /// Half a second at the start, in the middle and at the end, or what there is.
        private static func places(_ length: Int64, rate: Int64) -> [Place] {
            let span = max(1, min(rate / 2, length / 2))
            let middle = (length - span) / 2
            return [
                Place(name: "start", range: 0..<span), Place(name: "middle", range: middle..<middle + span),
                Place(name: "end", range: length - span..<length),
            ]
        }

        /// The outcome of cuts.
        private struct Outcome: Sendable {
            var copied = 0
            var encoded = 0
            /// The largest difference of a copy from what was meant.
            var worst: Float = 0

            mutating func add(_ other: Outcome) {
                copied += other.copied
                encoded += other.encoded
                worst = max(worst, other.worst)
            }
        }

        @Test func `every recording is cut to the frame, at its start, in its middle and at its end`() async throws {
            guard let corpus = Corpus.shared else { return }
            let paths = corpus.rows.filter { ($0.decodedSeconds ?? 0) > 0 }.map(corpus.path)
            // A sanitizer is for the memory of each kind of file, of which there are many.
            let step = dlsym(nil, "__asan_init") == nil ? 1 : 8
            let outcome = try await eachOfTwo(stride(from: 0, to: paths.count, by: step).map { paths[$0] }) {
                paths in
                var outcome = Outcome()
                for path in paths { outcome.add(try Self.cuts(of: path)) }
                return outcome
            }.reduce(into: Outcome()) { $0.add($1) }
            print(
                "cut: \(outcome.copied) copied, \(outcome.encoded) encoded again, "
                    + "largest difference of a copy \(outcome.worst)")
            #expect(outcome.copied * step > 100 && outcome.encoded * step > 10)
        }

        private static func cuts(of path: String) throws -> Outcome {
            var outcome = Outcome()
            let (length, rate, channels) = try length(of: path)
            for place in places(length, rate: rate) {
                let what = "\(path), \(place.name)"
                let meant = try samples(of: path, place.range)
                let file = try CutFile()
                let cut: ProbeCut
                do {
                    let probe = try EngineProbe(CutTests.library.get(), sources: [.file(path)])
                    try probe.load()
                    cut = try probe.cut(
                        (0, place.range.lowerBound), (0, place.range.upperBound), file: file.descriptor)
                } catch {
                    Issue.record("\(what): \(error)")
                    continue
                }
                let own = try file.rendered()
                #expect(own.frames == Int(cut.frames), "\(what)")
                guard Int64(cut.sampleRate) == rate, own.runs.first?.channels == channels else { continue }
                #expect(cut.frames == place.range.count, "\(what)")
                if cut.isEncoded { outcome.encoded += 1 } else { outcome.copied += 1 }
                guard !cut.isEncoded else { continue }
                let difference = HeardDifference(own.samples, meant, channels: channels)
                outcome.worst = max(outcome.worst, difference.largest)
                #expect(difference.largest < 0.05, "\(what): \(difference)")
            }
            return outcome
        }

        private static func length(of path: String) throws -> (length: Int64, rate: Int64, channels: Int) {
            let probe = try FFmpegEngineTests.probe([.file(path)])
            try probe.load()
            let track = try probe.track()
            return (try probe.measure(), Int64(track.sampleRate), Int(track.channels))
        }

        private static func samples(of path: String, _ range: Range<Int64>) throws -> [Float] {
            let probe = try FFmpegEngineTests.probe([.file(path)])
            try probe.load()
            try probe.seek(position: range.lowerBound)
            let rendering = try probe.renderAll(frames: range.count)
            return Array(rendering.samples.prefix(range.count * Int(try probe.track().channels)))
        }
    }
}
