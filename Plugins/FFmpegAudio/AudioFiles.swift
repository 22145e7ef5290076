// SPDX-License-Identifier: Apache-2.0

public import EngineABI
public import EngineSDK

/// An engine that plays audio files and web addresses through libavformat and libavcodec.
public final class AudioFiles: Engine, TrackIndexing, CoverReading, PeakReading {
    public static let id = "ffmpeg"
    public static let version = "1.0.0"

    /// The number of seconds before the end of a track at which the next one is opened.
    private static let lookahead: Int64 = 10
    /// The maximum number of files that are searched for chapters when a book is loaded.
    private static let chapteredParts = 32

    let host: Host
    private(set) var trackCount = 0
    /// The position at which the next block begins.
    private var place = (track: 0, position: Int64(0))
    /// The track that is played, ready at ``place``; `nil` until it is (re)opened.
    private var current: OpenTrack?
    private var next: OpenTrack?
    /// The track that could not be opened ahead.
    ///
    /// It is not tried again before its turn.
    private var failedAhead: Int?
    private var known: [Int: Track] = [:]
    /// A track that is being measured.
    ///
    /// It is kept across an interruption.
    private var measuring: OpenTrack?
    /// The track whose peaks were read last.
    private var peaks: PeakReader?
    private var hasEnded = false
    private var format = (rate: 44_100, channels: 2)

    public init(host: Host) {
        self.host = host
        LibraryLog.attach(to: host)
    }

    deinit {
        LibraryLog.detach()
    }

    public func load(_ content: Content) throws(EngineFailure) -> Media {
        unload()
        guard content.kind == .audio else {
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "this engine plays audio, not text")
        }
        guard (0..<content.trackCount).contains(content.startTrack), content.start >= 0 else {
            throw EngineFailure(
                ROSTRUM_ERROR_ARGUMENT, "no place \(content.start) in track \(content.startTrack)")
        }
        let track = try OpenTrack(index: content.startTrack, host: host)
        let media = media(of: track, count: content.trackCount)
        if content.start > 0 { try track.seek(to: content.start) }
        trackCount = content.trackCount
        place = (content.startTrack, content.start)
        use(track)
        return media
    }

    public func unload() {
        trackCount = 0
        current = nil
        next = nil
        failedAhead = nil
        measuring = nil
        peaks = nil
        known = [:]
        hasEnded = false
    }

    private func use(_ track: OpenTrack) {
        current = track
        known[track.index] = track.track
        format = (Int(track.sampleRate), Int(track.channels))
    }

    /// Returns what the files say about the item.
    ///
    /// If this track has chapters and the book has few enough parts, the other parts are searched for chapters, too.
    private func media(of track: OpenTrack, count: Int) -> Media {
        let tags = Tags(track.container)
        var media = Media(title: tags.bookTitle(trackCount: count), author: tags.author)
        media.chapters = ChapterReader(track.container).units(track: track.index, rate: track.sampleRate)
        guard !media.chapters.isEmpty, (2...Self.chapteredParts).contains(count) else { return media }
        for index in 0..<count where index != track.index {
            guard let part = try? OpenTrack(index: index, host: host) else { continue }
            known[index] = part.track
            media.chapters += ChapterReader(part.container).units(track: index, rate: part.sampleRate)
        }
        media.chapters.sort { ($0.track, $0.start) < ($1.track, $1.start) }
        return media
    }

    public func track(_ index: Int) throws(EngineFailure) -> Track {
        guard (0..<trackCount).contains(index) else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no track \(index)")
        }
        for open in [current, next] {
            if let open, open.index == index, known[index]?.confidence != .exact { known[index] = open.track }
        }
        if let track = known[index] { return track }
        let track = try OpenTrack(index: index, host: host).track
        known[index] = track
        return track
    }

    public func seek(track: Int, position: Int64) throws(EngineFailure) {
        guard (0..<trackCount).contains(track), position >= 0 else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no place \(position) in track \(track)")
        }
        place = (track, position)
        hasEnded = false
        if current?.index != track {
            current = nil
            if next?.index != track, next?.index != track + 1 { next = nil }
        }
        _ = try ready(isMoving: true)
    }

    /// Returns the track of ``place``, decoded up to it.
    ///
    /// After a failure the next call tries again.
    private func ready(isMoving: Bool = false) throws(EngineFailure) -> OpenTrack {
        if let current, !isMoving { return current }
        do throws(EngineFailure) {
            let track: OpenTrack
            if let current {
                track = current
                try track.seek(to: place.position)
            } else if let next, next.index == place.track {
                track = next
                self.next = nil
                if place.position > 0 { try track.seek(to: place.position) }
            } else {
                track = try OpenTrack(index: place.track, host: host)
                if place.position > 0 { try track.seek(to: place.position) }
            }
            use(track)
            return track
        } catch {
            current = nil
            throw error
        }
    }

    public func render(into block: inout Block) throws(EngineFailure) {
        guard trackCount > 0, !hasEnded else {
            throw EngineFailure(ROSTRUM_ERROR_STATE, "there is nothing more to render")
        }
        block.track = place.track
        block.position = place.position
        block.positionEnd = place.position
        block.sampleRate = format.rate
        block.channels = format.channels
        let track: OpenTrack
        do throws(EngineFailure) {
            track = try ready()
        } catch {
            try stepOver(error, &block)
            return
        }
        do throws(EngineFailure) {
            let goesOn = try track.fill(&block)
            place.position = block.positionEnd
            if goesOn { openAhead(of: track) } else { endTrack(track, &block) }
        } catch {
            current = nil
            throw error
        }
    }

    /// Leaves out a file that cannot be played, as damage, so that it does not end the book.
    ///
    /// If its source fails, the session decides instead, and may seek to the same place again.
    private func stepOver(_ failure: EngineFailure, _ block: inout Block) throws(EngineFailure) {
        guard (-499 ... -300).contains(failure.code), place.position == 0, place.track > 0 else { throw failure }
        host.log(.warning, "left out: \(failure.message)")
        block.isDamaged = true
        block.isTrackEnd = true
        moveOn(&block)
    }

    private func endTrack(_ track: OpenTrack, _ block: inout Block) {
        known[track.index] = track.track
        if block.frames == 0, place.position > track.track.duration ?? .max {
            // The position that was sought lies behind the end.
            block.position = track.track.duration ?? place.position
            block.positionEnd = block.position
        }
        block.isTrackEnd = true
        moveOn(&block)
    }

    private func moveOn(_ block: inout Block) {
        current = nil
        if place.track + 1 < trackCount {
            place = (place.track + 1, 0)
            if next?.index != place.track { next = nil }
        } else {
            block.isEnd = true
            hasEnded = true
        }
    }

    /// Opens the next file ahead of time, so that no joint waits for it.
    private func openAhead(of track: OpenTrack) {
        let index = track.index + 1
        guard index < trackCount, next?.index != index, failedAhead != index else { return }
        let left = (track.track.duration ?? 0) - place.position
        guard left < Self.lookahead * Int64(track.sampleRate) else { return }
        do throws(EngineFailure) {
            next = try OpenTrack(index: index, host: host)
            failedAhead = nil
            if let next { known[index] = next.track }
        } catch {
            failedAhead = index
            host.log(.debug, "not opened ahead: \(error.message)")
        }
    }

    /// Refuses a file that is shorter than when it was opened for playback: its end was cut off meanwhile.
    private static func check(_ track: OpenTrack, against playing: OpenTrack?) throws(EngineFailure) {
        guard let playing, playing.index == track.index, let before = playing.container.input.source.size,
            let now = track.container.input.source.size, now < before
        else { return }
        throw DescriptorSource.lostEnd(of: track.name)
    }

    public func measure(track index: Int) throws(EngineFailure) -> Int64 {
        guard (0..<trackCount).contains(index) else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no track \(index)")
        }
        if let known = known[index], known.confidence == .exact, current?.index == index,
            current?.end.reached != nil, let duration = known.duration
        {
            return duration
        }
        let measured: OpenTrack
        if let measuring, measuring.index == index {
            measured = measuring
        } else {
            measured = try OpenTrack(index: index, host: host)
            for open in [current, next] { try Self.check(measured, against: open) }
            measuring = measured
        }
        let duration: Int64
        do throws(EngineFailure) {
            duration = try measured.measure()
        } catch {
            if error.code != ROSTRUM_ERROR_INTERRUPTED { measuring = nil }
            throw error
        }
        var description = measured.track
        description.duration = duration
        description.confidence = .exact
        known[index] = description
        for open in [current, next] {
            guard let open, open.index == index, open !== measured else { continue }
            if let found = measured.findings { open.adopt(found) }
            open.end.adopt(duration)
        }
        return duration
    }

    public func cover(track index: Int) throws(EngineFailure) -> CoverPicture? {
        guard (0..<trackCount).contains(index) else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no track \(index)")
        }
        for open in [current, next, measuring] {
            if let open, open.index == index { return EmbeddedPictures.best(of: open.container) }
        }
        return EmbeddedPictures.best(of: try Container.open(track: index, host: host))
    }

    public func index(track: Int) throws(EngineFailure) -> [UInt8]? {
        guard let measuring, measuring.index == track else { return nil }
        // The session asks once, and there are as many places as the file has seconds, so free them.
        self.measuring = nil
        return measuring.findings?.encoded
    }

    public func peaks(
        track index: Int, framesPerPeak: Int, first: Int64, into peaks: UnsafeMutableBufferPointer<rostrum_peak>
    ) throws(EngineFailure) -> Int {
        guard (0..<trackCount).contains(index) else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no track \(index)")
        }
        if self.peaks?.track.index != index {
            self.peaks = nil
            self.peaks = try PeakReader(peakTrack(index))
        }
        do throws(EngineFailure) {
            return try self.peaks?.read(framesPerPeak, from: first, into: peaks) ?? 0
        } catch {
            if error.code != ROSTRUM_ERROR_INTERRUPTED { self.peaks = nil }
            throw error
        }
    }

    /// Returns an open track to read peaks of.
    ///
    /// It is the one that would be rendered, if that is the same file: what libavformat knows of a long book takes 86 MB,
    /// and a process that is asked for peaks renders nothing. Rendering would open the file again.
    private func peakTrack(_ index: Int) throws(EngineFailure) -> OpenTrack {
        guard let current, current.index == index, current.container.isSeekable else {
            return try OpenTrack(index: index, host: host)
        }
        self.current = nil
        return current
    }
}
