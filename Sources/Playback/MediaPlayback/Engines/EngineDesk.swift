// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import TaskChains

/// The engines that run, what each has open, and what is known of items that were open recently.
struct EngineDesk {
    /// The processes, which are a part with rules and private state of their own.
    ///
    /// Only the desk notes there what a process has open, together with what it knows of that itself.
    var pool = EnginePool()
    /// The calls to engines, in order; the chain keeps its own state.
    var calls = TaskChain()
    /// The reports about tracks, which are a part with rules and private state of their own.
    var news = TrackNews()
    /// The speeds at which engines speak, which are a part with rules and private state of their own.
    var paces = SpeechPaces()
    /// The task that opens an item.
    private var opening: Task<Void, Never>?
    /// The process that another one is about to continue for.
    private var carrying: Int?
    private var media: [EngineID: LoadedMedia] = [:]
    /// The marks of engines that render before their answer to the load was taken: both come by ways of their own.
    private(set) var early: [EngineID: SpokenMarks] = [:]
    private var voices: [EngineID: String] = [:]
    private var known = KnownMedia()
    private var starting: [EngineID: Task<Result<EnginePool.Live, EngineError>, Never>] = [:]
    /// The background measurement in progress, by item and process of the engine.
    private(set) var indexing: (uri: String, serial: Int, task: Task<Void, Never>)?

    // MARK: What is being opened

    /// Lets a task open an item, in place of all calls before it.
    mutating func open(_ task: Task<Void, Never>) {
        endOpening()
        opening = task
        calls.restart(with: task)
    }

    /// Gives up what is read for an item that is no longer opened.
    mutating func endOpening() {
        opening?.cancel()
        opening = nil
    }

    // MARK: What is open

    /// The media that each engine has open.
    subscript(open id: EngineID) -> LoadedMedia? {
        _read { yield media[id] }
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
        let turn = unload(id)
        pool.noteGiven(id, content)
        return turn
    }

    /// Notes that an engine is asked to drop what it has open, and returns the turn of this request.
    @discardableResult
    mutating func unload(_ id: EngineID) -> Int {
        media[id] = nil
        early[id] = nil
        return pool.noteEmpty(id)
    }

    mutating func opened(_ loaded: LoadedMedia, voice: String?, by id: EngineID) {
        media[id] = loaded
        if let marks = early.removeValue(forKey: id) { media[id]?.take(marks) }
        known.remember(loaded)
        voices[id] = voice
        pool.noteLoaded(id, loaded.content)
    }

    /// Notes that an engine plays another part of what it has open.
    mutating func limit(_ id: EngineID, to clip: ClipRange) {
        guard var open = media[id] else { return }
        open.content.clip = clip
        media[id] = open
        known.remember(open)
        pool.noteLoaded(id, open.content)
    }

    /// Updates what is known of an item, and what its engine has open if it still has that item.
    mutating func update(_ open: LoadedMedia, of id: EngineID) {
        known.update(open)
        if media[id]?.content == open.content { media[id]?.update(open.description) }
    }

    /// Sets the speed at which an engine speaks the text that it has open.
    mutating func set(pace: Double, of id: EngineID) {
        media[id]?.set(pace: pace)
        if let open = media[id] { known.update(open) }
    }

    /// Takes up what an engine has reported about tracks of what it has open.
    mutating func takeUpTracks(of id: EngineID) {
        let tracks = news.take(of: media[id]?.content.uri, by: id)
        guard !tracks.isEmpty, var open = media[id] else { return }
        open.update(tracks: tracks)
        media[id] = open
        known.update(open)
    }

    /// Notes where an engine is in the text that it has open, or opens.
    mutating func note(_ mark: SpokenMarks.Mark, by id: EngineID) {
        if media[id] == nil {
            early[id, default: SpokenMarks()].append(mark)
        } else {
            media[id]?.note(mark)
        }
    }

    /// Forgets the marks that an engine reported before it was sent elsewhere.
    mutating func forgetMarks(of id: EngineID) {
        media[id]?.forgetMarks()
        early[id] = nil
    }

    // MARK: Processes

    /// Removes a process, with what it has open; the caller ends it.
    mutating func remove(_ id: EngineID, serial: Int? = nil) -> EnginePool.Live? {
        guard let entry = pool.remove(id, serial: serial) else { return nil }
        media[id] = nil
        early[id] = nil
        return entry
    }

    /// Returns the task that starts an engine; callers that come meanwhile wait for the same one.
    func startingTask(_ id: EngineID) -> Task<Result<EnginePool.Live, EngineError>, Never>? { starting[id] }

    mutating func starts(_ id: EngineID, _ task: Task<Result<EnginePool.Live, EngineError>, Never>?) {
        starting[id] = task
    }

    /// Notes that another process is about to continue where this one ended.
    mutating func carryOn(from serial: Int) { carrying = serial }

    /// Notes that no other process can continue.
    mutating func giveUpCarryingOn() { carrying = nil }

    /// Returns whether another process is about to continue, or has continued, where this one ended.
    func isCarried(serial: Int) -> Bool { carrying == serial }

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
