// SPDX-License-Identifier: Apache-2.0

/// Rules that follow from an SPDX licence expression.
public enum License {
    /// Returns `true` if the licence extends to code that it is linked with, so that the module must not share a
    /// process with code under other licences.
    ///
    /// An expression that offers a choice is judged by its strictest option.
    public static func isCopyleft(_ expression: String) -> Bool {
        expression.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
            .contains { $0.uppercased().hasPrefix("GPL") || $0.uppercased().hasPrefix("AGPL") }
    }
}
