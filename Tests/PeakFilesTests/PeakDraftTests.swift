// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import RandomTestSupport
import Testing

@testable import PeakFiles

/// Tests that what is on disk after a kill at any moment is gone on with.
@Suite struct PeakDraftTests {
    private static let count = 3 * PeakLevels.segment + 100

    /// Returns the bytes of a file in which the segments were written in an order, one after the other.
    private func draft(_ order: [Int]) throws -> Data {
        let folder = try TemporaryFolder()
        let sheet = PeakCache(folder: folder.path).open("key", sampleRate: 44_100)
        for number in order { _ = sheet.take(number, PeakMaterial.segment(number, of: Self.count)) }
        #expect(sheet.fault == nil)
        return try Data(contentsOf: URL(fileURLWithPath: folder.path + "/key.part"))
    }

    /// Opens these bytes as a draft, checks that every segment is right or missing, makes the rest, and compares.
    private func goOn(with bytes: Data, _ what: String) throws -> Int {
        let folder = try TemporaryFolder()
        try folder.write("key.part", bytes)
        let sheet = PeakCache(folder: folder.path).open("key", sampleRate: 44_100)
        let found = sheet.doneCount
        for number in 0...3 where sheet.isDone(number) {
            let range = number * PeakMaterial.segment..<(number + 1) * PeakMaterial.segment
            #expect(
                sheet.peaks(512, range)
                    == PeakMaterial.segment(number, of: Self.count).map(Optional.init), "\(what): \(number)")
        }
        PeakMaterial.make(sheet, Self.count)
        sheet.finish()
        #expect(sheet.isComplete && sheet.fault == nil, "\(what): \(String(describing: sheet.fault))")
        #expect(sheet.peaks(512, 0..<Self.count) == PeakMaterial.peaks(0..<Self.count).map(Optional.init), "\(what)")
        return found
    }

    @Test func `a file that is cut anywhere is gone on with`() throws {
        let whole = try draft([0, 1, 2, 3])
        var random = SplitMix(state: 3)
        var places = [0, 1, 7, 8, 19, 20, 21, 4095, 4096, 4097, whole.count - 1, whole.count]
        for slot in 0...3 {
            let start = 4096 + slot * PeakDraft.slotSize
            places += [start - 1, start, start + 1, start + 8, start + 15, start + 16, start + 17]
        }
        for _ in 0..<60 { places.append(Int(random.next() % UInt64(whole.count))) }
        for place in places {
            let found = try goOn(with: whole.prefix(place), "cut at \(place)")
            // What was complete is not made again.
            let complete = place == whole.count ? 4 : max(0, (place - 4096) / PeakDraft.slotSize)
            #expect(found == min(complete, 4), "cut at \(place)")
        }
    }

    @Test func `a write that a power cut tore leaves only that segment to be made again`() throws {
        let (before, after) = (try draft([3, 0]), try draft([3, 0, 1, 2]))
        var random = SplitMix(state: 4)
        for _ in 0..<100 {
            // Of the blocks that were written last, any may have reached the disk.
            var torn = after
            for block in stride(from: 0, to: after.count, by: 512) where random.next() % 3 == 0 {
                for place in block..<min(block + 512, after.count) {
                    torn[place] = place < before.count ? before[place] : 0
                }
            }
            #expect(try goOn(with: torn, "torn") >= 2)
        }
    }

    @Test func `bytes that are changed anywhere are found`() throws {
        let whole = try draft([0, 1, 2, 3])
        var random = SplitMix(state: 5)
        for _ in 0..<100 {
            var changed = whole
            let place = Int(random.next() % UInt64(whole.count))
            changed[place] ^= UInt8(truncatingIfNeeded: random.next() | 1)
            let found = try goOn(with: changed, "changed at \(place)")
            // Between the head and the first slot nothing is written.
            let isUsed = place < 20 || place >= 4096
            #expect(isUsed ? found < 4 : found == 4, "changed at \(place)")
        }
    }

    @Test func `random bytes, and a head of another rate, are no draft`() throws {
        var random = SplitMix(state: 6)
        for size in [0, 5, 4096, 50_000] {
            let bytes = Data((0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            #expect(try goOn(with: bytes, "\(size) random bytes") == 0)
        }
        let folder = try TemporaryFolder()
        try folder.write("key.part", draft([0, 1]))
        #expect(PeakCache(folder: folder.path).open("key", sampleRate: 48_000).doneCount == 0)
    }

    @Test func `files that are half renamed are no peaks, and are made again`() throws {
        // The moments between two renames: some files have their names, the others do not.
        let names = PeakSet.names("key")
        for moment in 0...names.count {
            let folder = try TemporaryFolder()
            let cache = PeakCache(folder: folder.path)
            let sheet = cache.open("key", sampleRate: 44_100)
            PeakMaterial.make(sheet, Self.count)
            let draft = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/key.part"))
            sheet.finish()
            for name in names.dropFirst(moment) {
                rename(folder.path + "/" + name, PeakSetWriter.draft(folder.path + "/" + name))
            }
            try folder.write("key.part", draft)
            #expect((cache.finished("key") != nil) == (moment == names.count))
            let again = cache.open("key", sampleRate: 44_100)
            #expect(again.doneCount == 4)
            again.finish()
            #expect(again.isComplete)
            #expect(again.peaks(512, 0..<Self.count) == PeakMaterial.peaks(0..<Self.count).map(Optional.init))
        }
    }

    @Test func `two sessions do not write the same file`() throws {
        let folder = try TemporaryFolder()
        let cache = PeakCache(folder: folder.path)
        let first = cache.open("key", sampleRate: 44_100)
        let second = cache.open("key", sampleRate: 44_100)
        #expect(first.fault == nil && second.fault?.kind == .inUse)
        PeakMaterial.make(first, Self.count)
        PeakMaterial.make(second, Self.count)
        first.finish()
        #expect(first.isComplete && second.isComplete)
        #expect(second.peaks(32_768, 0..<200) == first.peaks(32_768, 0..<200))
    }
}
