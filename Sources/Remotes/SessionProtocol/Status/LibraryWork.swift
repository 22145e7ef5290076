// SPDX-License-Identifier: Apache-2.0

/// The result of `library work`: a book with its text.
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
    /// The book from which `pair` has taken the text; `nil` if it was no other book's.
    public var takenFrom: Former?

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
