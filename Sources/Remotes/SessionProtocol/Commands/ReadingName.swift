// SPDX-License-Identifier: Apache-2.0

/// The way in which a document of the reading list is named where items are.
///
/// Behind the prefix stands its ID, its address, or a part of its title that no other has.
public enum ReadingName {
    public static let prefix = "reading:"

    /// The longest name in bytes.
    private static let longest = 1000

    /// Returns `true` unless a name can only be that of a file: a path, or a name with an ending.
    public static func isPossible(_ name: String) -> Bool {
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        let hasEnding = (1...5).contains(ending.utf8.count) && ending.allSatisfy { $0.isLetter || $0.isNumber }
        return !name.utf8.isEmpty && name.utf8.count <= longest && !name.utf8.contains(UInt8(ascii: "/"))
            && !hasEnding && !name.unicodeScalars.contains { $0.value < 32 }
    }
}
