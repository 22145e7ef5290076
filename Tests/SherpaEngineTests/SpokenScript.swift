// SPDX-License-Identifier: Apache-2.0

import EngineSDK
import Glibc

/// Scripts for tests, and the folder with a voice.
enum SpokenScript {
    /// Makes a script of a text whose sentences are divided by " | ".
    static func of(_ text: String, pause: Int = 400, language: String? = "en") -> (text: String, [SpokenUtterance]) {
        let bytes = Array(text.utf8)
        var utterances: [SpokenUtterance] = []
        var start = 0
        for part in text.components(separatedBy: " | ") {
            let length = part.utf8.count
            var words: [SpokenUtterance.Word] = []
            var word = start
            for index in start...start + length {
                let isEnd = index == start + length || bytes[index] == 0x20
                guard isEnd else { continue }
                if index > word {
                    words.append(
                        SpokenUtterance.Word(
                            spoken: word - start..<index - start, units: Int64(word)..<Int64(index)))
                }
                word = index + 1
            }
            let units = Int64(start)..<Int64(start + length)
            utterances.append(
                SpokenUtterance(
                    units: units, sentence: units, text: part, language: language, words: words, pause: pause))
            start += length + 3
        }
        return (text, utterances)
    }

    /// The folder of voices, if a runtime and a voice are in it.
    static let folder: String? = {
        let home = getenv("HOME").map { String(cString: $0) + "/.local/share" }
        let data = getenv("XDG_DATA_HOME").map { String(cString: $0) } ?? home
        let named = getenv("ROSTRUM_VOICES").map { String(cString: $0) }
        guard let folder = named ?? data.map({ $0 + "/rostrum/voices" }),
            access(folder + "/runtime/2.0.1/libsherpa-onnx-c-api.so", F_OK) == 0,
            access(folder + "/en_US-joe-medium/model.onnx", F_OK) == 0
        else { return nil }
        return folder
    }()
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = [""]
        var rest = self[...]
        while let first = rest.first {
            if rest.hasPrefix(separator) {
                parts.append("")
                rest = rest.dropFirst(separator.count)
            } else {
                parts[parts.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        return parts
    }
}
