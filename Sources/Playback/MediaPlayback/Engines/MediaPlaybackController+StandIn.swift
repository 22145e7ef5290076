// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The engine that reads a text in place of one that fails for good.
extension MediaPlaybackController {
    /// Tells the machine which engine can take a text over: the one that would read it if none had been chosen.
    ///
    /// A recording has none, because a place in it is counted by its own engine; neither has a part of a text, nor the
    /// sample of a voice.
    func offerStandIn(_ generation: UInt32, _ playing: Playing) async {
        guard playing.item.kind == .text, !machine.state.handsBack, let content = try? await content(of: playing.item),
            content.clip == nil,
            let engine = try? EngineChoice.engine(nil, for: content, among: await ports.engines.installed()),
            engine != playing.engine, generation == machine.state.generation
        else { return }
        handle(.standIn(generation: generation, engine))
    }

    /// Lets the engine that takes over begin with the whole sentence, unless a place was asked for.
    func startAtSentence() {
        guard let current = machine.state.current, items[opening: current.item.uri].start == nil else { return }
        items[opening: current.item.uri].start = .rewound(current.position, seconds: 0)
    }
}
