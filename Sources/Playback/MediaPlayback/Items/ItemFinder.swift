// SPDX-License-Identifier: Apache-2.0

import JSON
import PlaybackCore
import TransitionRecords

/// Finds the items that requests name, with the engine for each.
///
/// A library that cannot be read keeps nothing from playing; a path is then just a path.
struct ItemFinder: Sendable {
    let engines: any EngineProvider
    let resolver: any ItemResolving
    let books: (any BookStore)?
    let scanner: (any BookScanning)?
    let log: any TransitionLogging

    /// Finds an item and the engine for it.
    ///
    /// - Parameter command: the command that the search is part of, for the log.
    func find(
        _ request: ItemRequest, engine wanted: EngineID?, command: String?
    ) async throws(PlaybackError) -> FoundItem {
        let installed = await engines.installed()
        var request = request
        request.extensions = KnownExtensions(of: installed)
        let resolved: ResolvedItem
        do throws(ItemError) {
            resolved = try await resolve(request, command: command)
        } catch {
            throw PlaybackError(error)
        }
        for note in resolved.notes {
            self.note(note, .user, command: command)
        }
        let engine = try EngineChoice.engine(wanted, for: resolved.content, among: installed)
        let item = ItemReference(
            uri: resolved.content.uri, kind: resolved.content.kind, title: resolved.content.title,
            items: resolved.items,
            isRemote: resolved.content.isRemote)
        return FoundItem(item: item, content: resolved.content, engine: engine, notes: resolved.notes)
    }

    /// Records what was found out about an item.
    func note(_ message: String, _ cause: TransitionEntry.Cause, command: String?) {
        log.record(
            TransitionEntry(
                .event, cause: cause, command: command, fields: ["event": "note", "message": .string(message)]))
    }
}
