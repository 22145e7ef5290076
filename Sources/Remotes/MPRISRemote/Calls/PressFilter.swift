// SPDX-License-Identifier: Apache-2.0

/// Recognises one press of a key that arrives on two ways.
///
/// A headset's key reaches a desktop as a media key, which its shell passes on, and by AVRCP, which BlueZ's proxy passes
/// on. `PlayPause` from both would pause and at once play again.
struct PressFilter {
    /// The time within which two senders are taken to report the same press, in milliseconds.
    ///
    /// Nobody presses two different keys that fast; the two ways differ by some 10 ms.
    static let window: Int64 = 150

    private var last: (sender: String, time: Int64)?

    /// Returns whether a call acts; calls other than `PlayPause` may be repeated without harm.
    mutating func acts(_ call: PlayerCall, from sender: String, at time: Int64) -> Bool {
        guard call == .playPause else { return true }
        if let last, last.sender != sender, time - last.time < Self.window { return false }
        last = (sender, time)
        return true
    }
}
