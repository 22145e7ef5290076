// SPDX-License-Identifier: Apache-2.0

/// The place where decoding is, and what has happened since the last move.
struct DecodingPlace {
    /// The raw position of the next frame, or `nil` if it is not known.
    private(set) var next: Int64?
    /// The raw position of the first frame after the move, or `nil` if there was none.
    private(set) var landed: Int64?
    /// The distance of the last frame's time stamp from the position where the frame was due.
    private var drift: Int64 = 0
    /// `true` if anything was audible since the move.
    private var hasSounded = false
    /// `true` if the whole file was decoded up to here without damage.
    private var isFromStart: Bool
    /// `true` if something that could not be decoded belongs before what is decoded next.
    private(set) var hasPendingDamage = false
    /// `true` if the decoder was told that no packet follows.
    private(set) var isDraining = false
    private(set) var isAtEnd = false

    /// Creates a place after a move, or at the start of the file.
    init(atStart: Bool) { isFromStart = atStart }

    mutating func begin(at raw: Int64) { next = raw }
    mutating func drain() { isDraining = true }
    mutating func noteEnd() { isAtEnd = true }
    mutating func noteDamage() { hasPendingDamage = true }

    // MARK: Frames

    /// The position at which a frame is found to begin.
    struct Finding: Equatable {
        var raw: Int64
        /// The number of samples by which the start of the track has to be shifted.
        var shift: Int64 = 0
    }

    /// Returns where a frame begins: behind the one before it, unless time stamps contradict that.
    ///
    /// - Parameters:
    ///   - stamped: The raw position according to the time stamp, or `nil` if it says nothing.
    ///   - trusts: Whether one time stamp is enough; otherwise it takes two. libavformat's time stamps are wrong for
    ///     single packets of Ogg Vorbis.
    ///   - minute: The number of samples in a minute, the longest gap in a track of unknown length.
    ///   - end: The raw position where the track is expected to end.
    /// - Returns: `nil` if neither is known.
    mutating func find(
        stamped: Int64?, trusts: Bool, minute: Int64, end: @autoclosure () -> Int64
    ) -> Finding? {
        guard let expected = next else { return stamped.map { Finding(raw: $0) } }
        guard let stamped, stamped != expected else {
            drift = 0
            return Finding(raw: expected)
        }
        let difference = stamped &- expected
        let isSure = trusts || difference == drift || (hasPendingDamage && difference > 0)
        drift = isSure ? 0 : difference
        guard isSure else { return Finding(raw: expected) }
        if difference > 0, hasSounded || hasPendingDamage {
            guard stamped <= max(expected &+ minute, end()) else { return Finding(raw: expected) }
            hasPendingDamage = true
            return Finding(raw: stamped)
        }
        if !hasSounded { return Finding(raw: stamped) }
        // At the start, the first frame's own time stamp was wrong: everything is shifted by the difference.
        return isFromStart ? Finding(raw: stamped, shift: difference) : Finding(raw: expected)
    }

    /// Notes a frame, and where the one after it is due.
    mutating func note(frameAt raw: Int64, next: Int64) {
        if landed == nil { landed = raw }
        self.next = next
    }

    /// Notes that a frame lies before the target of a seek.
    ///
    /// Audio there is not missed if it cannot be decoded.
    mutating func noteSilence() { hasPendingDamage = false }

    /// Notes audible samples, and returns `true` if something is missing before them.
    ///
    /// - Parameter isLate: Whether they begin behind the target of the seek.
    mutating func noteSound(isLate: Bool) -> Bool {
        let isDamaged = hasPendingDamage || (!hasSounded && isLate)
        isFromStart = isFromStart && !isDamaged
        hasPendingDamage = false
        hasSounded = true
        return isDamaged
    }
}
