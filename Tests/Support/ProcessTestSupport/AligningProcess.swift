// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Another process that makes an alignment, as far as anybody can tell: it holds the lock of the alignment's record.
public struct AligningProcess {
    public let process: Process
    private let output = Pipe()

    /// Starts it, and returns when it has the lock.
    ///
    /// - Parameter alignment: The path of the alignment, beside which there is a record.
    public init(making alignment: String) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            """
            import fcntl, os, signal, sys
            record = open(sys.argv[1], "r+")
            fcntl.lockf(record, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever runs tests may have blocked signals.
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            # It does not outlive a test that fails.
            signal.alarm(60)
            os.write(1, b"locked\\n")
            signal.pause()
            """, alignment + ".run",
        ]
        process.standardOutput = output
        try process.run()
        guard output.fileHandleForReading.availableData == Data("locked\n".utf8) else { throw NotLocked() }
    }

    public var id: pid_t { process.processIdentifier }

    /// Ends it, and returns when that has happened.
    public func end() {
        process.terminate()
        process.waitUntilExit()
    }

    private struct NotLocked: Error {}
}
