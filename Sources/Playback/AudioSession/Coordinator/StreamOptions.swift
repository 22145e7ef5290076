// SPDX-License-Identifier: Apache-2.0

/// The options of the open stream that differ from the defaults, as the log states them.
struct StreamOptions: Sendable, Hashable {
    var isPaused = false
    var isLimited = false
    var rate = 1.0
    var sound = SoundOptions()

    init() {}

    init(_ request: StreamRequest) {
        isPaused = request.isPaused
        isLimited = request.until != nil
        rate = request.rate
        sound = request.sound
    }

    var words: [String] {
        [
            isPaused ? "corked" : nil, isLimited ? "limited" : nil, rate == 1 ? nil : "rate=\(rate)",
            sound.isMono ? "mono" : nil, sound.balance == 0 ? nil : "balance=\(sound.balance)",
            sound.loudness.map { "loudness=\($0)" }, sound.silence.map { "silence=\($0)" },
        ].compactMap(\.self)
    }
}
