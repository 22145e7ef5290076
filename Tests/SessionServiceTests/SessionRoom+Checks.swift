// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import LibraryStore
import MediaPlayback

@testable import PlaybackCore

/// What must hold after every move.
extension SessionRoom {
    func inspect(_ state: PlaybackState) async {
        checkSound(state)
        if state.owner == .main { checkBook(state) } else { checkKept(state) }
        checkGuests(state)
        await checkClips()
    }

    /// Checks that the owner with audio focus is the only one that is heard, with what it asked for.
    private func checkSound(_ state: PlaybackState) {
        let audible = session.stage.audible
        if (audible != nil) != (state.status == .playing) {
            fault("the status is \(state.status), and audible is \(String(describing: audible))")
        }
        guard let audible else { return }
        if audible.uri != state.current?.item.uri {
            fault("audible is \(audible.uri), and not \(String(describing: state.current?.item.uri))")
        }
        if audible.uri.contains("#") != (state.owner != .main) { fault("\(state.owner) is heard with \(audible.uri)") }
        if audible.rate != state.rate { fault("the rate of the sound is \(audible.rate), and not \(state.rate)") }
        guard let guest = Guest(rawValue: state.owner.rawValue), let part = parts[guest] else { return }
        if audible.range != part { fault("\(guest) hears \(String(describing: audible.range)), and not \(part)") }
        if !part.contains(audible.position) { fault("\(guest) is heard at \(audible.position), outside of \(part)") }
    }

    private func checkBook(_ state: PlaybackState) {
        guard let book = listener.book else {
            if let current = state.current { fault("\(current.item.uri) is loaded, although it was stopped") }
            return
        }
        let audible = session.stage.audible
        let position = audible?.position ?? state.current?.position.units
        if state.current?.item.uri != SignalBooks.uri(book) {
            return fault("the book is \(String(describing: state.current?.item.uri)), and not \(book)")
        }
        if position != listener.place { fault("the book is at \(String(describing: position)), not \(listener.place)") }
        if state.rate != listener.rate { fault("the rate is \(state.rate), and not \(listener.rate)") }
        if (state.intent == .play) != listener.isPlaying {
            fault("the intent is \(state.intent), and the book is\(listener.isPlaying ? "" : " not") to play")
        }
        if !session.stage.isCalling, listener.isPlaying, audible == nil {
            fault("the book is to play, and is silent: \(state.status), \(String(describing: state.suppression))")
        }
        listener.rates[book] = listener.rate
    }

    private func checkKept(_ state: PlaybackState) {
        guard let kept = state.held.last(where: { $0.owner == .main }) else { return fault("the book is forgotten") }
        if kept.playing?.item.uri != listener.book.map(SignalBooks.uri) {
            fault("kept is \(String(describing: kept.playing?.item.uri)), not \(String(describing: listener.book))")
        }
        if kept.isPlaying != listener.isPlaying {
            fault("the book is kept \(kept.isPlaying ? "playing" : "paused")")
        }
        if kept.rate != listener.rate { fault("the rate is kept as \(kept.rate), and not \(listener.rate)") }
        if let playing = kept.playing, playing.position.units != listener.place {
            fault("the book is kept at \(playing.position.units), and not \(listener.place)")
        }
    }

    /// Checks that nothing of a guest stays whose attached clients are all gone.
    private func checkGuests(_ state: PlaybackState) {
        for guest in Guest.allCases {
            let isThere =
                state.owner.rawValue == guest.rawValue || state.held.contains { $0.owner.rawValue == guest.rawValue }
            guard isThere else {
                attached[guest] = nil
                continue
            }
            guard let all = attached[guest], !all.isEmpty else { continue }
            if !all.contains(where: { clients[guest] == $0 }) {
                fault("\(guest.rawValue) is there, although its clients are gone")
            }
        }
    }

    // MARK: Clips

    func rows() async -> [Clip] { (try? await session.store.clips(ClipQuery())) ?? [] }

    private func checkClips() async {
        let rows = await rows()
        if Set(rows.map(\.id)) != Set(clips.keys) { fault("the clips are \(rows.map(\.id)), and not \(clips.keys)") }
        for row in rows {
            let now = KnownClip(start: row.start.position.units, end: row.end.position.units, note: row.note)
            if let clip = clips[row.id], clip != now { fault("clip \(row.id) is \(now), and not \(clip)") }
            guard let file = row.file, !isThere(file) else { continue }
            // The file may have been replaced since the row was read.
            let later = await self.rows().first { $0.id == row.id }
            if later?.file == file { fault("clip \(row.id) names \(file.name), which is not there") }
        }
    }

    private func isThere(_ file: ClipFile) -> Bool {
        FileManager.default.fileExists(atPath: session.mortal.path(of: file.name))
    }

    /// Waits until no file is being made any more, and returns what is wrong with them then.
    func faultOfFiles() async -> String? {
        let limit = ContinuousClock.now + .seconds(8)
        while await isMaking {
            if ContinuousClock.now > limit { return "the making of files does not end" }
            await Task.yield()
        }
        let faults = isDirty ? [] : await fileFaults()
        return faults.isEmpty ? nil : faults.joined(separator: "; ")
    }

    /// `true` while the session stays for files that it makes; nobody but this test needs to know.
    private var isMaking: Bool {
        get async {
            let lifetime = Mirror(reflecting: await session.service.lifetime)
            return lifetime.children.first { $0.label == "renders" }?.value as? Int != 0
        }
    }

    /// Returns what is wrong with the files; nothing is, if each clip has one with its audio, and there is no other.
    func fileFaults() async -> [String] {
        var faults: [String] = []
        let rows = await rows()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/clips")) ?? []
        let known = Set(rows.compactMap { $0.file?.name })
        // What no clip had after a kill is kept in a folder of its own.
        for name in names where name != "lost" && !known.contains(name) && !(isDirty && rows.isEmpty) {
            faults.append("no clip has \(name)")
        }
        for row in rows {
            guard let file = row.file, row.isFileCurrent else {
                faults.append("clip \(row.id) has no file of its bounds")
                continue
            }
            let sound = SignalFile(session.mortal.path(of: file.name))
            let count = row.end.position.units - row.start.position.units
            if sound?.first != row.start.position.units || sound?.count != count || file.frames != count {
                faults.append("\(file.name) has \(String(describing: sound)), and not \(count) from \(row.start)")
            }
        }
        return faults
    }

    func checkAllFiles() async {
        isDirty = isDirty && clips.isEmpty
        if let words = await faultOfFiles() { fault(words) }
    }

    // MARK: Places

    /// Checks the places that were saved.
    func checkPlaces() async {
        for (path, place) in listener.places {
            switch await session.store.place(of: SignalBooks.uri(path), owner: .main) {
            case .progress(let saved):
                let saving = saved.finished ? 0 : saved.position.units
                if saving != place {
                    fault(
                        "the place \(saving) of \(path) was saved, and not \(place)\(saved.finished ? ", as finished" : "")"
                    )
                }
            case .empty: if place != 0 { fault("no place was saved, and not \(place)") }
            case .failed(let error): fault("the place: \(error.message)")
            }
        }
    }
}
