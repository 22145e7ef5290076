// SPDX-License-Identifier: Apache-2.0

public import DocumentOrders
import Glibc
import MarkupDocuments
public import ReadingText
import SpeechScript
import SpeechText
import TextDocuments

/// Makes the reading text and the script of a file, whatever its format.
public enum DocumentFile {
    /// The bytes of the text whose script is made before a document is handed over.
    static let beginning = 128 << 10
    /// The bytes of the text between two reports on the rest.
    static let step = 256 << 10

    /// Reads a document and writes what is made of it.
    ///
    /// - Parameters:
    ///   - source: The descriptor of the document: a file, which is read from its beginning, or a pipe.
    ///   - text: The descriptor of an empty file for the reading text.
    ///   - script: The descriptor of an empty file for the script.
    ///   - dictionary: The descriptor of the listener's dictionary, if there is one.
    ///   - report: Takes `begun` and `made`, if the document is long.
    public static func read(
        _ order: DocumentOrder, source: Int32, text: Int32, script: Int32, dictionary: Int32? = nil,
        report: (DocumentReply) -> Void = { _ in }
    ) -> DocumentReply {
        let limits = ReadingLimits()
        do throws(DocumentError) {
            if order.form != .document { return try FeedFile.read(order, source: source, answer: text) }
            let bytes = try DocumentBytes.read(source, limit: limits.fileSize)
            let document = try read(bytes, order, limits)
            guard !document.text.isEmpty else { throw DocumentError(.empty, "there is no text in it") }
            try DocumentBytes.write(document.text, to: text)
            var warnings = document.warnings
            var words = try pronunciations(dictionary, limits, &warnings)
            try add(order.pronunciations, to: &words)
            let outcome = try write(document, to: script, order, words) { end, isBeginning in
                report(isBeginning ? .begun(warnings: warnings) : .made(end: end))
            }
            return .read(
                warnings: warnings + outcome.warnings,
                pronunciations: order.namesPronunciations ? outcome.applied.map(line) : [])
        } catch {
            return .failed(kind: "\(error.kind)", message: error.message)
        }
    }

    /// Reads the blocks of a document.
    public static func read(
        _ bytes: [UInt8], _ order: DocumentOrder, _ limits: ReadingLimits
    ) throws(DocumentError) -> ReadingDocument {
        let prefix = Array(bytes.prefix(max(TextFormat.prefixSize, MarkupFormat.prefixSize)))
        if let format = MarkupFormat.detect(prefix, name: order.name) {
            return try format.read(bytes, charset: order.charset, limits: limits)
        }
        guard let format = TextFormat.detect(prefix, name: order.name) else {
            throw DocumentError(
                .format, "it is no text, and no document of a format that can be read; `rostrum read --help` names some"
            )
        }
        return try format.read(bytes, limits: limits)
    }

    private static func pronunciations(
        _ descriptor: Int32?, _ limits: ReadingLimits, _ warnings: inout [String]
    ) throws(DocumentError) -> PronunciationDictionary {
        guard let descriptor else { return PronunciationDictionary() }
        let bytes: [UInt8]
        do throws(DocumentError) {
            bytes = try DocumentBytes.read(descriptor, limit: 4 << 20)
        } catch {
            warnings.append("pronunciations.txt is not used: \(error.message)")
            return PronunciationDictionary()
        }
        do throws(PronunciationDictionaryError) {
            return try PronunciationDictionary(parsing: bytes)
        } catch {
            // A mistake in the dictionary is no reason not to read.
            warnings += error.mistakes.prefix(5).map {
                "pronunciations.txt" + ($0.line > 0 ? ", line \($0.line)" : "")
                    + ": \($0.message); nothing of it is used"
            }
            return PronunciationDictionary()
        }
    }

    /// Adds entries that the listener tries, in which a mistake must not pass for how they sound.
    private static func add(
        _ lines: [String], to dictionary: inout PronunciationDictionary
    ) throws(DocumentError) {
        do throws(PronunciationDictionaryError) {
            try dictionary.add(lines)
        } catch {
            let mistake = error.mistakes.first
            let line = mistake.flatMap { lines.indices.contains($0.line - 1) ? lines[$0.line - 1] : nil } ?? ""
            throw DocumentError(
                .format, "the pronunciation “\(line.prefix(100))”: \(mistake?.message ?? error.message)")
        }
    }

    private static func line(_ applied: AppliedPronunciation) -> String {
        let entry = applied.entry
        let place = entry.number.map { ", line \($0) of pronunciations.txt" } ?? ", as given"
        return "“\(applied.written)”: \(entry.text)\(place)" + (entry.language.map { " (for \($0))" } ?? "")
    }

    private static func write(
        _ document: ReadingDocument, to descriptor: Int32, _ order: DocumentOrder, _ words: PronunciationDictionary,
        _ report: (_ end: Int, _ isBeginning: Bool) -> Void
    ) throws(DocumentError) -> ScriptMaker.Outcome {
        var settings = SpeechSettings()
        settings.skipped = Set(order.skipped.compactMap(SpeechSettings.Part.init(rawValue:)))
        settings.saysEmoji = order.saysEmoji
        settings.longestUtterance = order.longestUtterance
        settings.language = order.language
        let outcome: ScriptMaker.Outcome
        do throws(ScriptFileError) {
            var writer = try ScriptFileWriter(descriptor: descriptor, of: document)
            var reported = 0
            outcome = try ScriptMaker(settings: settings, dictionary: words).make(document) {
                utterance throws(ScriptFileError) in
                try writer.append(utterance)
                guard writer.end >= (reported == 0 ? beginning : reported + step) else { return }
                try writer.publish()
                report(writer.end, reported == 0)
                reported = writer.end
            }
            try writer.finish()
        } catch {
            throw DocumentError(.tooLarge, error.message)
        }
        guard outcome.utterances > 0 else {
            throw DocumentError(.empty, "the text has no letters or digits; there is nothing to read")
        }
        return outcome
    }
}
