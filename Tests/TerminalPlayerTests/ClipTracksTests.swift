// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing
import TimelineGeometry

@testable import TerminalPlayer

@Suite
struct `The files of a clip` {
    /// A clip from the last seconds of the third file to the first of the fourth, each of 100 s.
    private static let across: ClipInfo = {
        var clip = Scene.clip
        clip.start = .init(track: 2, units: 95_000, unitsPerSecond: 1000)
        clip.end = .init(track: 3, units: 220_500, unitsPerSecond: 44_100)
        (clip.startMs, clip.durationMs) = (295_000, 10_000)
        return clip
    }()

    @Test func `lie side by side on the book's time`() {
        let tracks = ClipTracks(Self.across)
        #expect(tracks.position(of: Self.across.start) == 295_000)
        #expect(tracks.position(of: Self.across.end) == 305_000)
        #expect(tracks.time(of: 299_999) == "track:3+99.999")
        #expect(tracks.time(of: 300_000) == "track:4+0.000")
        #expect(
            tracks.parts(in: 290_000..<310_000) == [
                .init(track: 2, range: 90_000..<100_000), .init(track: 3, range: 0..<10_000),
            ])
        #expect(tracks.reach(atLeast: 305_000) == 305_000)
    }

    @Test func `are placed as their lengths become known`() {
        var tracks = ClipTracks(Self.across)
        tracks.learn(3, length: 1_000, isExact: false)
        #expect(tracks.reach(atLeast: 305_000) == 305_000)
        tracks.learn(3, length: 100_000, isExact: true)
        #expect(tracks.time(of: 400_010) == "track:5+0.010")
        #expect(tracks.before == 1)
        tracks.learn(1, length: 100_000, isExact: true)
        #expect(tracks.time(of: 150_000) == "track:2+50.000")
        tracks.learn(count: 4)
        #expect(tracks.reach(atLeast: 0) == 400_000)
        #expect(tracks.parts(in: 390_000..<500_000) == [.init(track: 3, range: 90_000..<100_000)])
    }

    @Test func `have times of their own while the book's are unknown`() {
        var clip = Self.across
        (clip.startMs, clip.durationMs) = (nil, nil)
        let tracks = ClipTracks(clip)
        #expect(!tracks.isBookTime)
        #expect(tracks.time(of: 95_000) == "track:3+95.000")
    }

    @Test func `survive impossible numbers`() {
        var clip = Self.across
        clip.start = .init(track: 0, units: .max, unitsPerSecond: 0.1)
        clip.end = .init(track: 0, units: 5, unitsPerSecond: .nan)
        (clip.startMs, clip.durationMs) = (.max, .max)
        var tracks = ClipTracks(clip.bounded)
        tracks.learn(0, length: .max, isExact: true)
        tracks.learn(0, length: .min, isExact: true)
        tracks.learn(count: 0)
        #expect(tracks.time(of: .max >> 2).hasPrefix("track:"))
    }
}

@Suite
struct `The sound of a clip` {
    private func wishes(_ sound: inout ClipSound, _ range: Range<Int64>, ms: Double = 128) -> [WaveformWish] {
        sound.wishes(for: [.init(track: 0, range: range)], at: (0, range.lowerBound), msPerPixel: ms)
    }

    @Test func `is asked for once, with as much again on either side`() throws {
        var sound = ClipSound()
        let wish = try #require(wishes(&sound, 12_800..<25_600).first)
        #expect(wish == WaveformWish(track: 0, columns: 0..<300, step: 128))
        #expect(wishes(&sound, 12_800..<25_600).isEmpty)
        let request = PeaksRequest(items: ["/x"], fromMs: 0, toMs: 38_400, columns: 300)
        sound.take(Scene.waveform(request), to: wish)
        #expect(wishes(&sound, 12_800..<25_600).isEmpty)
        #expect(wishes(&sound, 30_000..<42_800).count == 1)
    }

    @Test func `is asked for again when there is more, until all of it is there`() throws {
        var sound = ClipSound()
        let wish = try #require(wishes(&sound, 0..<12_800).first)
        var info = Scene.waveform(PeaksRequest(items: ["/x"], fromMs: 0, toMs: 25_600, columns: 200))
        (info.isComplete, info.missing) = (false, [.init(first: 100, count: 100)])
        sound.take(info, to: wish)
        #expect(wishes(&sound, 0..<12_800).isEmpty)
        sound.take(WaveformProgress(uri: "file:///books/whale.m4b", track: 0, progress: 0.5, isComplete: false))
        #expect(wishes(&sound, 0..<12_800) == [wish])
        info.missing = []
        sound.take(info, to: wish)
        sound.take(WaveformProgress(uri: "file:///books/whale.m4b", track: 0, progress: 0.6, isComplete: false))
        #expect(wishes(&sound, 0..<12_800).isEmpty)
    }

    @Test func `is drawn where its files lie`() throws {
        var sound = ClipSound()
        let tracks = ClipTracks(Scene.clip)
        var geometry = TimelineGeometry(width: 100, duration: 600_000, secondsPerPixel: 0.128)
        geometry.movePlayhead(to: 60_000)
        let wish = try #require(
            sound.wishes(for: tracks.parts(in: geometry.columnReach), at: (0, 60_000), msPerPixel: 128).first)
        #expect(sound.columns(geometry, tracks).peaks.allSatisfy { $0 == nil })
        sound.take(
            Scene.waveform(
                PeaksRequest(
                    items: ["/x"], fromMs: wish.range.lowerBound, toMs: wish.range.upperBound,
                    columns: wish.columns.count)), to: wish)
        #expect(sound.columns(geometry, tracks).peaks.allSatisfy { $0 != nil })
    }
}
