// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// An engine's ID, and the name of a type or module that is derived from it.
struct EngineName: Equatable {
    let id: String

    init(_ id: String) throws(SessionError) {
        let isID =
            (1...32).contains(id.utf8.count)
            && id.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
        // The name of a type, and a name on a command line, must begin with a letter.
        guard isID, let first = id.utf8.first, (97...122).contains(first) else {
            throw SessionError(
                .usage,
                "bad name: \(id); it is at most 32 lower case letters, digits and -, and begins with a letter")
        }
        self.id = id
    }

    /// The name of the type: `SwiftMorseEngine` for `swift-morse`.
    ///
    /// It has a suffix because `Swift`, `Type` and `Engine` are taken.
    var type: String {
        let words = id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return words.hasSuffix("Engine") && words != "Engine" ? words : words + "Engine"
    }
}
