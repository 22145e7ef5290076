// SPDX-License-Identifier: Apache-2.0

/// The end of a track as far as decoding has found it, in units.
struct TrackEnd {
    private enum Measurement {
        case none
        /// The whole file is being decoded from its start, which an interruption does not undo.
        case wholeFile
        case done
    }

    /// The end that decoding has reached, or `nil` if it has not come that far.
    private(set) var reached: Int64?
    /// `true` if the session already has the index.
    private(set) var isKept = false
    private var measurement = Measurement.none
    /// The end of the audio that was decoded so far, or 0.
    private var decoded: Int64 = 0

    /// The end if it was measured, and not only reached by playing; `nil` if it was not.
    var measured: Int64? { measurement == .done ? reached : nil }
    /// `true` if measuring decodes the whole file and was interrupted.
    var needsWholeFile: Bool { measurement == .wholeFile }

    /// Notes that audio was decoded up to a unit.
    mutating func noteAudio(upTo unit: Int64) { decoded = max(decoded, unit) }

    /// Notes that nothing is left to decode.
    mutating func noteEnd() {
        if decoded > 0 { reached = decoded }
    }

    /// Forgets what was decoded before a move.
    mutating func forgetAudio() { decoded = 0 }

    /// Moves behind all audio, if the end was reached before.
    mutating func moveToEnd() { decoded = reached ?? decoded }

    // MARK: Measuring

    mutating func beginWholeFile() {
        decoded = 0
        measurement = .wholeFile
    }

    mutating func noteMeasured() { measurement = .done }

    /// Adopts an end that was found elsewhere.
    mutating func adopt(_ end: Int64) { reached = end }

    /// Notes that the session has the index, so that it does not get it again.
    mutating func noteKept() { isKept = true }
}
