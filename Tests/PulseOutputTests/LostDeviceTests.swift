// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PulseOutput

/// Tests with the headphone and loudspeaker ports of a sound card; null sinks have no ports.
@Suite struct LostDeviceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before: PulseConnection.Sink
        var now: PulseConnection.Sink?
        var lost: LostDevice?
    }

    static func card(_ port: String?, unplugged: Set<String> = []) -> PulseConnection.Sink {
        PulseConnection.Sink(
            index: 1, name: "card", description: "Card", port: port, unpluggedPorts: unplugged, rewinds: true)
    }

    static let headphones = LostDevice(unplugged: card("headphones"), now: card("speaker", unplugged: ["headphones"]))
    static let wholeCard = LostDevice(leaving: card("speaker"), now: nil)

    @Test(arguments: [
        Row(testDescription: "the sink is gone", before: card("speaker"), now: nil, lost: wholeCard),
        Row(testDescription: "a sink without ports is gone", before: card(nil), now: nil, lost: wholeCard),
        Row(testDescription: "it is still there, so the user chose", before: card("speaker"), now: card("speaker")),
        Row(
            testDescription: "its port is unplugged, and the server moved it", before: card("headphones"),
            now: card("headphones", unplugged: ["headphones"]), lost: headphones),
        Row(
            testDescription: "another of its ports has nothing plugged in", before: card("speaker"),
            now: card("speaker", unplugged: ["headphones"])),
    ])
    func `a moved stream has lost a device that no longer exists`(_ row: Row) {
        #expect(LostDevice(leaving: row.before, now: row.now) == row.lost)
    }

    @Test(arguments: [
        Row(
            testDescription: "headphones out, the loudspeaker takes over at once", before: card("headphones"),
            now: card("speaker", unplugged: ["headphones"]), lost: headphones),
        Row(
            testDescription: "headphones out, the port stays for now", before: card("headphones"),
            now: card("headphones", unplugged: ["headphones"]), lost: headphones),
        Row(
            testDescription: "out already when listening began", before: card("headphones", unplugged: ["headphones"]),
            now: card("speaker", unplugged: ["headphones"])),
        Row(testDescription: "the user chose the loudspeaker", before: card("headphones"), now: card("speaker")),
        Row(
            testDescription: "headphones in", before: card("speaker", unplugged: ["headphones"]),
            now: card("headphones")),
    ])
    func `a port is lost when it is unplugged`(_ row: Row) throws {
        #expect(LostDevice(unplugged: row.before, now: try #require(row.now)) == row.lost)
    }

    @Test func `a lost device is back when it can be used again`() throws {
        let headphones = try #require(Self.headphones)
        #expect(!headphones.isBack(in: Self.card("speaker", unplugged: ["headphones"])))
        #expect(headphones.isBack(in: Self.card("speaker")))
        #expect(try #require(Self.wholeCard).isBack(in: Self.card("speaker", unplugged: ["headphones"])))
    }
}
