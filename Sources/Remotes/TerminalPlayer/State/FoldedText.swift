// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text without case and accents, for a search: `Café` is `cafe`.
    var folded: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
            result.append(scalar.isASCII ? scalar : scalar.letterWithoutAccent ?? scalar)
        }
        return String(result).lowercased()
    }
}

extension Unicode.Scalar {
    /// The letter of `LATIN SMALL LETTER E WITH ACUTE`; `nil` for what has no such name.
    fileprivate var letterWithoutAccent: Unicode.Scalar? {
        guard let name = properties.name, name.hasPrefix("LATIN "),
            let letter = name.split(separator: " ").drop(while: { $0 != "LETTER" }).dropFirst().first,
            name.contains(" WITH "), letter.unicodeScalars.count == 1
        else { return nil }
        return letter.unicodeScalars.first
    }
}
