// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineTransport
import MediaPlayback

/// The content that an engine has loaded and that it is to load, by the numbers of the requests.
struct EngineLoads {
    private var loads: [UInt32: LoadState] = [:]
    private var rates: ClosedRange<Double>?
    /// `true` if some of the content that was requested last comes from a server.
    private(set) var isRemote = false

    private var loaded: LoadState? { loads.values.first(where: \.isLoaded) }

    /// Notes the speeds that the engine renders by itself.
    mutating func noteRates(_ rates: ClosedRange<Double>?) { self.rates = rates }

    mutating func begin(_ number: UInt32, _ request: LoadRequest) {
        loads[number] = LoadState(request)
        isRemote = request.content.isRemote
    }

    // MARK: What the engine says

    /// Adds a track to a description, and returns `nil` if there is no such load.
    mutating func add(_ track: WireTrack, to number: UInt32) -> LoadState.Addition? { loads[number]?.add(track) }

    /// Adds chapters to a description, and returns `false` if they cannot be.
    ///
    /// Chapters of content that was replaced are no fault.
    mutating func add(_ chapters: [WireChapter], to number: UInt32) -> Bool { loads[number]?.add(chapters) ?? true }

    /// Completes a load, which replaces all before it; returns `nil` if it contradicts what came before.
    mutating func finish(
        _ number: UInt32, title: String?, author: String?, trackCount: UInt32, chapterCount: UInt32
    ) -> MediaDescription? {
        let description = loads[number]?.finish(
            title: title, author: author, trackCount: trackCount, chapterCount: chapterCount, rates: rates)
        if description != nil {
            loads = loads.filter { $0.key >= number }
            // A part that could not be opened to be examined is no reason for a failure of what plays.
            loads[number]?.sourceFailure = nil
        }
        return description
    }

    /// Removes a load that failed and all before it, and returns the reason why its source could not be opened.
    mutating func fail(_ number: UInt32) -> EngineError? {
        guard let failed = loads.removeValue(forKey: number) else { return nil }
        loads = loads.filter { $0.key > number }
        return failed.sourceFailure
    }

    /// Removes a load that was given up for a later command.
    ///
    /// It may be told of before the end of one that came earlier: nobody begins a load that is given up while it waits.
    mutating func giveUp(_ number: UInt32) { loads[number] = nil }

    /// Returns whether a load is complete, or `nil` if there is no such load.
    func isLoaded(_ number: UInt32) -> Bool? { loads[number]?.isLoaded }

    /// The description of the loaded content, or `nil` if there is none.
    var description: MediaDescription? { loaded?.description(rates: rates) }

    /// The number of tracks of the loaded content, or `nil` if none is loaded.
    var trackCount: Int? { loaded?.content.tracks.count }

    // MARK: Sources

    /// Returns where something comes from, or `nil` if there is no such load or track, or no script.
    func source(of subject: SourceRequest.Subject, in number: UInt32) -> RequestedSource? {
        guard let content = loads[number]?.content else { return nil }
        switch subject {
        case .track(let track):
            guard content.tracks.indices.contains(Int(track)) else { return nil }
            return RequestedSource(source: content.tracks[Int(track)])
        case .script:
            return content.document.map {
                RequestedSource(source: .descriptor($0.script, name: "script"), making: $0.making)
            }
        }
    }

    /// Notes how the opening of a source ended.
    mutating func note(_ opened: SourceOpener.Opened, of subject: SourceRequest.Subject, in number: UInt32) {
        guard case .track(let track) = subject else {
            if let failure = opened.failure { loads[number]?.sourceFailure = failure }
            return
        }
        loads[number]?.indexKeys[track] = opened.indexKey
        loads[number]?.trackFailures[track] = opened.failure
        // A source that opens later shows that what failed before is no longer the reason.
        if opened.failure != nil || loads[number]?.isLoaded == true { loads[number]?.sourceFailure = opened.failure }
    }

    /// The reason why the last source of the loaded content could not be opened, or `nil` if it could.
    var sourceFailure: EngineError? { loaded?.sourceFailure }

    /// The reason why the track to which the last seek led could not be opened, or `nil` if it could.
    ///
    /// An answer about a track that was examined may come between the failure of a source and what the engine says of it.
    var soughtFailure: EngineError? { loaded.flatMap { $0.trackFailures[$0.sought] } }

    mutating func noteSeek(to track: UInt32) {
        for number in loads.keys where loads[number]?.isLoaded == true { loads[number]?.sought = track }
    }

    mutating func forgetSourceFailure() {
        for number in loads.keys where loads[number]?.isLoaded == true { loads[number]?.sourceFailure = nil }
    }

    /// Returns the key under which the index of a track of the loaded content is kept.
    func indexKey(of track: UInt32) -> TrackIndexKey? { loaded?.indexKeys[track] }
}
