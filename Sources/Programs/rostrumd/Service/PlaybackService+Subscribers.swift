// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import MediaPlayback
import PlaybackCore
import SessionProtocol
import TransitionLog

/// Notifications to clients, and the end of the session because of those who leave.
extension PlaybackService {
    func subscribe(
        _ client: ClientID, _ subscription: Subscription, send: @escaping @Sendable (SessionNotification) -> Void
    ) async {
        subscribers.add(client, subscription, send: send)
        lifetime.watch(client, subscription.stay == true)
        let next = await controller.show { [subscribers] snapshot in
            subscribers.tell(client, snapshot)
            return snapshot.untilBoundary
        }
        follow(boundary: next)
        followTransitions()
    }

    func disconnected(_ client: ClientID) async {
        subscribers.remove(client)
        lifetime.watch(client, false)
        for render in renders.tasks(with: client) { render.cancel() }
        players.unfollow(client)
        textNews.forget(client)
        await library.disconnected(client)
        if subscribers.isEmpty {
            following.end(needsBoundaries: remotes?.needsBoundaries == true)
        }
        // A clip's owner is released even if its player was killed.
        let (owners, broughtBack, isServed) = players.remove(client)
        let isLast = lifetime.detach(client)
        for owner in broughtBack where await isThere(owner) { try? await release(owner) }
        if !owners.isEmpty {
            for owner in owners { try? await release(owner) }
            // What the clip interrupted continues. If there was nothing, nothing is left to do.
            if isLast, await controller.show({ $0.state.current == nil }) { await endIfDone() }
            return
        }
        // When the last player leaves, what plays ends with it.
        if isLast, !isServed, lifetime.leaveBehind() { await endPlayback() }
        // This is not checked when a request ends, because its answer is still to be sent then.
        if isLast || lifetime.isDue { await endIfDone() }
    }

    func endIfDone() async {
        lifetime.endIfDone(isInUse: await controller.show { $0.state.isInUse })
    }

    /// Ends playback after its last player has left; what waits behind a claim must not start without a player.
    func endPlayback() async {
        for owner in await controller.show({ $0.state.held.filter(\.isPlaying).map(\.owner) }) {
            await controller.pause(owner: owner)
        }
        await controller.leave()
    }

    /// Starts to observe the controller; it is called once, before the first client connects.
    ///
    /// The step that changes something tells subscribers about it; everything else can wait for its turn.
    func watch(_ remotes: RemoteDisplay?, _ desktop: DesktopPresence) async {
        self.remotes = remotes
        self.desktop = desktop
        let changes = await controller.observe()
        following.changes = Task { [weak self] in
            for await change in changes { await self?.take(change) }
        }
        await controller.follow { [subscribers] snapshot in
            subscribers.tell(snapshot)
            remotes?.show(snapshot)
            desktop.show(snapshot)
        }
        await showAgain()
    }

    /// Shows remotes the current state, to which something was added.
    func showAgain() async {
        guard let remotes else { return }
        await controller.show { snapshot in remotes.show(snapshot) }
    }

    private func take(_ change: PlaybackChange) async {
        let owners = players.owners
        let (isInUse, next, items, loaded) = await controller.show { snapshot in
            let items = owners.compactMapValues { snapshot.state.view(of: $0).playing?.item.uri }
            return (snapshot.state.isInUse, snapshot.untilBoundary, items, snapshot.state.current?.item.uri)
        }
        lifetime.update(isInUse: isInUse)
        noteLoaded(loaded)
        // A player stays attached if others play something else for its owner, and is told when that ends.
        for (client, item) in items { lifetime.adopt(client, item: item) }
        follow(boundary: next)
        if case .finished(let uri, let error, let unspoken) = change {
            let failure = error.map { SessionError($0) }
            for client in lifetime.attached(to: uri) {
                players.noteServed(client)
                subscribers[client]?(.finished(failure, warning: unspoken))
            }
        }
    }

    /// Sends a status when the next chapter or the next turn of a loop begins, after the given time; none is sent between
    /// changes.
    private func follow(boundary next: Duration?) {
        following.boundary?.cancel()
        following.boundary = nil
        guard let next, !subscribers.isEmpty || remotes?.needsBoundaries == true else { return }
        following.boundary = Task { [weak self] in
            try? await Task.sleep(for: next + .milliseconds(30))
            await self?.passBoundary()
        }
    }

    private func passBoundary() async {
        guard !Task.isCancelled else { return }
        let next = await controller.show { [subscribers, remotes] snapshot in
            subscribers.tell(snapshot)
            remotes?.show(snapshot)
            return snapshot.untilBoundary
        }
        // Another status may have replaced the boundary meanwhile.
        guard !Task.isCancelled else { return }
        follow(boundary: next)
    }

    private func followTransitions() {
        guard following.transitions == nil else { return }
        let lines = log.subscribe()
        following.transitions = Task { [weak self] in
            for await line in lines { await self?.pass(line) }
        }
    }

    private func pass(_ line: String) { subscribers.tell(.transition(line)) }
}
