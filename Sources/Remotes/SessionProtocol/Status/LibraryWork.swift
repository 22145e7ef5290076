// SPDX-License-Identifier: Apache-2.0

/// The result of `library work` and `library pair`: a book with its text.
public struct LibraryWork: Sendable, Hashable, Codable {
    /// The ID of the book.
    public var id: String
    public var title: String
    /// The URI of the recording.
    public var recording: String
    /// The URI of the text; `nil` if the book has none.
    public var text: String?
    /// One of `exact`, `aligned`, `anchored`, `proportional` and `unknown`: the grade of most places.
    public var grade: String
    /// The share of the text that is exact or aligned, from 0 to 1.
    public var share: Double
    /// The files of the recording that are there, in order, as URIs.
    public var files: [String]
    /// The path of the file in which an alignment is kept; `nil` if nothing is to be aligned.
    public var alignment: String?
    /// The identity of the recording and of the text, which the alignment names.
    public var recordingIdentity: String?
    public var textIdentity: String?
    /// The alignment that goes on, or how the last one ended; `nil` if none was begun, or if the last one is complete.
    public var run: AlignmentReport?
    /// The passages without a counterpart, in order of the recording, for `work`; `nil` if there is no alignment.
    public var unmatched: [Unmatched]?
    /// The number of further passages that are not listed; `nil` if all are.
    public var unmatchedLeftOut: Int?
    /// The book from which `pair` has taken the text; `nil` if it was no other book's.
    public var takenFrom: Former?

    /// The most passages without a counterpart that are listed.
    public static let mostUnmatched = 500

    /// A passage of the recording that is not in the text, or of the text that the recording does not have.
    public struct Unmatched: Sendable, Hashable, Codable {
        /// One of `prologue`, `added`, `epilogue` (before, within and behind what was found), `repeated` (something of the
        /// text again) and `skipped` (only in the text).
        public var kind: String
        /// The index of the file among `files`, from 0.
        public var file: Int
        /// Milliseconds in that file; both are the place at which something was skipped.
        public var startMs: Int64
        public var endMs: Int64
        /// The bytes of the reading text that were skipped, or are said again.
        public var startByte: Int64?
        public var endByte: Int64?
        /// The first words of that.
        public var words: String?

        public init(
            kind: String, file: Int, startMs: Int64, endMs: Int64, startByte: Int64? = nil, endByte: Int64? = nil,
            words: String? = nil
        ) {
            (self.kind, self.file, self.startMs, self.endMs) = (kind, file, startMs, endMs)
            (self.startByte, self.endByte, self.words) = (startByte, endByte, words)
        }
    }

    /// A book that had the text before.
    public struct Former: Sendable, Hashable, Codable {
        public var id: String
        public var title: String

        public init(id: String, title: String) { (self.id, self.title) = (id, title) }
    }

    public init(
        id: String, title: String, recording: String, text: String?, grade: String, share: Double, files: [String],
        alignment: String? = nil, recordingIdentity: String? = nil, textIdentity: String? = nil,
        takenFrom: Former? = nil
    ) {
        self.id = id
        self.title = title
        self.recording = recording
        self.text = text
        self.grade = grade
        self.share = share
        self.files = files
        self.alignment = alignment
        self.recordingIdentity = recordingIdentity
        self.textIdentity = textIdentity
        self.takenFrom = takenFrom
    }
}
