// SPDX-License-Identifier: Apache-2.0

import CTransport

/// A thread for calls that block: foreign code, opening files, the sockets of engines.
public enum HostThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread, and returns `false` if the system has none left.
    ///
    /// - Parameter name: The thread's name, at most 15 bytes.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let argument = Unmanaged.passRetained(
            Body {
                ctransport_name_thread(name)
                body()
            })
        let result = ctransport_start_thread(
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        if result != 0 { argument.release() }
        return result == 0
    }
}
