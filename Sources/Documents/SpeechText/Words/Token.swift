// SPDX-License-Identifier: Apache-2.0

/// A piece of a sentence between white space: a word with the marks before and behind it.
struct Token {
    /// The kinds of characters in and around the core, so that ordinary words pass without a closer look.
    struct Traits: OptionSet {
        let rawValue: UInt16
        static let digit = Traits(rawValue: 1)
        static let upper = Traits(rawValue: 2)
        static let lower = Traits(rawValue: 4)
        /// A character outside of ASCII that is neither letter nor apostrophe.
        static let foreign = Traits(rawValue: 8)
        /// A letter outside of ASCII.
        static let letter = Traits(rawValue: 16)
        /// An ASCII mark other than apostrophe and hyphen.
        static let mark = Traits(rawValue: 32)
        /// A character of a script without spaces.
        static let unspaced = Traits(rawValue: 64)
        /// White space before it.
        static let space = Traits(rawValue: 128)
        /// A line's end before it.
        static let line = Traits(rawValue: 256)
        /// A full stop directly behind the core.
        static let stop = Traits(rawValue: 512)
        /// Replaced by a dictionary or by the document.
        static let island = Traits(rawValue: 1024)
        /// A tab before it, which separates the cells of a table.
        static let cell = Traits(rawValue: 2048)
    }

    /// The beginning with the marks before the core.
    var start: Int
    /// The part that is spoken; empty if there are marks only.
    var core: Range<Int>
    /// The end with the marks behind the core.
    var end: Int
    var traits: Traits
    /// The index of the replacement, if it is an island.
    var island = -1
}
