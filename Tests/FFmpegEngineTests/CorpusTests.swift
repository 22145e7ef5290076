// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineProbe
import Testing

extension FFmpegEngineTests {
    @Suite struct CorpusTests {
        @Test func `debug listing`() throws {
            guard let corpus = Corpus.shared else { return }
            for row in corpus.rows where row.decodedSeconds != nil {
                let probe = try FFmpegEngineTests.probe([.file(corpus.path(row))])
                var line = "\(row.path) truth \(row.decodedSeconds ?? -1)"
                do throws(ProbeFailure) {
                    try probe.load()
                    let track = try probe.track()
                    let rate = Double(track.sampleRate)
                    let claimed = track.duration.map { Double($0) / rate } ?? -1
                    let measured = try probe.measure()
                    let rendering = try probe.renderAll(keepingSamples: false)
                    let end = rendering.runs.last?.end ?? -1
                    let chapters = try probe.chapters()
                    line += " claims \(claimed)/\(track.confidence) measured \(Double(measured) / rate)"
                    line += " rendered \(rendering.frames) end \(end) \(track.codec) \(track.encoding)"
                    line += " ch \(chapters.count) \(chapters.first?.source ?? "")"
                    if rendering.hasDamage { line += " DAMAGED" }
                    if abs(Double(measured) / rate - (row.decodedSeconds ?? 0)) > 0.015 { line += " OFF-TRUTH" }
                    if Int64(rendering.frames) != measured { line += " OFF-RENDER" }
                    if row.chapterCount != chapters.count { line += " OFF-CHAPTERS \(row.chapterCount ?? -1)" }
                } catch {
                    line += " FAILED \(error)"
                    if (row.decodedSeconds ?? 0) > 0 { line += " OFF-TRUTH" }
                }
                print("ROW", line)
            }
        }
    }
}
