// SPDX-License-Identifier: Apache-2.0

/// Recognises one press of a key that arrives on two ways.
///
/// A headset's key reaches a desktop as a media key, which its shell passes on, and by AVRCP, which BlueZ's proxy passes
/// on. `PlayPause` from both would pause and at once play again.
struct PressFilter {
    /// The time within which two programs are taken to report the same press, in milliseconds.
    ///
    /// Chosen, not measured: longer than two programs take to pass on a key, shorter than two presses of a hand.
    static let window: Int64 = 150

    private struct Press {
        var call: PlayerCall
        var program: String
        var time: Int64
    }

    private var last: Press?

    /// Returns whether a call acts.
    ///
    /// One program that calls twice means it.
    mutating func acts(_ call: PlayerCall, from program: String, at time: Int64) -> Bool {
        guard call.isOfKey else { return true }
        if let last, last.program != program, time - last.time < Self.window, call.repeats(last.call) { return false }
        last = Press(call: call, program: program, time: time)
        return true
    }
}

extension PlayerCall {
    /// `true` for what keys send.
    fileprivate var isOfKey: Bool {
        switch self {
        case .play, .pause, .playPause, .stop, .next, .previous: true
        case .seek, .setPosition, .openURI, .goTo, .rate, .volume, .quit: false
        }
    }

    /// Returns whether this would undo or double what the same press has done already.
    fileprivate func repeats(_ other: PlayerCall) -> Bool {
        switch self {
        case .playPause: other == .playPause || other == .play || other == .pause
        case .next, .previous: other == self
        default: false
        }
    }
}
