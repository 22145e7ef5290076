// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// `true` if a terminal could obey it, or show something else than what stands there.
    var isTreacherous: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Without the joiners, words of some languages are wrong.
        case .format: value != 0x200C && value != 0x200D
        default: false
        }
    }
}

extension String {
    /// The text in one line, with what a terminal could obey replaced by spaces.
    ///
    /// What an engine says is foreign: it could break a line, command a terminal, or turn the rest of a line around.
    public var harmless: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isTreacherous ? " " : $0 }))
    }
}
