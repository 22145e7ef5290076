// SPDX-License-Identifier: Apache-2.0

/// A strip of a recording's time on a screen, with the playhead in its centre.
///
/// Times are whole units of the media since its start, 1000 a second by default. Bounds of a clip are saved in those
/// units, so that a bound that nobody touches is never converted. Only the playhead, which moves by parts of a pixel, is
/// a fraction of them. A pixel is whatever the front end counts in: a point of a page, a column of a terminal, or a dot
/// of a character. x is the distance from the left edge in pixels.
///
/// No number traps or becomes NaN: what is impossible is replaced on the way in.
public struct TimelineGeometry: Hashable, Sendable {
    public let rules: TimelineRules
    /// The sample rate for audio, within ``unitRates``.
    public let unitsPerSecond: Double
    /// The length of the content in units; `nil` while it is unknown, which an estimate is, too.
    public private(set) var duration: Int64?
    /// The width in pixels, within ``widths``.
    public private(set) var width: Double
    /// The zoom, within `rules.zooms`.
    public private(set) var secondsPerPixel: Double
    /// The position in the centre in units, from 0 to the end of the content.
    public private(set) var playhead: Double

    /// The possible numbers of units a second; others become 1000.
    public static let unitRates = 0.1...1e6
    /// The possible widths in pixels; others become the nearest.
    public static let widths = 0.0...20_000.0
    /// The greatest position in units: below 2^53, up to which a `Double` holds every whole number.
    public static let farthest: Int64 = 9_000_000_000_000_000

    /// Creates a strip at the start of the content.
    ///
    /// - Parameter secondsPerPixel: the zoom; `nil` is the one at which a bar has its own width.
    public init(
        width: Double, duration: Int64?, unitsPerSecond: Double = 1000, secondsPerPixel: Double? = nil,
        rules: TimelineRules = TimelineRules()
    ) {
        let rules = rules.checked()
        self.rules = rules
        self.unitsPerSecond = Self.unitRates.contains(unitsPerSecond) ? unitsPerSecond : 1000
        self.duration = duration.map { $0.clamped(to: 0...Self.farthest) }
        self.width = Self.usable(width)
        let zoom = secondsPerPixel ?? rules.plainZoom
        self.secondsPerPixel = zoom.isNaN ? rules.plainZoom : zoom.clamped(to: rules.zooms)
        playhead = 0
    }

    private static func usable(_ width: Double) -> Double { width.isNaN ? 0 : width.clamped(to: widths) }

    // MARK: Conversions

    /// The place of the playhead in pixels.
    public var centre: Double { width / 2 }

    public var unitsPerPixel: Double { secondsPerPixel * unitsPerSecond }

    /// The end of the content in units, or what stands for it while nobody knows it.
    public var end: Int64 { duration ?? Self.farthest }

    /// The position in the centre in whole units.
    public var position: Int64 { whole(playhead) }

    /// Returns seconds as a number of units, not negative.
    public func units(_ seconds: Double) -> Int64 { whole(seconds * unitsPerSecond, to: Self.farthest) }

    /// Returns the x of a position, which may lie outside of the strip.
    public func x(of position: Int64) -> Double { x(of: Double(position)) }

    func x(of position: Double) -> Double { centre + (position - playhead) / unitsPerPixel }

    /// Returns the position at an x, within the content.
    public func position(atX x: Double) -> Int64 { whole(fraction(atX: x)) }

    /// Returns the position at an x in parts of units, which may lie outside of the content.
    func fraction(atX x: Double) -> Double { playhead + ((x.isNaN ? centre : x) - centre) * unitsPerPixel }

    /// The content that is on the strip.
    public var visible: ClosedRange<Int64> {
        let first = fraction(atX: 0).rounded(.down)
        return whole(first)...max(whole(first), whole(fraction(atX: width).rounded(.up)))
    }

    /// Returns the nearest position of the content in whole units.
    func whole(_ position: Double) -> Int64 { whole(position, to: end) }

    private func whole(_ position: Double, to end: Int64) -> Int64 {
        position.isNaN ? 0 : Int64(position.clamped(to: 0...Double(end)).rounded())
    }

    // MARK: Changes

    /// Moves the playhead, which stays within the content.
    public mutating func movePlayhead(to position: Double) {
        guard !position.isNaN else { return }
        playhead = position.clamped(to: 0...Double(end))
    }

    public mutating func resize(to width: Double) { self.width = Self.usable(width) }

    /// Sets the length of the content; `nil` if it is unknown.
    public mutating func setDuration(_ duration: Int64?) {
        self.duration = duration.map { $0.clamped(to: 0...Self.farthest) }
        movePlayhead(to: playhead)
    }

    /// Zooms in by a factor greater than 1, or out by one below it, and keeps the position at an x in its place.
    ///
    /// The playhead stays in the centre. So about any other place it moves, as far as the content allows.
    public mutating func zoom(by factor: Double, aboutX x: Double? = nil) {
        guard factor > 0, factor.isFinite else { return }
        let x = x.map { $0.isFinite ? $0 : centre } ?? centre
        let kept = fraction(atX: x)
        secondsPerPixel = (secondsPerPixel / factor).clamped(to: rules.zooms)
        if x != centre { movePlayhead(to: kept - (x - centre) * unitsPerPixel) }
    }
}

extension Comparable {
    func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
