// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Testing

@testable import Downloads

@Suite struct DownloadFolderTests {
    private let disk: TemporaryFolder
    private let folder: DownloadFolder

    init() throws {
        disk = try TemporaryFolder()
        folder = DownloadFolder(root: disk.path + "/Downloads")
        try DiskFile.makeFolder(folder.root)
    }

    private func download(_ item: String, _ title: String, files: [(String, Int64?)] = []) -> Download {
        var download = Download(item: item, server: "s", order: 1, addedAt: 0)
        (download.title, download.author) = (title, "Ada Reader")
        download.files = files.map { DownloadedFile(relPath: $0.0, name: $0.0, size: $0.1) }
        return download
    }

    private func write(_ name: String, _ count: Int, in download: Download) throws {
        let path = try #require(folder.path(of: download))
        try Data(repeating: 1, count: count).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    @Test func `items of one title have folders of their own, whatever the case of their author`() throws {
        var (one, two, other) = (download("1", "Emma"), download("2", "Emma"), download("3", "emma"))
        other.author = "ADA READER"
        try folder.claim(&one)
        try folder.claim(&two)
        try folder.claim(&other)
        #expect([one, two, other].map(\.folder) == ["Ada Reader/Emma", "Ada Reader/Emma (2)", "Ada Reader/emma"])
        #expect(folder.load().map(\.item) == ["1", "2", "3"])
        var outside = download("4", "../../etc")
        outside.author = "/.."
        try folder.claim(&outside)
        #expect(outside.folder == "-/-..-etc")
    }

    @Test func `a folder that a kill left without a manifest is taken again, and no other`() throws {
        let path = folder.root + "/Ada Reader/Emma"
        try DiskFile.makeFolder(path)
        try Data("{".utf8).write(to: URL(fileURLWithPath: path + "/" + DiskFile.draftName(DownloadFolder.manifest)))
        var one = download("1", "Emma")
        try folder.claim(&one)
        #expect(one.folder == "Ada Reader/Emma")
        try folder.remove(one)
        #expect(!FileManager.default.fileExists(atPath: path))
        try DiskFile.makeFolder(path)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/notes.txt"))
        var two = download("2", "Emma")
        try folder.claim(&two)
        #expect(two.folder == "Ada Reader/Emma (2)")
    }

    @Test(arguments: [
        "", "{}", "[1,2]", #"{"item":"#,
        #"{"item":"x","uri":"x","title":"x","server":"s","state":"downloaded","order":1,"addedAt":0,"isAutomatic":false,"files":[{"relPath":"a","name":"../../../a","bytes":0,"synced":0,"isComplete":false,"isPlayable":false}]}"#,
        #"{"item":"x","uri":"x","title":"x","server":"s","state":"downloaded","order":1,"addedAt":0,"isAutomatic":false,"cover":"/etc/passwd","files":[]}"#,
    ])
    func `a manifest that is damaged, or leads elsewhere, is none`(text: String) throws {
        try disk.write("Downloads/A/B/" + DownloadFolder.manifest, Data(text.utf8))
        #expect(folder.load().isEmpty)
    }

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        /// The sizes of the file and of its draft on the disk.
        var file: Int?
        var draft: Int?
        var size: Int64? = 100
        var synced: Int64 = 0
        var tag: String? = "\"a\""
        var boot: String? = "now"
        var isComplete = false
        /// The bytes that count, and if they are all.
        var bytes: Int64
        var isWhole = false
    }

    static let cases = [
        Case(testDescription: "nothing", bytes: 0),
        Case(testDescription: "a draft", draft: 40, bytes: 40),
        Case(testDescription: "a draft of no version", draft: 40, tag: nil, bytes: 0),
        Case(
            testDescription: "a draft from before the machine went down", draft: 40, synced: 30, boot: "then", bytes: 30
        ),
        Case(testDescription: "a short draft from then", draft: 20, synced: 30, boot: "then", bytes: 20),
        Case(
            testDescription: "a file that the manifest does not know of yet", file: 100, draft: 10, bytes: 100,
            isWhole: true),
        Case(testDescription: "a file of unknown size", file: 70, size: nil, bytes: 70, isWhole: true),
        Case(testDescription: "a file that was cut later", file: 60, isComplete: true, bytes: 60),
        Case(testDescription: "a file of another size, not ours", file: 60, draft: 40, bytes: 40),
    ]

    @Test(arguments: cases)
    func `the disk is right where it differs from the manifest`(_ row: Case) throws {
        var download = download("x", "Emma", files: [("01.mp3", row.size)])
        try folder.claim(&download)
        if let count = row.file { try write("01.mp3", count, in: download) }
        if let count = row.draft { try write(".01.mp3.part", count, in: download) }
        (download.files[0].tag, download.files[0].boot) = (row.tag, row.boot)
        (download.files[0].synced, download.files[0].isComplete) = (row.synced, row.isComplete)
        folder.reconcile(&download, boot: "now")
        #expect(download.files[0].bytes == row.bytes && download.files[0].isComplete == row.isWhole)
    }

    @Test func `removing leaves the folder of who put something there`() throws {
        var download = download("x", "Emma", files: [("01.mp3", 5)])
        try folder.claim(&download)
        try write("01.mp3", 5, in: download)
        try write(".01.mp3.part", 5, in: download)
        try write("02.mp3", 5, in: download)
        try folder.remove(download)
        let path = try #require(folder.path(of: download))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["02.mp3"])
        try FileManager.default.removeItem(atPath: path + "/02.mp3")
        try folder.save(download)
        try folder.remove(download)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root) == [])
    }

    @Test func `there is room on every disk, also below a folder that is not there yet`() {
        #expect((DownloadFolder(root: disk.path + "/not/there/yet").room() ?? 0) > 0)
    }
}
