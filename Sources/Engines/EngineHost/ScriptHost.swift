// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport
import Glibc
import SpeechScript

/// The script of the loaded text, as the engine sees it: `rostrum_script_host` of the contract.
///
/// It is used on the engine's thread only.
final class ScriptHost {
    /// The knowledge of the script of a load.
    private enum Script {
        case open(OwnedDescriptor, ScriptFileReader)
        case none
    }

    private var script: (load: UInt32, Script)?
    private var text: UnsafeMutablePointer<CChar>?
    private var language: UnsafeMutablePointer<CChar>?
    private var phonemes: [UnsafeMutablePointer<CChar>] = []
    private var words: UnsafeMutableBufferPointer<rostrum_script_word>?

    deinit { forget() }

    /// Frees what the last utterance needed.
    private func forget() {
        free(text)
        free(language)
        for string in phonemes { free(string) }
        words?.deallocate()
        (text, language, phonemes, words) = (nil, nil, [], nil)
    }

    /// The answer of the session to a question for the script.
    enum Answer {
        case script(OwnedDescriptor)
        /// There is none, or what is asked for will not be made.
        case failed(rostrum_result)
        case interrupted
    }

    /// Fills in the utterance that contains a position, or the next one.
    ///
    /// - Parameters:
    ///   - load: The number of the load, of which each has a script of its own.
    ///   - open: Asks the session for the descriptor of the script, as soon as that says what is said at a position.
    func utterance(
        at position: Int64, of load: UInt32, _ result: UnsafeMutablePointer<rostrum_utterance>,
        open: (Int64) -> Answer, log: (String) -> Void
    ) -> rostrum_result {
        let place = min(max(0, position), Limits.units)
        if script?.load != load {
            forget()
            switch open(place) {
            case .script(let descriptor): script = (load, Self.script(descriptor, log))
            case .failed: script = (load, .none)
            case .interrupted:
                script = nil
                return ROSTRUM_ERROR_INTERRUPTED
            }
        }
        guard case .open(_, let reader)? = script?.1 else { return ROSTRUM_ERROR_UNSUPPORTED }
        do throws(ScriptFileError) {
            return try fill(result, from: reader, at: place)
        } catch {
            guard error.end != nil else {
                log(error.message)
                return ROSTRUM_ERROR_CORRUPT
            }
        }
        // It is being made, and not there yet.
        switch open(place) {
        case .script(let descriptor): script = (load, Self.script(descriptor, log))
        case .failed(let code): return code < 0 ? code : ROSTRUM_ERROR_CORRUPT
        case .interrupted: return ROSTRUM_ERROR_INTERRUPTED
        }
        do throws(ScriptFileError) {
            guard case .open(_, let reader)? = script?.1 else { return ROSTRUM_ERROR_CORRUPT }
            return try fill(result, from: reader, at: place)
        } catch {
            log(error.message)
            return ROSTRUM_ERROR_CORRUPT
        }
    }

    private func fill(
        _ result: UnsafeMutablePointer<rostrum_utterance>, from reader: ScriptFileReader, at place: Int64
    ) throws(ScriptFileError) -> rostrum_result {
        guard let index = try reader.index(at: Int(clamping: place)), let utterance = try reader.utterance(index) else {
            return ROSTRUM_ERROR_NOT_FOUND
        }
        return fill(result, utterance) ? ROSTRUM_OK : ROSTRUM_ERROR_MEMORY
    }

    private static func script(_ descriptor: OwnedDescriptor, _ log: (String) -> Void) -> Script {
        do throws(ScriptFileError) {
            return .open(descriptor, try ScriptFileReader(descriptor: descriptor.rawValue))
        } catch {
            // The engine reads the text itself then.
            log(error.message)
            return .none
        }
    }

    /// Returns `false` if there is no memory for it.
    private func fill(_ result: UnsafeMutablePointer<rostrum_utterance>, _ utterance: Utterance) -> Bool {
        forget()
        text = strdup(utterance.spoken)
        language = utterance.language.flatMap { strdup($0) }
        let words = UnsafeMutableBufferPointer<rostrum_script_word>.allocate(capacity: utterance.words.count)
        words.initialize(repeating: rostrum_script_word())
        self.words = words
        for (index, word) in utterance.words.enumerated() {
            words[index].offset = UInt32(clamping: word.spoken.lowerBound)
            words[index].length = UInt32(clamping: word.spoken.count)
            words[index].position = Int64(word.range.lowerBound)
            words[index].position_length = Int64(word.range.count)
            guard let sounds = word.phonemes.flatMap({ strdup($0) }) else { continue }
            phonemes.append(sounds)
            words[index].phonemes = UnsafePointer(sounds)
        }
        guard let text else { return false }
        var filled = rostrum_utterance()
        filled.size = result.pointee.size
        filled.pause = UInt32(clamping: utterance.pause)
        filled.position = Int64(utterance.range.lowerBound)
        filled.length = Int64(utterance.range.count)
        filled.sentence = Int64(utterance.sentence.lowerBound)
        filled.sentence_length = Int64(utterance.sentence.count)
        filled.text = UnsafePointer(text)
        filled.language = language.map { UnsafePointer($0) }
        filled.word_count = UInt32(clamping: words.count)
        filled.words = UnsafePointer(words.baseAddress)
        let size = min(Int(filled.size), MemoryLayout<rostrum_utterance>.size)
        withUnsafeBytes(of: &filled) {
            UnsafeMutableRawPointer(result).copyMemory(from: $0.baseAddress ?? .init(result), byteCount: size)
        }
        return true
    }
}
