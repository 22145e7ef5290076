// SPDX-License-Identifier: Apache-2.0

import Foundation
import RandomTestSupport
import Testing
import TimelineGeometry

@Suite struct `The drawing of a waveform` {
    /// Ten seconds that swell to full scale and fade: three peaks a second.
    private func swell() -> Waveform {
        var waveform = Waveform(framesPerSecond: 3)
        waveform.add(
            (0..<30).map { index in
                let size = Int16(32_767 * min(index, 29 - index) / 14)
                return WaveformPeak(min: -size / 2, max: size, rms: UInt16(size / 3))
            }, from: 0, framesPerPeak: 1)
        return waveform
    }

    private func drawing(
        _ waveform: Waveform, style: WaveformDrawing.Style, rows: Int, at position: Double = 5_000,
        clip: (Int64, Int64)? = nil, measure: WaveformDrawing.Measure = .peak, fullScale: Int = 32_768
    ) -> [String] {
        var geometry = TimelineGeometry(
            width: Double(30 * style.dotsAcross), duration: 10_000,
            secondsPerPixel: 0.4 / Double(style.dotsAcross))
        geometry.movePlayhead(to: position)
        var state = TimelineState(geometry)
        if let clip { state.take(.opened(start: clip.0, end: clip.1)) }
        let drawing = WaveformDrawing(
            WaveformColumns(waveform, geometry), geometry, selection: state.selection, rows: rows, style: style,
            measure: measure, fullScale: fullScale)
        return (drawing.rows + [TimelineGeometryTests.drawing(drawing.layers)]).map { $0 + "." }
    }

    @Test func `is made of half blocks, mirrored at its middle`() {
        #expect(
            drawing(swell(), style: .halfBlocks, rows: 5, clip: (3_000, 8_000)) == [
                "           ▄▄█████▄▄          .",
                "       ▄▄█████████████▄▄      .",
                "   █████████████████████████  .",
                "       ▀▀█████████████▀▀      .",
                "           ▀▀█████▀▀          .",
                "   =======[####|######]-----  .",
            ])
        #expect(
            drawing(swell(), style: .halfBlocks, rows: 4, at: 9_000, measure: .rms, fullScale: 11_000) == [
                " ▄▄▄███▄▄▄                    .",
                "█████████████▄▄▄▄▄            .",
                "█████████████▀▀▀▀▀            .",
                " ▀▀▀███▀▀▀                    .",
                "===============|--            .",
            ])
    }

    @Test func `is made of braille with twice the columns and four times the rows`() {
        #expect(
            drawing(swell(), style: .braille, rows: 5, clip: (3_000, 8_000)) == [
                "⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣠⣴⣶⣿⣿⣶⣦⣄⡀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀.",
                "⠀⠀⠀⠀⠀⢀⣠⣤⣶⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣶⣤⣄⡀⠀⠀⠀⠀⠀.",
                "⠀⠀⠰⠶⠶⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠶⠶⠆⠀⠀.",
                "⠀⠀⠀⠀⠀⠈⠙⠛⠿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⠿⠛⠋⠁⠀⠀⠀⠀⠀.",
                "⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠙⠻⠿⣿⣿⠿⠟⠋⠁⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀.",
                "  ========[####|######]-----  .",
            ])
        #expect(
            drawing(swell(), style: .braille, rows: 2, at: 1_000) == [
                "⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⢀⣀⣀⣀⣀⣠⣤⣤⣶⣶⣶⣿⣿⣿⣿⣶⣶⣶.",
                "⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠈⠉⠉⠉⠉⠙⠛⠛⠿⠿⠿⣿⣿⣿⣿⠿⠿⠿.",
                "            ===|--------------.",
            ])
    }

    @Test(arguments: WaveformDrawing.Style.allCases)
    func `shows silence as a line and what is not made as points`(_ style: WaveformDrawing.Style) {
        var waveform = Waveform(framesPerSecond: 10)
        let silence = WaveformPeak(min: 0, max: 0, rms: 0)
        waveform.add(Array(repeating: silence, count: 36), from: 0, framesPerPeak: 1)
        waveform.add(Array(repeating: silence, count: 24), from: 64, framesPerPeak: 1)
        #expect(
            drawing(waveform, style: style, rows: 3)
                == (style != .braille
                    ? [
                        "                              .",
                        style == .ascii
                            ? "   #########-------######---  ." : "   █████████·······██████···  .",
                        "                              .",
                        "   ============|------------  .",
                    ]
                    : [
                        "⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀.",
                        "⠀⠀⠰⠶⠶⠶⠶⠶⠶⠶⠶⠆······⠰⠶⠶⠶⠶⠶⠆···⠀⠀.",
                        "⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀⠀.",
                        "  =============|------------  .",
                    ]))
    }

    @Test func `has as many characters as there is room for`() {
        for style in WaveformDrawing.Style.allCases {
            for width in [0.0, 1, 2, 3, 7, 40] {
                for rows in [.min, -1, 0, 1, 2, 50, .max] {
                    let geometry = TimelineGeometry(width: width, duration: 10_000)
                    let drawing = WaveformDrawing(
                        WaveformColumns(swell(), geometry), geometry, rows: rows, style: style, fullScale: rows)
                    #expect(drawing.rows.count == min(max(0, rows), WaveformDrawing.mostRows))
                    #expect(drawing.rows.allSatisfy { $0.count == Int(width) / style.dotsAcross })
                    #expect(drawing.layers.count == Int(width) / style.dotsAcross)
                    // Fewer columns than there is room for are missing at the right.
                    let none = WaveformDrawing(WaveformColumns([]), geometry, rows: rows, style: style)
                    #expect(none.layers == drawing.layers && none.rows.count == drawing.rows.count)
                }
            }
        }
    }

    @Test func `bears the least sample that there is`() {
        let geometry = TimelineGeometry(width: 1, duration: 10_000)
        let peak = WaveformPeak(min: .min, max: .min, rms: .max)
        for measure in WaveformDrawing.Measure.allCases {
            let drawing = WaveformDrawing(
                WaveformColumns([peak]), geometry, rows: 3, style: .halfBlocks, measure: measure)
            #expect(drawing.rows == ["█", "█", "█"])
        }
    }

    /// A measurement that is printed and judges nothing: a book of 20 hours on 200 by 50 characters.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["ROSTRUM_MEASURE"] != nil, "set ROSTRUM_MEASURE to measure"))
    func `takes a time that is measured`() {
        let recording = NoiseRecording(frames: 1 << 20, seed: 1)
        var waveform = Waveform(framesPerSecond: 44_100)
        for (resolution, count) in [(512, 6_200_000), (4_096, 775_000), (32_768, 96_875)] {
            let peaks = recording.peaks(every: resolution)
            var first = 0
            while first < count {
                waveform.add(peaks, from: first, framesPerPeak: resolution)
                first += peaks.count
            }
        }
        for style in WaveformDrawing.Style.allCases {
            for zoom in [0.01, 0.1, 0.5, 5.0 / 6, 10, 360] {
                var geometry = TimelineGeometry(
                    width: Double(200 * style.dotsAcross), duration: 72_000_000, secondsPerPixel: zoom)
                var times: [Duration] = []
                for round in 0..<50 {
                    geometry.movePlayhead(to: Double(30_000_000 + round * 12_345))
                    times.append(
                        ContinuousClock().measure {
                            let drawing = WaveformDrawing(
                                WaveformColumns(waveform, geometry), geometry, rows: 50, style: style)
                            precondition(drawing.rows.count == 50)
                        })
                }
                times.sort()
                print("\(style), \(zoom) s a column: median \(times[25]), slowest \(times[49])")
            }
        }
    }
}
