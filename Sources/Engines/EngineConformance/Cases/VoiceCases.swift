// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Cases for `rostrum.voices/1`.
enum VoiceCases {
    static let all = [
        ConformanceCase("voices.list", "every voice has a name of its own and a language", list),
        ConformanceCase(
            "voices.choice", "a voice that is listed can be chosen, and another is refused or left", choice),
    ]

    private static func voices(_ subject: Subject) throws(Finding) -> [(name: CText, language: CText, about: CText)] {
        guard let table = try subject.find(ROSTRUM_VOICES_EXTENSION, as: rostrum_voices.self) else {
            throw .skip("the engine has no \(ROSTRUM_VOICES_EXTENSION)")
        }
        guard let count = table.pointee.count, let voice = table.pointee.voice else {
            throw .fault(
                "get_extension (\(ROSTRUM_VOICES_EXTENSION))", expected: "count and voice", came: "NULL", .functions)
        }
        let number = subject.call(.voices) { count(subject.engine) }
        try expect(number <= 100_000, "count", expected: "a number of voices", came: "\(number)", .voiceName)
        var voices: [(name: CText, language: CText, about: CText)] = []
        for index in 0..<number {
            var filled = rostrum_voice()
            filled.size = UInt32(MemoryLayout<rostrum_voice>.size)
            let result = subject.call(.voices) { voice(subject.engine, index, &filled) }
            try subject.mustBeOK(result, "voice (\(index))", .voiceName)
            voices.append((CText.read(filled.name), CText.read(filled.language), CText.read(filled.description)))
        }
        var beyond = rostrum_voice()
        beyond.size = UInt32(MemoryLayout<rostrum_voice>.size)
        let result = subject.call(.voices) { voice(subject.engine, number, &beyond) }
        try expect(
            result != ROSTRUM_OK, "voice (\(number)), of \(number)", expected: "a failure", came: "ROSTRUM_OK",
            .failureRanges)
        return voices
    }

    private static func list(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        var names: Set<String> = []
        for (index, voice) in try voices(subject).enumerated() {
            let call = "voice (\(index))"
            for (text, what) in [(voice.name, "name"), (voice.language, "language")] {
                let fault = text.fault(isLine: true) ?? (text.text.isEmpty ? "that is empty" : nil)
                try expect(fault == nil, call, expected: "a \(what)", came: "one \(fault ?? "")", .strings)
            }
            if case .missing = voice.about {
            } else {
                try expect(
                    voice.about.fault() == nil, call, expected: "a description",
                    came: "one \(voice.about.fault() ?? "")",
                    .strings)
            }
            try expect(
                names.insert(voice.name.text).inserted, call, expected: "a name of its own",
                came: "“\(voice.name.text)” again", .voiceName)
        }
        subject.destroy()
    }

    private static func choice(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        let names = try voices(subject).map(\.name.text)
        guard !names.isEmpty else { throw .skip("the engine lists no voice") }
        let some = Set([0, names.count / 2, names.count - 1]).sorted().map { names[$0] }
        for material in try context.materials(of: ROSTRUM_KIND_TEXT, "text") {
            for name in some {
                try subject.mustLoad(material, voice: name)
                let block = try subject.nextBlock()
                try expect(
                    block.frames > 0, "load (voice “\(name)”), then render", expected: "sound", came: "the end",
                    .voiceName)
            }
            let unknown = "no-such-voice-anywhere"
            let result = subject.load(material, voice: unknown)
            if result != ROSTRUM_OK {
                try subject.checkFailure(result, "load (voice “\(unknown)”)")
                try expect(
                    result == ROSTRUM_ERROR_VOICE, "load (voice “\(unknown)”)",
                    expected: "ROSTRUM_ERROR_VOICE, or another voice in its place", came: "\(result)", .voice)
            }
        }
        subject.destroy()
    }
}
