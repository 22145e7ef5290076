// SPDX-License-Identifier: Apache-2.0

/// The blocks that an engine renders from one position on, not yet judged.
struct Rendering {
    var blocks: [RenderedBlock] = []

    /// The number of consecutive blocks without frames that counts as no progress.
    static let emptyBlocks = 64
    /// The maximum number of frames to render; content for a check is short.
    static let longest = 8_000_000

    var frames: Int { blocks.reduce(0) { $0 + $1.frames } }

    func blocks(of track: Int) -> [RenderedBlock] { blocks.filter { $0.track == track } }

    func frames(of track: Int) -> Int { blocks(of: track).reduce(0) { $0 + $1.frames } }

    /// Returns up to `frames` consecutive frames of a track from `position` on, as samples.
    func samples(of track: Int, from position: Int64, frames: Int) -> [Float] {
        var samples: [Float] = []
        var next = position
        for block in blocks(of: track) where block.position <= next && next < block.position + Int64(block.frames) {
            let first = Int(next - block.position) * block.channels
            samples += block.samples[first...]
            next = block.position + Int64(block.frames)
            if samples.count >= frames * block.channels { return Array(samples.prefix(frames * block.channels)) }
        }
        return samples
    }
}

extension Subject {
    /// Renders to the end.
    func renderAll(capacity: Int = smallest) throws(Finding) -> Rendering {
        var rendering = Rendering()
        var (frames, empty) = (0, 0)
        while rendering.blocks.last?.isEnd != true {
            guard let block = try render(capacity: capacity) else { throw Self.wasNotInterrupted }
            frames += block.frames
            empty = block.frames == 0 ? empty + 1 : 0
            rendering.blocks.append(block)
            guard empty < Rendering.emptyBlocks else {
                throw .fault(
                    "render", expected: "frames, or the end", came: "\(empty) blocks with nothing in them", .render)
            }
            guard frames < Rendering.longest else {
                if !material.isOurs { throw .skip("\(material.name) is long: give a file of a minute or less") }
                throw .fault(
                    "render", expected: "the end of \(material.name)", came: "\(frames) frames and no end", .end)
            }
        }
        return rendering
    }

    /// Loads the material, and renders all of it.
    func renderAll(of material: Material, capacity: Int = smallest) throws(Finding) -> Rendering {
        try mustLoad(material)
        return try renderAll(capacity: capacity)
    }
}
