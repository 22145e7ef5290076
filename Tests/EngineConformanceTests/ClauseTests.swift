// SPDX-License-Identifier: Apache-2.0

import EngineConformance
import Foundation
import Testing

@Suite struct ClauseTests {
    @Test(arguments: Clause.allCases)
    func `the sentence that a finding quotes is in the header, word for word`(_ clause: Clause) throws {
        let path = "\(ConformantModule.package)/Sources/Contract/EngineABI/include/rostrum/\(clause.header)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // The text without the marks of comments.
        let words = text.split { $0.isWhitespace }.filter { $0 != "*" && $0 != "/*" && $0 != "*/" }
        let sentence = clause.sentence.split { $0.isWhitespace }
        #expect(words.joined(separator: " ").contains(sentence.joined(separator: " ")), "\(clause)")
    }
}
