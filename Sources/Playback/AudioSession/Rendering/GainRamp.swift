// SPDX-License-Identifier: Apache-2.0

/// A gain that moves smoothly from one value to another, frame by frame.
struct GainRamp {
    private(set) var from: Float
    private(set) var to: Float
    private(set) var length: Int
    private(set) var position: Int

    init(steady gain: Float) {
        from = gain
        to = gain
        length = 0
        position = 0
    }

    init(from: Float, to: Float, length: Int) {
        self.from = from
        self.to = to
        self.length = length
        position = 0
    }

    var isSteady: Bool { position >= length }
    var left: Int { length - position }

    /// The gain of the next frame.
    ///
    /// It follows 3t² − 2t³, whose slope is 0 at both ends, so that neither clicks.
    var value: Float {
        guard !isSteady else { return to }
        let t = (Float(position) + 0.5) / Float(length)
        return from + (to - from) * t * t * (3 - 2 * t)
    }

    mutating func advance() {
        position += 1
    }

    mutating func finish() {
        position = length
    }
}
