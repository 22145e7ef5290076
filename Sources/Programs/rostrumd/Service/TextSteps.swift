// SPDX-License-Identifier: Apache-2.0

import SpeechScript

/// The places to which moves by sentences and paragraphs of a text lead.
struct TextSteps {
    private let script: ScriptFileReader
    private let unit: SpokenUnit

    init(_ script: ScriptFileReader, by unit: SpokenUnit) {
        self.script = script
        self.unit = unit
    }

    /// Returns the beginning of what lies so many steps before or behind a place; `nil` if the text ends before.
    ///
    /// A step back leads to the beginning of the present sentence or paragraph if more than its first word was heard.
    func place(_ steps: Int, from place: Int) throws(ScriptFileError) -> Int? {
        let present = try script.index(at: place)
        return steps < 0 ? try back(-steps, from: present, place) : try forward(steps, from: present)
    }

    private func back(_ steps: Int, from present: Int?, _ place: Int) throws(ScriptFileError) -> Int? {
        var index = script.count
        var left = steps
        if let present {
            index = try first(of: present)
            if let utterance = try script.utterance(index),
                place >= utterance.words.first?.range.upperBound ?? utterance.range.upperBound
            {
                left -= 1
            }
        }
        while left > 0, index > 0 {
            index = try first(of: index - 1)
            left -= 1
        }
        return try script.utterance(index)?.range.lowerBound
    }

    private func forward(_ steps: Int, from present: Int?) throws(ScriptFileError) -> Int? {
        guard var index = present, var current = try script.utterance(index) else { return nil }
        var left = steps
        while left > 0 {
            index += 1
            guard let next = try script.utterance(index) else { return nil }
            if unit.key(next) != unit.key(current) { left -= 1 }
            current = next
        }
        return current.range.lowerBound
    }

    /// The index of the first utterance of the sentence or paragraph to which one belongs.
    func first(of index: Int) throws(ScriptFileError) -> Int {
        guard let utterance = try script.utterance(index) else { return index }
        var first = index
        while first > 0, let before = try script.utterance(first - 1), unit.key(before) == unit.key(utterance) {
            first -= 1
        }
        return first
    }
}
