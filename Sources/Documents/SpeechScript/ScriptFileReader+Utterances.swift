// SPDX-License-Identifier: Apache-2.0

extension ScriptFileReader {
    /// A place between utterances, from which they are read one after another.
    public struct Cursor: Sendable {
        let reader: ScriptFileReader
        /// The index of the utterance that comes next.
        public private(set) var index: Int
        private var place: Int

        init(_ reader: ScriptFileReader, index: Int, place: Int) {
            self.reader = reader
            self.index = index
            self.place = place
        }

        /// Reads an utterance and moves behind it; returns `nil` behind the last.
        public mutating func next() throws(ScriptFileError) -> Utterance? {
            guard index < reader.count else { return nil }
            let head = try reader.head(at: place)
            let utterance = try reader.utterance(head)
            place = head.next
            index += 1
            return utterance
        }
    }

    /// A cursor before an utterance; one before the end if there is no such utterance.
    public func cursor(at index: Int = 0) throws(ScriptFileError) -> Cursor {
        guard index >= 0, index < count else { return Cursor(self, index: count, place: 0) }
        return Cursor(self, index: index, place: try head(ofUtterance: index).place)
    }

    /// Reads an utterance by its index, from 0.
    public func utterance(_ index: Int) throws(ScriptFileError) -> Utterance? {
        guard index >= 0, index < count else { return nil }
        return try utterance(head(ofUtterance: index))
    }

    /// The index of the utterance that contains a place in the text, or else of the first behind it.
    ///
    /// Returns `nil` if nothing is spoken from there on. It takes as many reads as the number of utterances has binary
    /// digits, and `ScriptFileLayout.stride` more.
    public func index(at place: Int) throws(ScriptFileError) -> Int? {
        guard count > 0 else { return nil }
        // The last entry of the index that begins at or before the place.
        var low = 0
        var high = count(of: .index) - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if try indexEntry(middle).start <= place { low = middle } else { high = middle - 1 }
        }
        var index = low * ScriptFileLayout.stride
        var head = try head(at: try indexEntry(low).place)
        while head.range.upperBound <= place {
            index += 1
            guard index < count else { return nil }
            // The next entry begins behind the place, so this ends after at most `stride` steps in a sound file.
            guard index <= (low + 1) * ScriptFileLayout.stride else { throw .corrupt("the index is out of order") }
            head = try self.head(at: head.next)
        }
        return index
    }

    private func head(ofUtterance index: Int) throws(ScriptFileError) -> Head {
        var head = try head(at: try indexEntry(index / ScriptFileLayout.stride).place)
        for _ in 0..<index % ScriptFileLayout.stride { head = try self.head(at: head.next) }
        return head
    }
}
