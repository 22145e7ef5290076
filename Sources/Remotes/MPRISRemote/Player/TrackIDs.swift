// SPDX-License-Identifier: Apache-2.0

/// The track ids of an item and its chapters: object paths that are the same each time the item plays.
struct TrackIDs: Hashable {
    /// The id that the specification reserves for no track at all.
    static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

    let item: String

    init(uri: String) {
        // An object path has letters, digits and underscores, so the URI is named by its FNV-1a hash
        // (http://www.isthe.com/chongo/tech/comp/fnv).
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in uri.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        item = "/org/rostrum/item_" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    func chapter(_ index: Int) -> String { "\(item)/chapter_\(index + 1)" }

    /// Returns the index of the chapter with this id, or `nil` if it is not one of these.
    func chapter(_ id: String, count: Int) -> Int? {
        let prefix = item + "/chapter_"
        guard id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.count)), (1...max(count, 1)).contains(number),
            count > 0, chapter(number - 1) == id
        else { return nil }
        return number - 1
    }
}
