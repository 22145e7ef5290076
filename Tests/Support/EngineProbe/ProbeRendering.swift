// SPDX-License-Identifier: Apache-2.0

/// A run of consecutive blocks of one track and one format.
package struct RenderedRun: Sendable {
    package var track: Int
    package var sampleRate: Int
    package var channels: Int
    package var start: Int64
    package var end: Int64
    package var frames = 0
    /// The interleaved samples.
    package var samples: [Float] = []
    package var isDamaged = false

}

/// The sound that an engine rendered from one position on.
package struct ProbeRendering: Sendable {
    package var runs: [RenderedRun] = []
    package var trackEnds: [Int: Int64] = [:]
    package var hasEnded = false
    package var hasDamage = false

    package var frames: Int { runs.reduce(0) { $0 + $1.frames } }
    package var samples: [Float] { runs.flatMap(\.samples) }
}

extension EngineProbe {
    /// Renders until the end, or until there are at least `frames` frames.
    ///
    /// With `keepingSamples` false it only counts, for long content.
    package func renderAll(
        frames limit: Int = .max, keepingSamples: Bool = true
    ) throws(ProbeFailure) -> ProbeRendering {
        var rendering = ProbeRendering()
        var count = 0
        while count < limit, !rendering.hasEnded {
            let block = try render()
            count += block.frames
            let last = rendering.runs.last
            if last?.track != block.track || last?.sampleRate != block.sampleRate || last?.channels != block.channels
                || last?.end != block.position
            {
                rendering.runs.append(
                    RenderedRun(
                        track: block.track, sampleRate: block.sampleRate, channels: block.channels,
                        start: block.position, end: block.position))
            }
            let index = rendering.runs.count - 1
            rendering.runs[index].end = block.positionEnd
            rendering.runs[index].frames += block.frames
            rendering.runs[index].isDamaged = rendering.runs[index].isDamaged || block.isDamaged
            if keepingSamples { rendering.runs[index].samples.append(contentsOf: block.samples) }
            rendering.hasDamage = rendering.hasDamage || block.isDamaged
            if block.isTrackEnd { rendering.trackEnds[block.track] = block.positionEnd }
            rendering.hasEnded = block.isEnd
        }
        return rendering
    }
}
