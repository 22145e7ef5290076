// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Testing

@testable import EspeakEngine

struct EncodingTests {
    private func read(_ bytes: [UInt8]) throws -> (guess: EncodingGuess, characters: [TextCharacter]) {
        let document = try SpokenText.document(bytes)
        let guess = try EncodingGuess.of(document)
        var reader = CharacterReader(document, encoding: guess.encoding, offset: Int64(guess.markLength))
        var characters: [TextCharacter] = []
        while let character = try reader.next() { characters.append(character) }
        return (guess, characters)
    }

    @Test(arguments: [
        (Array("aé字🙂".utf8), TextEncoding.utf8, "aé字🙂", [0, 1, 3, 6]),
        ([0xEF, 0xBB, 0xBF] + Array("aé".utf8), .utf8, "aé", [3, 4]),
        ([0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x42, 0xDE], .utf16LittleEndian, "a🙂", [2, 4]),
        ([0xFE, 0xFF, 0, 0x61, 0xD8, 0x3D, 0xDE, 0x42], .utf16BigEndian, "a🙂", [2, 4]),
        ([0x63, 0x61, 0x66, 0xE9, 0x20, 0x80], .windows1252, "café €", [0, 1, 2, 3, 4, 5]),
        // Cut within a character: read up to there.
        (Array("aé".utf8) + [0xE5, 0xAD], .utf8, "aé\u{FFFD}", [0, 1, 3]),
        // One invalid byte among valid ones.
        (Array("éüößé".utf8) + [0xFF] + Array("é".utf8), .utf8, "éüößé\u{FFFD}é", [0, 2, 4, 6, 8, 10, 11]),
    ])
    func `each character has its byte offset`(
        bytes: [UInt8], encoding: TextEncoding, text: String, offsets: [Int64]
    ) throws {
        let (guess, characters) = try read(bytes)
        #expect(guess.encoding == encoding)
        #expect(SpokenText.string(characters) == text)
        #expect(characters.map(\.offset) == offsets)
        #expect(characters.last?.end == Int64(bytes.count))
        #expect((guess.warning != nil) == (encoding == .windows1252 || bytes.contains(0xFF) && encoding == .utf8))
    }

    @Test func `the window does not cut characters`() throws {
        let text = String(repeating: "a字🙂é", count: 20_000)
        let (guess, characters) = try read(Array(text.utf8))
        #expect(guess == EncodingGuess(encoding: .utf8))
        #expect(SpokenText.string(characters) == text)
    }

    @Test func `an accent deep in a Latin-1 text is found`() throws {
        var bytes = [UInt8](repeating: 0x61, count: 1_000_000)
        for index in stride(from: 70_000, to: bytes.count, by: 1000) { bytes[index] = 0xE9 }
        #expect(try EncodingGuess.of(SpokenText.document(bytes)).encoding == .windows1252)
    }

    @Test(arguments: [
        [UInt8](repeating: 0, count: 500), (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) },
        [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0, 0], [0x61, 0, 0x62, 0, 0x63, 0],
    ])
    func `input that is not text is refused`(bytes: [UInt8]) throws {
        let document = try SpokenText.document(bytes)
        let failure = #expect(throws: EngineFailure.self) { try EncodingGuess.of(document) }
        #expect(failure?.code == ROSTRUM_ERROR_ENCODING)
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 1), (3, 3), (4, 3), (5, 3), (6, 6), (9, 6), (10, 10)])
    func `a boundary is the start of the character that holds a byte`(position: Int64, boundary: Int64) throws {
        let document = try SpokenText.document(Array("aé字🙂b".utf8))
        let found = try CharacterReader.boundary(in: document, encoding: .utf8, start: 0, atOrBefore: position)
        #expect(found == boundary)
    }
}
