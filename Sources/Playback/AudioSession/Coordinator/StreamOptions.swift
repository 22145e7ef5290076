// SPDX-License-Identifier: Apache-2.0

/// The options of the open stream that differ from the defaults, as the log states them.
struct StreamOptions: Sendable, Hashable {
    var isPaused = false
    var settings = StreamSettings()

    init() {}

    init(_ request: StreamRequest) {
        isPaused = request.isPaused
        settings = request.settings
    }

    var words: [String] {
        let (rate, sound) = (settings.rate, settings.sound)
        return [
            isPaused ? "corked" : nil, settings.limit == nil ? nil : "limited", rate == 1 ? nil : "rate=\(rate)",
            sound.isMono ? "mono" : nil, sound.balance == 0 ? nil : "balance=\(sound.balance)",
            sound.loudness.map { "loudness=\($0)" }, sound.silence.map { "silence=\($0)" },
        ].compactMap(\.self)
    }
}
