// SPDX-License-Identifier: Apache-2.0

/// The order of the books in a folder, such as the volumes of a series.
public enum FolderOrder {
    /// Returns the URI that follows `uri` in the natural order of the names; `nil` if it is the last one.
    ///
    /// - Parameters:
    ///   - uri: The URI of a file or folder, which need not be among `others`.
    ///   - others: The URIs in the same folder, in any order.
    public static func next(after uri: String, among others: [String]) -> String? {
        let here = Place(uri)
        return others.lazy.map(Place.init).filter { $0 > here }.min()?.uri
    }

    private struct Place: Comparable {
        let name: NaturalOrder
        /// It decides between names that look the same, which need not be UTF-8.
        let uri: String

        init(_ uri: String) {
            let last = uri[(uri.lastIndex(of: "/").map(uri.index(after:)) ?? uri.startIndex)...]
            name = NaturalOrder(
                PercentEncoding.decodeBytes(last).map { String(decoding: $0, as: UTF8.self) } ?? String(last))
            self.uri = uri
        }

        static func < (a: Self, b: Self) -> Bool { (a.name, a.uri) < (b.name, b.uri) }
    }
}
