// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The session on the desktop's bus, by the MPRIS D-Bus Interface Specification 2.2.
///
/// sd-bus is used on a thread of its own. What concerns the session is passed to a ``RemoteService``, so nothing here
/// waits for playback, and playback never waits for the bus.
public final class MPRISRemote: Sendable {
    private let mailbox: Mailbox
    private let ended: AsyncStream<Void>

    /// Starts to appear on the bus as soon as there is one.
    ///
    /// - Parameters:
    ///   - address: The address of the bus; by default that of the user's session.
    ///   - preferences: The settings, until ``set(_:)``.
    /// - Returns: `nil` if the environment names no bus, or the system has no thread or descriptor left.
    public init?(
        service: any RemoteService, preferences: RemotePreferences = RemotePreferences(), address: String? = nil
    ) {
        guard let address = address ?? BusConnection.address, let mailbox = Mailbox() else { return nil }
        self.mailbox = mailbox
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        let isStarted = Self.startThread {
            let loop = PlayerObject(address: address, mailbox: mailbox, service: service, preferences: preferences)
            loop.run()
            end.finish()
        }
        if !isStarted { return nil }
    }

    /// Shows a state; may be called on any thread, and does not wait.
    ///
    /// - Parameter hasJumped: `true` if the position has jumped within the item since the state before.
    public func show(_ state: NowPlaying, hasJumped: Bool = false) {
        mailbox.put { contents in
            contents.state = state
            contents.hasJumped = contents.hasJumped || hasJumped
        }
    }

    public func set(_ preferences: RemotePreferences) { mailbox.put { $0.preferences = preferences } }

    /// Leaves the bus after the calls under way are answered, which may take a second.
    public func stop() async {
        mailbox.put { $0.isStopping = true }
        for await _ in ended {}
    }

    deinit { mailbox.put { $0.isStopping = true } }

    /// Names the thread for `top -H` and debuggers.
    private static func nameThread() {
        let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = "mpris".withCString { write(descriptor, $0, strlen($0)) }
        close(descriptor)
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let result = pthread_create(
            &thread, nil,
            { context in
                MPRISRemote.nameThread()
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
