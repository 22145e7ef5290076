// SPDX-License-Identifier: Apache-2.0

import EngineConformance
import Foundation
import Testing

@Suite struct ClauseTests {
    @Test(arguments: Clause.allCases)
    func `the sentence that a finding quotes is in the header, word for word`(_ clause: Clause) throws {
        let path = "\(ConformantModule.package)/Sources/Contract/EngineABI/include/rostrum/\(clause.header)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // The text without the marks of comments, one of which is also a product in a formula.
        func words(_ text: String) -> [Substring] {
            text.split { $0.isWhitespace }.filter { $0 != "*" && $0 != "/*" && $0 != "*/" }
        }
        let (words, sentence) = (words(text), words(clause.sentence))
        #expect(words.joined(separator: " ").contains(sentence.joined(separator: " ")), "\(clause)")
    }
}
