// SPDX-License-Identifier: Apache-2.0

import TimelineGeometry

/// Draws the layers of a strip, one character a pixel, as they are painted: the selection over played and unplayed, then
/// the handles, then the playhead.
func drawing(_ geometry: TimelineGeometry, _ selection: TimelineSelection? = nil) -> String {
    let layers = geometry.layers(selection)
    var strip = [Character](repeating: " ", count: Int(geometry.width))
    func paint(_ part: Range<Double>?, _ character: Character) {
        for index in strip.indices where part?.contains(Double(index) + 0.5) == true { strip[index] = character }
    }
    func mark(_ x: Double?, _ character: Character) {
        if let x, !strip.isEmpty { strip[min(Int(x), strip.count - 1)] = character }
    }
    paint(layers.played, "=")
    paint(layers.unplayed, "-")
    paint(layers.selected, "#")
    mark(layers.start, "[")
    mark(layers.end, "]")
    mark(layers.playhead, "|")
    return String(strip)
}

/// Draws the look of each column.
func drawing(_ layers: [ColumnLayer]) -> String {
    String(
        layers.map { layer in
            switch layer {
            case .outside: " "
            case .played: "="
            case .unplayed: "-"
            case .selected: "#"
            case .handle(.start): "["
            case .handle(.end): "]"
            case .playhead: "|"
            }
        })
}

/// A strip of 40 pixels of one second each, over 100 s in milliseconds.
func strip(width: Double = 40, duration: Int64? = 100_000, zoom: Double = 1, at position: Int64 = 0) -> TimelineState {
    TimelineState(
        TimelineGeometry(width: width, duration: duration, secondsPerPixel: zoom), position: position)
}

extension TimelineState {
    /// Carries out one or more events, and returns all that they lead to.
    @discardableResult mutating func take(_ events: TimelineEvent...) -> [TimelineEffect] { take(events) }

    @discardableResult mutating func take(_ events: [TimelineEvent]) -> [TimelineEffect] {
        events.flatMap { handle($0) }
    }

    /// Lets time pass in frames until nothing moves any more, at most an hour; returns the seconds and the effects.
    mutating func settle(frame: Double = 1.0 / 60) -> (seconds: Double, effects: [TimelineEffect]) {
        var effects: [TimelineEffect] = []
        var seconds = 0.0
        while needsFrames, seconds < 3600 {
            effects += take(.frame(seconds: frame))
            seconds += frame
        }
        return (seconds, effects)
    }

    /// The bounds of the selection in seconds.
    var bounds: [Double] { selection.map { [Double($0.start) / 1000, Double($0.end) / 1000] } ?? [] }
}

extension TimelineEffect {
    /// The position of a seek.
    var target: Int64? { if case .seek(let target) = self { target } else { nil } }
    /// The bounds that were reported.
    var reported: TimelineSelection? { if case .selected(let selection) = self { selection } else { nil } }
}
