// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import MediaPlayback
import Testing

@testable import PeakFiles

@Suite struct PeakCacheTests {
    private func make(_ key: String, in cache: PeakCache, _ count: Int = 9000) {
        let sheet = cache.open(key, sampleRate: 44_100)
        PeakMaterial.make(sheet, count)
        sheet.finish()
        #expect(sheet.isComplete && sheet.fault == nil)
    }

    private func age(_ folder: TemporaryFolder, _ key: String, _ seconds: Int) {
        for name in folder.names where name.hasPrefix(key + ".") {
            let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
            utimensat(AT_FDCWD, folder.path + "/" + name, times, 0)
        }
    }

    private func keys(_ folder: TemporaryFolder) -> Set<String> {
        Set(folder.names.map { String($0.prefix { $0 != "." }) })
    }

    @Test func `the peaks that were used longest ago are removed, all of a track together`() throws {
        let folder = try TemporaryFolder()
        let large = PeakCache(folder: folder.path)
        for (age, key) in ["old", "older", "oldest"].enumerated() {
            make(key, in: large)
            self.age(folder, key, 1_000_000 - age)
        }
        // A draft that nobody goes on with takes room, too.
        _ = large.open("draft", sampleRate: 44_100).take(0, PeakMaterial.segment(0, of: 9000))
        age(folder, "draft", 5)
        let size = folder.names.filter { $0.hasPrefix("old.") }.reduce(Int64(0)) { sum, name in
            var status = stat()
            lstat(folder.path + "/" + name, &status)
            return sum + Int64(status.st_blocks) * 512
        }
        // Room for three tracks: the new one and the two that were used last.
        make("new", in: PeakCache(folder: folder.path, limit: size * 3))
        #expect(keys(folder) == ["old", "older", "new"])
        // Reading marks as used.
        #expect(large.finished("older") != nil)
        make("newest", in: PeakCache(folder: folder.path, limit: size * 3))
        #expect(keys(folder) == ["older", "new", "newest"])
    }

    @Test func `the newest peaks are not removed, however small the limit`() throws {
        let folder = try TemporaryFolder()
        make("one", in: PeakCache(folder: folder.path, limit: 1))
        #expect(keys(folder) == ["one"])
    }

    @Test(arguments: ["", "a/b", "../x", "A", "a.b", ".", "ä", String(repeating: "a", count: 201)])
    func `a key that is no file name works from memory`(_ key: String) throws {
        let folder = try TemporaryFolder()
        let cache = PeakCache(folder: folder.path)
        #expect(cache.finished(key) == nil)
        let sheet = cache.open(key, sampleRate: 44_100)
        PeakMaterial.make(sheet, 9000)
        sheet.finish()
        #expect(sheet.fault != nil && sheet.isComplete && folder.names.isEmpty)
    }

    @Test func `without a folder, what is made last is shown from memory, and an overview of all`() throws {
        let folder = try TemporaryFolder()
        try folder.write("file")
        let sheet = PeakCache(folder: folder.path + "/file").open("key", sampleRate: 44_100)
        #expect(sheet.fault?.kind == .io)
        let count = 100 * PeakMaterial.segment
        PeakMaterial.make(sheet, count)
        sheet.finish()
        #expect(sheet.isComplete)
        #expect(sheet.peaks(32_768, 0..<10_000) == PeakMaterial.joined(count, by: 64).map(Optional.init))
        let last = count - 10..<count
        #expect(sheet.peaks(512, last) == PeakMaterial.peaks(last).map(Optional.init))
        #expect(sheet.peaks(512, 0..<3) == [nil, nil, nil])
    }

    @Test func `a disk that becomes full leaves what is made, and the rest in memory`() throws {
        // A small file system of its own: only root may mount one.
        let folder = try TemporaryFolder()
        guard getuid() == 0, mount("none", folder.path, "tmpfs", 0, "size=64k") == 0 else {
            print("skipped: this user cannot mount a file system")
            return
        }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let sheet = PeakCache(folder: folder.path).open("key", sampleRate: 44_100)
        let count = 5 * PeakMaterial.segment + 1
        PeakMaterial.make(sheet, count)
        #expect(sheet.fault?.kind == .full)
        sheet.finish()
        #expect(sheet.isComplete)
        #expect(sheet.peaks(512, 0..<count) == PeakMaterial.peaks(0..<count).map(Optional.init))
    }
}
