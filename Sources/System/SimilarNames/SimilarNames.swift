// SPDX-License-Identifier: Apache-2.0

/// Finds the names that somebody may have meant who wrote another one.
public enum SimilarNames {
    /// Names are compared up to this length.
    private static let longest = 64

    /// Returns the names that are nearest to one, nearest first, whatever their case.
    ///
    /// A name that begins with it, or with which it begins, is near. Any other one must be so near that more than half of it
    /// can stay.
    public static func nearest(to name: String, among names: some Sequence<String>, most: Int = 3) -> [String] {
        let asked = scalars(name)
        guard !asked.isEmpty else { return [] }
        var found: [(name: String, distance: Int)] = []
        var seen: Set<String> = []
        for candidate in names where seen.insert(candidate.lowercased()).inserted {
            let other = scalars(candidate)
            guard !other.isEmpty else { continue }
            let distance = distance(asked, other)
            let isBeginning = other.starts(with: asked) || asked.starts(with: other)
            if isBeginning || 2 * distance < max(asked.count, other.count) { found.append((candidate, distance)) }
        }
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(most).map(\.name)
    }

    /// Returns a part of an error message that names what may have been meant, with a semicolon; empty if nothing is near.
    public static func advice(for name: String, among names: some Sequence<String>) -> String {
        let near = nearest(to: name, among: names)
        return near.isEmpty ? "" : "near it \(near.count == 1 ? "is" : "are") \(near.joined(separator: ", ")); "
    }

    private static func scalars(_ name: String) -> [Unicode.Scalar] {
        Array(name.lowercased().unicodeScalars.prefix(longest))
    }

    /// Returns the fewest letters that are put in, taken out, changed, or exchanged with their neighbours.
    private static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var rows = [[Int]](repeating: [Int](repeating: 0, count: second.count + 1), count: first.count + 1)
        for row in 0...first.count { rows[row][0] = row }
        for column in 0...second.count { rows[0][column] = column }
        for row in first.indices {
            for column in second.indices {
                let change = first[row] == second[column] ? 0 : 1
                var least = min(rows[row][column + 1] + 1, rows[row + 1][column] + 1, rows[row][column] + change)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                rows[row + 1][column + 1] = least
            }
        }
        return rows[first.count][second.count]
    }
}
