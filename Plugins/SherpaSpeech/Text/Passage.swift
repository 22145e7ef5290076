// SPDX-License-Identifier: Apache-2.0

/// A piece of text that a voice says in one go, as the sounds that it has.
struct Passage: Equatable {
    struct Word: Equatable {
        /// The units of the document for which it stands.
        var units: Range<Int64>
        /// The part of the passage's sound that is heard before it, 0 to 1.
        var start: Double
    }

    /// The sounds as code points, as the model takes them.
    var symbols: [Int32]
    /// The words in order of place and time.
    var words: [Word]
    /// The units from the first word to the next passage.
    var units: Range<Int64>
    /// The sentence that begins here.
    var sentence: Range<Int64>?
    /// The silence behind the sound, in milliseconds at rate 1.
    var pause: Int
}
