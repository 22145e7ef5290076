// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TimelineGeometry

// What the clip's screen shows.
extension ClipScreen {
    func draw(_ frame: inout Frame, _ layout: ClipLayout, glyphs: Glyphs, message: PlayerState.Message?, rows: Int) {
        drawHead(&frame, glyphs)
        if timeline.selection == nil {
            let text = sound.fault.map { "The lengths of the files are not known: \($0)" } ?? "One moment."
            frame.screen.put(text, layout.ruler + 1, 2, limit: frame.columns - 4)
        } else {
            drawRuler(&frame, layout)
            drawStrip(&frame, layout, glyphs)
            drawNumbers(&frame, layout.signs + 1, glyphs)
        }
        if prompt == .help { drawKeys(&frame, layout, glyphs) }
        drawLastRow(&frame, max(0, min(frame.rows, rows) - 1), message)
    }

    private func drawHead(_ frame: inout Frame, _ glyphs: Glyphs) {
        let verb = mode == .editing ? "Edit clip" : "Clip"
        let column = frame.screen.put("\(verb) \(clip?.id ?? name)", 0, 1, .strong) + 2
        let parts = [clip?.title, clip?.author, clip?.chapter].compactMap { $0 }
        frame.screen.put(parts.joined(separator: " · "), 0, column, limit: max(0, frame.columns - column - 8))
        frame.screen.put("? keys", 0, endingAt: frame.columns - 1, .faint)
        frame.screen.fill(1, 0..<frame.columns, glyphs.rule, .faint)
    }

    // MARK: - The strip

    /// Draws a time above every twentieth column or so, at round places.
    private func drawRuler(_ frame: inout Frame, _ layout: ClipLayout) {
        let geometry = timeline.geometry
        let msPerColumn = geometry.unitsPerPixel * Double(style.dotsAcross)
        let step = Self.steps.first { Double($0) >= msPerColumn * 14 } ?? Self.steps.last ?? 1000
        let visible = geometry.visible
        var time = visible.lowerBound / step * step
        while time <= visible.upperBound {
            let column = layout.columns.lowerBound + cell(geometry.column(of: time))
            if layout.columns.contains(column) {
                frame.screen.put(
                    step < 1000 ? preciseClockText(time) : clockText(time), layout.ruler, column, .faint,
                    limit: layout.columns.upperBound - column)
            }
            time += step
        }
    }

    private static let steps: [Int64] = [
        100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_200_000,
        3_600_000, 7_200_000, 18_000_000, 36_000_000, 86_400_000, 864_000_000,
    ]

    /// Returns the column of the screen of a column of the strip.
    private func cell(_ column: Int) -> Int { Int((Double(column) / Double(style.dotsAcross)).rounded(.down)) }

    private func drawStrip(_ frame: inout Frame, _ layout: ClipLayout, _ glyphs: Glyphs) {
        guard let tracks else { return }
        let geometry = timeline.geometry
        let columns = sound.columns(geometry, tracks)
        // A quiet recording fills the strip, too, as far as what is shown is as loud as speech.
        let loudest = columns.peaks.reduce(0) { max($0, $1.map { max(abs(Int($0.min)), abs(Int($0.max))) } ?? 0) }
        let drawing = WaveformDrawing(
            columns, geometry, selection: timeline.selection, rows: layout.strip.count, style: style,
            fullScale: max(4096, loudest))
        for (index, text) in drawing.rows.enumerated() {
            frame.screen.put(
                cells: text, layers: drawing.layers, layout.strip.lowerBound + index, layout.columns.lowerBound,
                held: edit.target, line: glyphs.stroke)
        }
        drawSigns(&frame, layout, drawing.layers, glyphs)
    }

    private func drawSigns(
        _ frame: inout Frame, _ layout: ClipLayout, _ layers: [ColumnLayer], _ glyphs: Glyphs
    ) {
        for (index, layer) in layers.enumerated() {
            let (sign, style): (String, Style)
            switch layer {
            case .handle(let handle):
                (sign, style) = (handle == .start ? "[" : "]", edit.target == .handle(handle) ? .selected : .handle)
            case .playhead: (sign, style) = (glyphs.pointer, edit.target == .playhead ? .selected : .playhead)
            default: continue
            }
            frame.screen.put(sign, layout.signs, layout.columns.lowerBound + index, style)
        }
    }

    // MARK: - Numbers

    private func drawNumbers(_ frame: inout Frame, _ row: Int, _ glyphs: Glyphs) {
        guard let selection = timeline.selection else { return }
        var column = 2
        let numbers: [(String, Int64, TimelineTarget?)] = [
            ("start", selection.start, .handle(.start)), ("end", selection.end, .handle(.end)),
            ("length", selection.length, nil), ("here", timeline.geometry.position, .playhead),
        ]
        for (name, ms, target) in numbers {
            let isTarget = mode == .editing && target != nil && target == edit.target
            column = frame.screen.put("\(name) ", row, column, .faint)
            column = frame.screen.put(preciseClockText(ms), row, column, isTarget ? .selected : .plain) + 3
        }
        frame.screen.put(stateText(glyphs), row + 1, 2, .accent, limit: frame.columns - 4)
        let tags = (clip?.tags ?? []).map { "#" + $0 }.joined(separator: " ")
        if case .note(let text) = prompt {
            frame.screen.put("note: ", row + 2, 2, .faint)
            let room = max(1, frame.columns - 11)
            frame.screen.put(text.tail(columns: room) + "_", row + 2, 8, .accent, limit: room + 1)
        } else {
            frame.paragraph(
                edit.note.isEmpty ? "no note" : edit.note, row + 2, 2..<max(12, frame.columns - 2),
                edit.note.isEmpty ? .faint : .plain,
                rows: 2)
        }
        frame.screen.put(tags, row + 1, endingAt: frame.columns - 2, .faint)
    }

    private func stateText(_ glyphs: Glyphs) -> String {
        var parts = [playback.isActive ? "\(glyphs.playing) playing" : "\(glyphs.paused) silent"]
        if playback.loops { parts.append("loop") }
        if timeline.isLinked { parts.append("linked") }
        if clip?.sourceThere == false { parts.append("recording gone: from its own file") }
        if let fault = sound.fault { parts.append("no waveform: \(fault)") } else { parts += progressText }
        if edit.isSaving { parts.append("saving") } else if isChanged { parts.append("not saved") }
        return parts.joined(separator: "   ")
    }

    private var progressText: [String] {
        guard let tracks else { return [] }
        let progress = sound.progress(of: tracks.place(of: timeline.geometry.position).track)
        return progress > 0 && progress < 1 ? ["waveform \(Int(progress * 100)) %"] : []
    }

    private func drawLastRow(_ frame: inout Frame, _ row: Int, _ message: PlayerState.Message?) {
        frame.screen.fill(row, 0..<frame.columns, " ")
        switch prompt {
        case .discard:
            frame.screen.put(
                "The changes are not saved: s saves, d discards, any other key goes on.", row, 1, .warning,
                limit: frame.columns - 2)
        case .delete:
            frame.screen.put(
                "Delete this clip and its file? y deletes, any other key keeps it.", row, 1, .warning,
                limit: frame.columns - 2)
        case .note:
            frame.screen.put("Enter keeps the note, Esc leaves it as it was.", row, 1, .faint, limit: frame.columns - 2)
        case .help, nil:
            if let message {
                frame.screen.put(
                    message.text, row, 1, message.isFailure ? .failure : .plain, limit: frame.columns - 2)
            } else {
                drawHints(&frame, row)
            }
        }
    }

    private func drawHints(_ frame: inout Frame, _ row: Int) {
        let hints =
            mode == .editing
            ? [
                ("Space", "play"), ("Tab", "handle"), ("←→", "move"), ("l", "loop"), ("s", "save"),
                ("u", "undo"), ("Esc", "leave"), ("n", "note"), ("Enter", "selection"), ("[ ]", "set"),
            ]
            : [("Space", "play"), ("l", "loop"), ("+-", "zoom"), ("e", "edit"), ("d", "delete"), ("Esc", "back")]
        var column = 1
        for (key, word) in hints where column + key.columns + word.columns + 2 < frame.columns {
            column = frame.screen.put(key, row, column, .accent) + 1
            column = frame.screen.put(word, row, column, .faint) + 2
        }
    }

    // MARK: - Keys

    private static let keys = [
        ("Space", "play, or pause"), ("Enter", "play the selection"), ("1", "play from the start on"),
        ("2", "play from the end on"), ("3", "play the last 2 s"), ("l", "repeat the selection"),
        ("+ - wheel", "zoom"), ("Home End", "go to the start, the end"), ("Esc q", "leave"),
    ]
    private static let editKeys = [
        ("Tab", "start, end or playhead"), ("← →", "move it by 0.1 s"), ("< >", "move it by 1 s"),
        ("PgUp PgDn", "move it by 30 s, 25 s"), ("b f", "next silence or chapter"),
        ("[ ]", "set them to the playhead"), ("k", "playhead pushes the bounds"), ("n", "note"),
        ("u r", "undo, redo"), ("s", "save"),
    ]
    private static let viewKeys = [("e", "edit"), ("d", "delete")]

    private func drawKeys(_ frame: inout Frame, _ layout: ClipLayout, _ glyphs: Glyphs) {
        let columns = [Self.keys, mode == .editing ? Self.editKeys : Self.viewKeys]
        let rows = min(columns.map(\.count).max() ?? 0, frame.rows - 5)
        let width = min(76, frame.columns - 2)
        let (left, top) = (max(0, (frame.columns - width) / 2), 2)
        for row in top..<top + rows + 2 { frame.screen.fill(row, left..<left + width, " ") }
        for row in [top, top + rows + 1] { frame.screen.fill(row, left..<left + width, glyphs.rule, .accent) }
        for (side, keys) in columns.enumerated() {
            let column = left + 1 + side * width / 2
            for (index, (key, meaning)) in keys.prefix(rows).enumerated() {
                frame.screen.put(key, top + 1 + index, column, .accent, limit: 10)
                frame.screen.put(meaning, top + 1 + index, column + 11, limit: max(1, width / 2 - 12))
            }
        }
    }
}
