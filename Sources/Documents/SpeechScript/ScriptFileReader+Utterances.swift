// SPDX-License-Identifier: Apache-2.0

extension ScriptFileReader {
    /// A place between utterances, from which they are read one after another.
    public struct Cursor: Sendable {
        private var reader: ScriptFileReader
        /// The index of the utterance that comes next.
        public private(set) var index: Int
        private var place: Int

        init(_ reader: ScriptFileReader, index: Int, place: Int) {
            self.reader = reader
            self.index = index
            self.place = place
        }

        /// Reads an utterance and moves behind it; returns `nil` behind the last.
        ///
        /// Throws `.unfinished` if the next one has not been made yet; it can be asked for again.
        public mutating func next() throws(ScriptFileError) -> Utterance? {
            if index >= reader.count, !reader.isWhole { try lookAgain() }
            guard index < reader.count else {
                if reader.isWhole { return nil }
                throw .more(behind: reader.end)
            }
            let head = try reader.head(at: place)
            let utterance = try reader.utterance(head)
            place = head.next
            index += 1
            return utterance
        }

        /// Reads what has been made meanwhile.
        private mutating func lookAgain() throws(ScriptFileError) {
            reader = try ScriptFileReader(descriptor: reader.descriptor)
            if place == 0, index < reader.count { place = try reader.head(ofUtterance: index).place }
        }
    }

    /// A cursor before an utterance; one behind the last if there is no such utterance.
    public func cursor(at index: Int = 0) throws(ScriptFileError) -> Cursor {
        guard index >= 0, index < count else { return Cursor(self, index: count, place: 0) }
        return Cursor(self, index: index, place: try head(ofUtterance: index).place)
    }

    /// Reads an utterance by its index, from 0; returns `nil` if there is none.
    ///
    /// Throws `.unfinished` if it has not been made yet.
    public func utterance(_ index: Int) throws(ScriptFileError) -> Utterance? {
        guard index >= 0 else { return nil }
        guard index < count else {
            if isWhole { return nil }
            throw .more(behind: end)
        }
        return try utterance(head(ofUtterance: index))
    }

    /// The index of the utterance that contains a place in the text, or else of the first behind it.
    ///
    /// Returns `nil` if nothing is spoken from there on. Throws `.unfinished` if that has not been found out yet.
    public func index(at place: Int) throws(ScriptFileError) -> Int? {
        guard place < end else {
            if isWhole { return nil }
            throw .more(behind: end)
        }
        let entry = try indexEntry(max(0, place) / ScriptFileLayout.stride)
        var index = entry.number
        var head = try head(at: entry.place)
        while head.range.upperBound <= place {
            index += 1
            guard index < count, index - entry.number <= ScriptFileLayout.longestWalk else {
                throw .corrupt("the index is out of order")
            }
            head = try self.head(at: head.next)
        }
        return index
    }

    /// Returns `true` if nothing is missing: the script is whole, of a text of this size, and the file ends with it.
    ///
    /// A file that was kept when the power failed may have its beginning only.
    public func isComplete(ofTextOf size: Int) -> Bool {
        guard isWhole, textSize == size else { return false }
        guard count > 0 else { return true }
        return (try? head(ofUtterance: count - 1).next) == fileSize
    }

    func head(ofUtterance index: Int) throws(ScriptFileError) -> Head {
        // The last entry of the index at or before it, of those that have been written.
        var low = 0
        var high = max(0, end - 1) / ScriptFileLayout.stride
        while low < high {
            let middle = (low + high + 1) / 2
            if try indexEntry(middle).number <= index { low = middle } else { high = middle - 1 }
        }
        let entry = try indexEntry(low)
        guard entry.number <= index, index - entry.number <= ScriptFileLayout.longestWalk else {
            throw .corrupt("the index is out of order")
        }
        var head = try head(at: entry.place)
        for _ in entry.number..<index { head = try self.head(at: head.next) }
        return head
    }
}
