// SPDX-License-Identifier: Apache-2.0

import CSpeechWarp

/// The costs of an alignment, in squared distances of frames; two frames that have nothing in common are 1 apart.
///
/// They hold for a text that is spoken at the pace of the reader. A reader who skips a line of the text, or says one that is
/// not there, must not be cheaper to follow by stretching the lines beside it than by a gap.
enum AlignmentCosts {
    /// The part of the distance of unrelated speech, warped as well as it goes, below which a frame speaks for a match.
    static let share: Float = 0.96

    static let matching = cspeech_costs(
        stay: 0.06, skip: 0.08, open: 4, open_within: 8, recorded_gap: 0.004, spoken_gap: 0.004,
        pause_between: 0.8, pause_within: 0.8)

    /// The same for frames that are twice as long.
    static let halved = cspeech_costs(
        stay: 0.06, skip: 0.08, open: 4, open_within: 6, recorded_gap: 0.004, spoken_gap: 0.002,
        pause_between: 0.4, pause_within: 0.4)

    /// Costs that leave no gaps, for judging how well unrelated speech can be warped.
    static let gapless = cspeech_costs(
        stay: 0.06, skip: 0.08, open: 1e6, open_within: 1e6, recorded_gap: 1e4, spoken_gap: 0.0001,
        pause_between: 0.8, pause_within: 0.8)

    /// Costs for a stretch that is looked for in all of the text, whose pace is not known yet.
    static let searching = cspeech_costs(
        stay: 0.02, skip: 0.04, open: 1e6, open_within: 1e6, recorded_gap: 1e4, spoken_gap: 0.0001,
        pause_between: 0.8, pause_within: 0.8)
}
