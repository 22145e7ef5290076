// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import PlaybackCore
import Testing
import TrackIndexes

@Suite struct `Kept indexes` {
    private let folder: TemporaryFolder
    private let engine = EngineID("ffmpeg")

    init() throws { folder = try TemporaryFolder() }

    private func indexes(limit: Int64 = 1 << 20) -> TrackIndexes {
        TrackIndexes(folder: folder.path + "/cache/rostrum/indexes", limit: limit)
    }

    private func key(_ path: String, of engine: EngineID? = nil) throws -> TrackIndexKey? {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        return indexes().key(of: file.fileDescriptor, engine: engine ?? self.engine)
    }

    private func content(_ name: String, size: Int = 200_000, changing place: Int? = nil) throws -> String {
        var bytes = [UInt8]((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        if let place { bytes[place] ^= 1 }
        return try folder.write(name, Data(bytes))
    }

    private func kept(_ indexes: TrackIndexes, _ key: TrackIndexKey) -> [UInt8]? {
        indexes.open(key).map { descriptor in
            let file = FileHandle(fileDescriptor: descriptor.rawValue, closeOnDealloc: false)
            return [UInt8]((try? file.readToEnd()) ?? Data())
        }
    }

    private var file: String {
        let path = folder.path + "/cache/rostrum/indexes"
        return path + "/" + ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).joined()
    }

    @Test func `belong to the content, whatever the name of the file`() throws {
        let first = try #require(try key(try content("a.mp3")))
        #expect(try key(try content("moved/b.mp3")) == first)
        #expect(try key(try content("c.mp3", size: 200_001)) != first)
        for place in [0, 4095, 199_999, 200_000 - 4096] {
            #expect(try key(try content("d.mp3", changing: place)) != first, "\(place)")
        }
        #expect(try key(folder.path + "/a.mp3", of: EngineID("other")) != first)
        #expect(try key(try content("short.mp3", size: 1000)) == nil)
        #expect(first.name.utf8.allSatisfy { $0 > 32 && $0 != 47 && $0 < 127 })
    }

    @Test func `are read back unchanged, also by another session`() throws {
        let key = try #require(try key(try content("a.mp3")))
        #expect(kept(indexes(), key) == nil)
        let index = [UInt8]((0..<70_001).map { UInt8(truncatingIfNeeded: $0) })
        indexes().keep(index, for: key)
        #expect(kept(indexes(), key) == index)
        indexes().keep([1, 2, 3], for: key)
        #expect(kept(indexes(), key) == [1, 2, 3])
    }

    @Test func `that are damaged, cut short or of another version are removed`() throws {
        let key = try #require(try key(try content("a.mp3")))
        let index = [UInt8](repeating: 7, count: 100)
        indexes().keep(index, for: key)
        let sound = try Data(contentsOf: URL(fileURLWithPath: file))
        var damages: [Data] = (0..<sound.count).map { place in
            var bad = sound
            bad[place] ^= 0x10
            return bad
        }
        damages += [sound.dropLast(), sound + [0], Data(), Data(sound.prefix(20))]
        for damage in damages {
            indexes().keep(index, for: key)
            try damage.write(to: URL(fileURLWithPath: file))
            #expect(kept(indexes(), key) == nil)
            #expect(!file.hasSuffix(".index"), "a damaged index stays")
        }
        indexes().keep(index, for: key)
        #expect(kept(indexes(), key) == index)
    }

    @Test func `of one content are not used for another`() throws {
        let one = try #require(try key(try content("a.mp3")))
        let other = try #require(try key(try content("b.mp3", changing: 0)))
        indexes().keep([1], for: one)
        let path = file
        try FileManager.default.moveItem(atPath: path, toPath: path.replacing(one.name, with: other.name))
        #expect(kept(indexes(), other) == nil)
    }

    @Test func `stay within their limit, and the least recently used ones are removed first`() throws {
        let indexes = indexes(limit: 40_000)
        let keys = try (0..<5).map { (number: Int) in
            try #require(try key(try content("\(number).mp3", changing: number)))
        }
        let path = folder.path + "/cache/rostrum/indexes/"
        for (number, key) in keys.prefix(4).enumerated() {
            indexes.keep([UInt8](repeating: UInt8(number), count: 9_000), for: key)
            var times = [timespec(tv_sec: 1000 + number, tv_nsec: 0), timespec(tv_sec: 1000 + number, tv_nsec: 0)]
            utimensat(AT_FDCWD, path + key.name + ".index", &times, 0)
        }
        // The first index has just been used.
        #expect(kept(indexes, keys[0]) != nil)
        indexes.keep([UInt8](repeating: 9, count: 9_000), for: keys[4])
        #expect(keys.map { kept(indexes, $0) != nil } == [true, false, true, true, true])
        // An index that would take more than half of the limit is not kept.
        indexes.keep([UInt8](repeating: 9, count: 30_000), for: keys[1])
        #expect(kept(indexes, keys[1]) == nil)
    }

    @Test func `that cannot be written cause no error`() throws {
        let key = try #require(try key(try content("a.mp3")))
        let nowhere = TrackIndexes(folder: "/proc/none/indexes")
        nowhere.keep([1], for: key)
        #expect(nowhere.open(key) == nil)
    }
}
