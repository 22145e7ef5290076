// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Testing
import WaitTestSupport

/// A recorder of the sink of a private server, in blocks of 5 ms.
public final class Recorder: @unchecked Sendable {  // What changes is behind locks.
    private struct Heard: Sendable {
        var samples: [Float] = []
        /// The times, in nanoseconds, at which the frames up to each count had arrived.
        var arrivals: [(frames: Int, time: UInt64)] = []
        var rest: [UInt8] = []
    }

    private let process: ChildProcess
    private let heard = Watched(Heard())

    public convenience init(_ server: PulseServer, sink: String = "t", rate: Int = 48_000) throws {
        try self.init(
            server,
            running: [
                "/usr/bin/parec", "--raw", "--format=float32le", "--rate=\(rate)", "--channels=2", "--latency-msec=5",
                "-d", "\(sink).monitor",
            ])
    }

    /// Creates a recorder of what a sink writes into a pipe, which lets the sink sleep, unlike one of its monitor.
    public convenience init(_ server: PulseServer, pipe: String) throws {
        try self.init(server, running: ["/bin/cat", pipe])
    }

    private init(_ server: PulseServer, running arguments: [String]) throws {
        guard let process = ChildProcess(arguments, environment: server.environment) else {
            throw CocoaError(.executableLoad)
        }
        self.process = process
        let descriptor = dup(process.output)
        Thread.detachNewThread { [weak self] in
            var part = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(descriptor, &part, part.count), count > 0, let self {
                self.take(part.prefix(count))
            }
            close(descriptor)
            self?.heard.end()
        }
    }

    public var samples: [Float] { heard.read(\.samples) }

    /// The runs that were heard from the first sound on.
    public var runs: [PlaceCode.Run] { PlaceCode.runs(samples) }

    /// Waits until what was heard passes the test (which sees all samples), or the server is gone.
    public func wait(
        sourceLocation: SourceLocation = #_sourceLocation, for test: @escaping @Sendable ([Float]) -> Bool
    ) async {
        if await heard.wait(until: { test($0.samples) }) { return }
        didNotCome("the sound that is waited for", "\(runs)", sourceLocation)
    }

    /// Waits until this many more frames were heard.
    public func wait(frames: Int, sourceLocation: SourceLocation = #_sourceLocation) async {
        let end = heard.read { $0.samples.count / 2 } + frames
        await wait(sourceLocation: sourceLocation) { $0.count / 2 >= end }
    }

    /// Returns the time at which the block with this frame arrived.
    public func time(ofFrame frame: Int) -> UInt64? {
        heard.read { $0.arrivals.first { $0.frames > frame }?.time }
    }

    private func take(_ data: ArraySlice<UInt8>) {
        let time = DispatchTime.now().uptimeNanoseconds
        heard.change { heard in
            heard.rest += data
            let whole = heard.rest.count / 8 * 8
            heard.rest.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: whole, by: 4) {
                    heard.samples.append(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))
                }
            }
            heard.rest.removeFirst(whole)
            heard.arrivals.append((heard.samples.count / 2, time))
        }
    }
}
