// SPDX-License-Identifier: Apache-2.0

/// The numbers by which a timeline looks and moves.
///
/// Bars, momentum, tap, the distance of the handles, the interval of reports and the skips are numbers of the listening
/// app whose timeline this is ("The Timeline Component" of its guide to playback). The others are ours.
public struct TimelineRules: Hashable, Sendable {
    /// The seconds that a bar stands for.
    public var barSeconds = 5.0
    /// The width of a bar in pixels.
    public var barPixels = 4.0
    /// The width of the gap behind a bar in pixels.
    public var gapPixels = 2.0
    /// The possible zooms in seconds a pixel: from a millisecond to a book of 20 hours in 20 pixels.
    public var zooms = 0.001...3600.0

    /// The frames a second for which the numbers of the momentum are meant.
    public var referenceFrames = 60.0
    /// The part of its velocity that the momentum keeps for one reference frame.
    public var decay = 0.95
    /// The velocity in pixels a reference frame at which the momentum ends, and below which none begins.
    public var leastVelocity = 0.5
    /// The seconds that the way to a tapped place takes.
    public var tapSeconds = 0.2

    /// The least distance between the handles in seconds.
    public var leastSelection = 1.0
    /// The least seconds between two reports of a selection that is still changing.
    public var reportInterval = 0.05

    /// The seconds by which a followed position may be off without a jump.
    public var farthestFold = 2.0
    /// The seconds within which a smaller difference is made up for.
    public var foldSeconds = 1.0

    /// The seconds of a fine step.
    public var fineStep = 0.1
    /// The seconds of a coarse step.
    public var coarseStep = 1.0
    /// The seconds of a skip forward.
    public var skipForward = 25.0
    /// The seconds of a skip back, which is longer: whoever goes back has lost the context.
    public var skipBack = 30.0

    public init() {}

    /// The zoom in seconds a pixel at which a bar has its own width.
    public var plainZoom: Double { barSeconds / (barPixels + gapPixels) }

    /// Returns the rules with the default instead of each number with which nothing could be drawn or would end.
    func checked() -> TimelineRules {
        var rules = self
        let defaults = TimelineRules()
        let lengths: [WritableKeyPath<TimelineRules, Double>] = [
            \.barSeconds, \.referenceFrames, \.leastVelocity, \.tapSeconds, \.foldSeconds, \.fineStep,
            \.coarseStep, \.skipForward, \.skipBack,
        ]
        for path in lengths where !(1e-6...1e6).contains(rules[keyPath: path]) {
            rules[keyPath: path] = defaults[keyPath: path]
        }
        for path in [\.gapPixels, \.leastSelection, \.reportInterval, \.farthestFold]
            as [WritableKeyPath<TimelineRules, Double>] where !(0...1e6).contains(rules[keyPath: path])
        {
            rules[keyPath: path] = defaults[keyPath: path]
        }
        if !(1e-6...1e6).contains(zooms.lowerBound) || !(1e-6...1e6).contains(zooms.upperBound) {
            rules.zooms = defaults.zooms
        }
        // A bar that is narrower would need too many of them.
        if !(0.5...1e6).contains(barPixels) { rules.barPixels = defaults.barPixels }
        if !(0...0.999).contains(decay) { rules.decay = defaults.decay }
        return rules
    }
}
