// SPDX-License-Identifier: Apache-2.0

/// The movement of the playhead by a gesture.
enum PlayheadMotion: Hashable, Sendable {
    case rest
    case pan(Pan)
    case glide(Glide)
    case ease(Ease)
}

/// A finger on the strip, under which the content stays.
struct Pan: Hashable, Sendable {
    /// The x where the finger was while the playhead was at `playhead`.
    var from: Double
    var playhead: Double
    /// The x where the finger is.
    var x: Double

    init(x: Double, playhead: Double) {
        (from, self.x) = (x, x)
        self.playhead = playhead
    }
}

/// The momentum that a strip has after a pan.
///
/// Over whole reference frames it goes the way that a loop goes that moves by the velocity and then lets it decay. In
/// between it follows the same curve, and it ends when the velocity is the least one, not a frame later. So the way does
/// not depend on how the time is divided into frames. It is (v - least) / (1 - decay) pixels long.
struct Glide: Hashable, Sendable {
    /// Pixels a reference frame; content goes to the right if it is positive.
    private(set) var velocity: Double

    /// Creates a momentum from a velocity in pixels a second; `nil` if it is too slow to be one.
    init?(pixelsPerSecond: Double, _ rules: TimelineRules) {
        guard pixelsPerSecond.isFinite, abs(pixelsPerSecond) / rules.referenceFrames > rules.leastVelocity else {
            return nil
        }
        velocity = pixelsPerSecond / rules.referenceFrames
    }

    /// Returns the way in pixels during some seconds, and whether the momentum has ended on it.
    mutating func advance(_ seconds: Double, _ rules: TimelineRules) -> (pixels: Double, hasEnded: Bool) {
        let before = velocity
        let after = before * power(rules.decay, seconds * rules.referenceFrames)
        let hasEnded = abs(after) <= rules.leastVelocity
        velocity = hasEnded ? (before < 0 ? -rules.leastVelocity : rules.leastVelocity) : after
        return ((before - velocity) / (1 - rules.decay), hasEnded)
    }
}

/// The way to a tapped place, fast at first and slow at its end.
struct Ease: Hashable, Sendable {
    let from: Double
    let target: Int64
    private(set) var seconds = 0.0

    init(from: Double, target: Int64) {
        self.from = from
        self.target = target
    }

    /// Returns the position after some more seconds, and the seconds that were left over at the target.
    mutating func advance(_ more: Double, _ rules: TimelineRules) -> (position: Double, left: Double?) {
        seconds += more
        // Ten frames of 20 ms are 200 ms, whatever the sum of the fractions is.
        guard seconds < rules.tapSeconds - 1e-9 else { return (Double(target), max(0, seconds - rules.tapSeconds)) }
        return (from + (Double(target) - from) * Self.part(seconds / rules.tapSeconds), nil)
    }

    /// Returns the part of the way after a part of the time, both from 0 to 1.
    static func part(_ time: Double) -> Double {
        let left = 1 - time.clamped(to: 0...1)
        return 1 - left * left * left
    }
}

/// Returns a power with a base and an exponent that are not negative.
///
/// (The standard library has none, and this layer imports no other.) The whole part of the exponent is made of squares,
/// the rest of square roots.
func power(_ base: Double, _ exponent: Double) -> Double {
    guard exponent < 1e9 else { return base < 1 ? 0 : base == 1 ? 1 : .infinity }
    var whole = UInt64(exponent)
    var rest = exponent - Double(whole)
    var result = 1.0
    var square = base
    while whole > 0 {
        if whole & 1 == 1 { result *= square }
        square *= square
        whole >>= 1
    }
    var root = base
    while rest > 0 {
        root = root.squareRoot()
        rest *= 2
        if rest >= 1 {
            result *= root
            rest -= 1
        }
    }
    return result
}
