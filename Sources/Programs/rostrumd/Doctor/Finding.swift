// SPDX-License-Identifier: Apache-2.0

/// One line of an examination: what was examined, what was found, and what to do about it.
struct Finding: Sendable, Hashable, Encodable {
    enum Level: String, Sendable, Hashable, Encodable {
        case ok
        /// Something is missing that not everybody needs.
        case note
        /// Something is wrong.
        case fault
    }

    var subject: String
    var level: Level
    var words: String
    /// The thing to do; `nil` if there is nothing to do.
    var remedy: String?

    private enum CodingKeys: String, CodingKey {
        case subject = "check"
        case level
        case words = "message"
        case remedy
    }

    static func ok(_ subject: String, _ words: String) -> Finding {
        Finding(subject: subject, level: .ok, words: words)
    }

    static func note(_ subject: String, _ words: String, do remedy: String? = nil) -> Finding {
        Finding(subject: subject, level: .note, words: words, remedy: remedy)
    }

    static func fault(_ subject: String, _ words: String, do remedy: String) -> Finding {
        Finding(subject: subject, level: .fault, words: words, remedy: remedy)
    }

    /// The line for a person.
    var line: String {
        let mark = level == .fault ? "FAULT" : level.rawValue
        let head = mark.padded(to: 6) + subject.padded(to: 10) + words
        return remedy.map { head + "; " + $0 } ?? head
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
