// SPDX-License-Identifier: Apache-2.0

import Testing
import TimelineGeometry

@Suite struct `A timeline's conversions` {
    // Milliseconds and pixels from the playhead: five seconds are a bar of 4 pixels and a gap of 2.
    @Test(arguments: [(Int64(0), 0.0), (5_000, 6), (2_500, 3), (60_000, 72), (3_600_000, 4_320), (7_200_000, 8_640)])
    func `have six pixels for five seconds unless zoomed`(_ milliseconds: Int64, _ pixels: Double) {
        let geometry = TimelineGeometry(width: 300, duration: 10_000_000)
        #expect(abs(geometry.x(of: milliseconds) - (150 + pixels)) < 1e-9)
        #expect(geometry.position(atX: 150 + pixels) == milliseconds)
    }

    @Test(arguments: [0.001, 0.01, 5.0 / 6, 1, 7.77, 3600], [1000.0, 44_100, 48_000, 0.1])
    func `return to where they came from at every zoom`(_ zoom: Double, _ rate: Double) {
        var geometry = TimelineGeometry(
            width: 1_000, duration: 1_000_000_000, unitsPerSecond: rate, secondsPerPixel: zoom)
        geometry.movePlayhead(to: 500_000_000.25)
        for pixel in stride(from: -500.0, through: 1_500, by: 12.5) {
            let position = geometry.position(atX: pixel)
            guard position > 0, position < geometry.end else { continue }
            #expect(abs(geometry.x(of: position) - pixel) <= 0.5 / geometry.unitsPerPixel + 1e-6)
        }
        for position in stride(from: Int64(499_999_000), through: 500_001_000, by: 37) {
            #expect(geometry.position(atX: geometry.x(of: position)) == position)
        }
    }

    @Test func `keep the place under the pointer when zoomed`() {
        var geometry = TimelineGeometry(width: 400, duration: 3_600_000)
        geometry.movePlayhead(to: 1_800_000)
        for (x, factor) in [(200.0, 2.0), (10, 1.5), (390, 0.4), (200, 0.1), (0, 3)] {
            let before = geometry.position(atX: x)
            geometry.zoom(by: factor, aboutX: x)
            #expect(abs(geometry.x(of: before) - x) <= 0.5 / geometry.unitsPerPixel + 1e-6)
        }
        let playhead = geometry.playhead
        geometry.zoom(by: 5)
        #expect(geometry.playhead == playhead)
    }

    @Test func `keep the zoom within its limits`() {
        var geometry = TimelineGeometry(width: 400, duration: 3_600_000)
        for _ in 0..<40 { geometry.zoom(by: 2) }
        #expect(geometry.secondsPerPixel == geometry.rules.zooms.lowerBound)
        for _ in 0..<40 { geometry.zoom(by: 0.5) }
        #expect(geometry.secondsPerPixel == geometry.rules.zooms.upperBound)
        for factor in [0, -1, .nan, .infinity] { geometry.zoom(by: factor) }
        #expect(geometry.secondsPerPixel == geometry.rules.zooms.upperBound)
    }

    @Test func `say what is on the strip`() {
        var geometry = TimelineGeometry(width: 40, duration: 100_000, secondsPerPixel: 1)
        #expect(geometry.visible == 0...20_000)
        geometry.movePlayhead(to: 50_000)
        #expect(geometry.visible == 30_000...70_000)
        geometry.movePlayhead(to: 95_000)
        #expect(geometry.visible == 75_000...100_000)
        geometry.setDuration(nil)
        #expect(geometry.visible == 75_000...115_000)
        geometry.setDuration(80_000)
        #expect(geometry.position == 80_000)
    }

    static let numbers = [
        0, -0.0, 1, -1, 0.5, 1e-300, 1e300, -1e300, .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
    ]
    static let durations: [Int64?] = [nil, .min, -1, 0, 1, 999, 1000, .max]

    @Test(arguments: numbers, durations)
    func `are finite whatever the numbers`(_ number: Double, _ duration: Int64?) {
        var rules = TimelineRules()
        for field in [\.barSeconds, \.barPixels, \.gapPixels, \.decay, \.leastSelection]
            as [WritableKeyPath<TimelineRules, Double>]
        {
            rules[keyPath: field] = number
        }
        for other in Self.numbers {
            var geometry = TimelineGeometry(
                width: number, duration: duration, unitsPerSecond: other, secondsPerPixel: number, rules: rules)
            geometry.movePlayhead(to: other)
            geometry.zoom(by: number, aboutX: other)
            geometry.resize(to: other)
            geometry.setDuration(duration)
            #expect((0...Double(geometry.end)).contains(geometry.playhead))
            #expect(geometry.x(of: .min).isFinite && geometry.x(of: .max).isFinite)
            #expect((0...geometry.end).contains(geometry.position(atX: number)))
            #expect(geometry.layers().playhead.isFinite)
            #expect(geometry.columnLayers().count == geometry.columnCount)
            #expect(geometry.bars.allSatisfy { $0.x.lowerBound.isFinite && $0.units.upperBound <= geometry.end })
            #expect(geometry.positions(ofColumn: .max).lowerBound.isFinite)
            _ = geometry.column(of: .min) + geometry.column(of: .max)
        }
    }

    @Test func `place bars of four pixels six pixels apart`() {
        var geometry = TimelineGeometry(width: 30, duration: 22_000)
        func bars() -> [String] {
            geometry.bars.map { bar in
                "\(bar.index): \(bar.x.lowerBound.rounded()) to \(bar.x.upperBound.rounded()), \(bar.units)"
            }
        }
        #expect(
            bars() == ["0: 15.0 to 19.0, 0..<5000", "1: 21.0 to 25.0, 5000..<10000", "2: 27.0 to 31.0, 10000..<15000"])
        geometry.movePlayhead(to: 20_000)
        #expect(
            bars() == [
                "1: -3.0 to 1.0, 5000..<10000", "2: 3.0 to 7.0, 10000..<15000", "3: 9.0 to 13.0, 15000..<20000",
                "4: 15.0 to 19.0, 20000..<22000",
            ])
        geometry.zoom(by: 5)
        #expect(bars().first == "17: -3.0 to 1.0, 17000..<18000")
    }
}

@Suite struct `A timeline's layers` {
    private func row(_ seconds: Int64, _ state: TimelineState) -> String {
        var geometry = state.geometry
        geometry.movePlayhead(to: Double(seconds * 1000))
        let name = "\(seconds) s"
        return String(repeating: " ", count: 6 - name.count) + name + " " + drawing(geometry, state.selection) + "."
    }

    @Test func `pass under the playhead, which stays in the centre`() {
        var state = strip()
        state.take(.opened(start: 30_000, end: 45_000))
        let rows = [0, 10, 25, 30, 40, 50, 70, 90, 100].map { row($0, state) }
        #expect(
            rows == [
                "   0 s                     |-------------------.",
                "  10 s           ==========|-------------------.",
                "  25 s ====================|----[#############].",
                "  30 s ====================|##############]----.",
                "  40 s ==========[#########|####]--------------.",
                "  50 s [##############]====|-------------------.",
                "  70 s ====================|-------------------.",
                "  90 s ====================|---------          .",
                " 100 s ====================|                   .",
            ])
    }

    @Test func `have no end while the length is unknown`() {
        var state = strip(duration: nil)
        #expect(row(1_000, state) == "1000 s ====================|-------------------.")
        state.take(.opened(start: 995_000, end: 2_000_000))
        #expect(row(1_000, state) == "1000 s ===============[####|###################.")
    }

    @Test func `are drawn at every zoom`() {
        var state = strip(at: 50_000)
        state.take(.opened(start: 48_000, end: 56_000))
        let rows = [0.1, 0.5, 1, 2, 10].map { zoom in
            var state = state
            state.take(.zoomed(by: 1 / zoom, aboutX: nil))
            return drawing(state.geometry, state.selection) + "."
        }
        #expect(
            rows == [
                "[###################|###################.",
                "================[###|###########]-------.",
                "==================[#|#####]-------------.",
                "===================[|##]----------------.",
                "               ====[|----               .",
            ])
    }

    /// The columns of a strip that can be drawn in characters only: the same grid wherever the playhead is.
    @Test func `lie on a grid that is fixed to the content`() {
        var geometry = TimelineGeometry(width: 20, duration: 30_000, secondsPerPixel: 1)
        var state = TimelineState(geometry)
        state.take(.opened(start: 7_200, end: 12_500))
        let rows = [0.0, 900, 1_000, 5_100, 7_300, 12_400, 12_600, 29_999].map { position in
            geometry.movePlayhead(to: position)
            return drawing(geometry.columnLayers(state.selection)) + "."
        }
        #expect(
            rows == [
                "          |------[##.",
                "          |------[##.",
                "         =|-----[###.",
                "     =====|-[####]--.",
                "   =======|####]----.",
                "=====[####|---------.",
                "=====[####|---------.",
                "==========|         .",
            ])
        for position in stride(from: 0.0, through: 30_000, by: 77) {
            geometry.movePlayhead(to: position)
            for column in 0..<geometry.columnCount {
                let range = geometry.positions(ofColumn: column)
                #expect(range.lowerBound.truncatingRemainder(dividingBy: 1_000) == 0)
                guard range.lowerBound >= 0 else { continue }
                #expect(geometry.column(of: Int64(range.lowerBound)) == column)
                #expect(geometry.column(of: Int64(range.upperBound) - 1) == column)
            }
            #expect(geometry.positions(ofColumn: geometry.centreColumn).contains(position))
        }
    }

    @Test func `share a character of several dots`() {
        var geometry = TimelineGeometry(width: 40, duration: 30_000, secondsPerPixel: 0.5)
        geometry.movePlayhead(to: 10_000)
        var state = TimelineState(geometry)
        state.take(.opened(start: 7_200, end: 12_500))
        #expect(drawing(geometry.columnLayers(state.selection, dots: 2)) == "=======[##|#]-------")
    }
}
