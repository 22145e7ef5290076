// SPDX-License-Identifier: Apache-2.0

import FakeSession
import FoundationEssentials
import SessionProtocol
import Testing

struct `Status JSON` {
    @Test func `has null for every unknown value`() throws {
        let text = String(decoding: try JSONLine.text(Status.idle), as: UTF8.self)
        #expect(
            text == """
                {"chapter":null,"duration":{"confidence":"unknown","ms":null},"engine":null,"error":null,"intent":"stop",\
                "item":null,"owner":"main","position":{"ms":null,"provenance":"unknown"},"rate":1,\
                "session":{"active":false,"output":null,"route":null},"sleep":null,"status":"idle","suppression":null,\
                "text":null,"track":null,"v":1,"volume":1}
                """)
    }

    @Test func `has all members while a book plays`() throws {
        let status = Status.paused.with {
            $0.item?.author = nil
            $0.track?.durationMs = nil
            $0.chapter?.title = nil
            $0.chapter?.endMs = nil
            $0.text = Status.Text(offset: 10, length: 4)
            $0.sleep = Status.Sleep(remainingMs: nil, end: "time", setAtMs: 5)
            $0.error = Status.Failure(code: 65, message: "not \"audio\"")
            $0.warning = "the place is not saved: the disk is full"
            $0.page = Status.Page(label: "xii", index: 11, count: 240)
        }
        let text = String(decoding: try JSONLine.text(status), as: UTF8.self)
        #expect(
            text == """
                {"chapter":{"count":12,"endMs":null,"index":2,"startMs":3600000,"title":null},\
                "duration":{"confidence":"container","ms":36000000},"engine":"ffmpeg",\
                "error":{"code":65,"message":"not \\"audio\\""},"intent":"pause",\
                "item":{"author":null,"title":"The Whale","uri":"file:///books/whale.m4b"},"owner":"main",\
                "page":{"count":240,"index":11,"label":"xii"},\
                "position":{"ms":3723250,"provenance":"heard"},"rate":1.25,\
                "session":{"active":true,"output":"pulse","route":"Speakers"},"sleep":{"end":"time","remainingMs":null,"setAtMs":5},\
                "status":"paused","suppression":null,"text":{"length":4,"offset":10},\
                "track":{"count":1,"durationMs":null,"index":0,"positionMs":3723250},"v":1,"volume":1,\
                "warning":"the place is not saved: the disk is full"}
                """)
        #expect(try JSONDecoder().decode(Status.self, from: Data(text.utf8)) == status)
    }

    @Test func `of contents has null without an item and every chapter with one`() throws {
        let none = ItemContents(item: nil, cover: nil, chapters: [])
        #expect(
            String(decoding: try JSONLine.text(none), as: UTF8.self) == #"{"chapters":[],"cover":null,"item":null}"#)
        let book = ItemContents(
            item: Status.paused.item, cover: "/covers/whale.jpg",
            chapters: [.init(index: 0, title: "1", startMs: 0, endMs: nil, source: "file")])
        let text = try JSONLine.text(book)
        #expect(
            String(decoding: text, as: UTF8.self) == """
                {"chapters":[{"endMs":null,"index":0,"source":"file","startMs":0,"title":"1"}],\
                "cover":"/covers/whale.jpg",\
                "item":{"author":"H. Melville","title":"The Whale","uri":"file:///books/whale.m4b"}}
                """)
        #expect(try JSONDecoder().decode(ItemContents.self, from: Data(text)) == book)
    }

    @Test func `of a book has its place and its text, and null for the place of one that was never played`() throws {
        var book = LibraryBook(
            id: "7qk2m9xd", uri: "file:///b", title: "B", author: nil, cover: nil, durationMs: 9_000,
            durationConfidence: "exact", files: 2, missing: 0)
        let new = String(decoding: try JSONLine.text(book), as: UTF8.self)
        #expect(new.contains(#""playedAt":null,"positionMs":null"#) && !new.contains("text"))
        (book.positionMs, book.playedAt, book.text) = (4_500, 1_767_225_600_000, "file:///b/b.epub")
        let text = try JSONLine.text(book)
        #expect(
            String(decoding: text, as: UTF8.self).contains(
                #""playedAt":1767225600000,"positionMs":4500,"text":"file:///b/b.epub""#))
        #expect(try JSONDecoder().decode(LibraryBook.self, from: Data(text)) == book)
    }

    @Test func `of engines and inspections has null for unknown values, too`() throws {
        let engine = EngineInfo(
            id: "x", name: "X", version: "1", vendor: "V", license: "MIT", abi: "1.0", kinds: ["audio"],
            hosting: "isolated", state: "available", path: "/x", reason: nil)
        #expect(String(decoding: try JSONLine.text(engine), as: UTF8.self).contains("\"reason\":null"))
        let inspection = Inspection(
            uri: "/b", title: nil, author: nil, durationMs: nil, durationConfidence: "unknown",
            tracks: [.init(index: 0, uri: "/b", durationMs: nil, codec: "mp3", sampleRate: 44_100, channels: 2)],
            chapters: [.init(index: 0, title: nil, startMs: nil, endMs: nil, source: "embedded")])
        let text = String(decoding: try JSONLine.text(inspection), as: UTF8.self)
        #expect(
            text == """
                {"author":null,"chapters":[{"endMs":null,"index":0,"source":"embedded","startMs":null,"title":null}],\
                "durationConfidence":"unknown","durationMs":null,"title":null,\
                "tracks":[{"channels":2,"codec":"mp3","durationMs":null,"index":0,"sampleRate":44100,"uri":"/b"}],\
                "uri":"/b"}
                """)
    }
}
