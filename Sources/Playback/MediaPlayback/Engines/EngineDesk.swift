// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The engines that run, what each has open, and what is known of items that were open recently.
struct EngineDesk {
    var pool = EnginePool()
    /// The calls to engines, in order.
    var calls = TaskChain()
    var news = TrackNews()
    /// The process that another one is about to continue for.
    var carrying: Int?
    private var media: [EngineID: LoadedMedia] = [:]
    private var voices: [EngineID: String] = [:]
    private var known = KnownMedia()
    private var starting: [EngineID: Task<Result<EnginePool.Live, EngineError>, Never>] = [:]
    /// The background measurement in progress, by item and process of the engine.
    private(set) var indexing: (uri: String, serial: Int, task: Task<Void, Never>)?

    // MARK: What is open

    /// The media that each engine has open.
    subscript(open id: EngineID) -> LoadedMedia? {
        _read { yield media[id] }
        _modify { yield &media[id] }
    }

    /// Returns what an engine has open of an item, or else what is known of it from before.
    func media(of playing: Playing) -> LoadedMedia? {
        isOpen(playing) ? media[playing.engine] : known[playing.item.uri]
    }

    func isOpen(_ playing: Playing) -> Bool { media[playing.engine]?.content.uri == playing.item.uri }

    subscript(known uri: String) -> LoadedMedia? { known[uri] }

    /// Returns everything that is known of recent items.
    var recent: KnownMedia { known }

    func isOpen(_ content: Content, voice: String?, in id: EngineID) -> Bool {
        pool[id]?.loaded == content && media[id] != nil && voices[id] == voice
    }

    func voice(of id: EngineID) -> String? { voices[id] }

    /// Notes that an engine is asked to open content, and returns the turn of this request.
    mutating func ask(_ id: EngineID, for content: Content) -> Int {
        let turn = pool.noteEmpty(id)
        media[id] = nil
        pool.noteGiven(id, content)
        return turn
    }

    mutating func opened(_ loaded: LoadedMedia, voice: String?, by id: EngineID) {
        media[id] = loaded
        known.remember(loaded)
        voices[id] = voice
        pool.noteLoaded(id, loaded.content)
    }

    /// Updates what is known of an item, and what its engine has open if it still has that item.
    mutating func update(_ open: LoadedMedia, of id: EngineID) {
        known.update(open)
        if media[id]?.content == open.content { media[id]?.update(open.description) }
    }

    /// Takes up what an engine has reported about tracks of what it has open.
    mutating func takeUpTracks(of id: EngineID) {
        let tracks = news.take(of: media[id]?.content.uri, by: id)
        guard !tracks.isEmpty, var open = media[id] else { return }
        open.update(tracks: tracks)
        news.unchecked += tracks.keys.sorted().map { (id, $0) }
        media[id] = open
        known.update(open)
    }

    // MARK: Processes

    /// Removes a process, with what it has open; the caller ends it.
    mutating func remove(_ id: EngineID, serial: Int? = nil) -> EnginePool.Live? {
        guard let entry = pool.remove(id, serial: serial) else { return nil }
        media[id] = nil
        return entry
    }

    /// Returns the task that starts an engine; callers that come meanwhile wait for the same one.
    func startingTask(_ id: EngineID) -> Task<Result<EnginePool.Live, EngineError>, Never>? { starting[id] }

    mutating func starts(_ id: EngineID, _ task: Task<Result<EnginePool.Live, EngineError>, Never>?) {
        starting[id] = task
    }

    // MARK: Measurement

    /// Returns whether this item is not being measured by this process.
    func isUnmeasured(_ uri: String, serial: Int) -> Bool {
        indexing?.uri != uri || indexing?.serial != serial
    }

    mutating func measure(_ uri: String, serial: Int, by task: Task<Void, Never>) {
        indexing?.task.cancel()
        indexing = (uri, serial, task)
    }

    mutating func stopMeasuring() { indexing?.task.cancel() }
}
