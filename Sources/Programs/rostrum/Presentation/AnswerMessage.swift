// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The words of an answer that has nothing else.
struct AnswerMessage: Decodable {
    private var message: String

    /// Returns the lines of the message in the JSON text of a result; none if it has no message.
    static func lines(of result: [UInt8]) -> [String] {
        guard let answer = try? JSONDecoder().decode(AnswerMessage.self, from: Data(result)) else { return [] }
        return answer.message.split(separator: "\n").map(String.init)
    }
}
