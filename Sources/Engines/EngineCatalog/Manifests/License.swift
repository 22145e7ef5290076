// SPDX-License-Identifier: Apache-2.0

/// What follows from an SPDX expression.
public enum License {
    /// It obliges what is linked with it: not in a process with code under others.
    ///
    /// An expression that leaves a choice is taken at its strictest.
    public static func isCopyleft(_ expression: String) -> Bool {
        expression.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
            .contains { $0.uppercased().hasPrefix("GPL") || $0.uppercased().hasPrefix("AGPL") }
    }
}
