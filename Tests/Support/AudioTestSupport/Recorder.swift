// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Hears what a private server's sink lets be heard, in blocks of 5 ms.
public final class Recorder: @unchecked Sendable {  // What changes is behind the mutex.
    private struct State {
        var samples: [Float] = []
        /// When frames up to this count had come, in nanoseconds.
        var arrivals: [(frames: Int, time: UInt64)] = []
        var rest: [UInt8] = []
        var waiting: [(test: @Sendable ([Float]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
        var isOver = false
    }

    private let process: ChildProcess
    private let state = Mutex(State())

    public init(_ server: PulseServer, sink: String = "t", rate: Int = 48_000) throws {
        let arguments = [
            "/usr/bin/parec", "--raw", "--format=float32le", "--rate=\(rate)", "--channels=2", "--latency-msec=5", "-d",
            "\(sink).monitor",
        ]
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
            self?.end()
        }
    }

    public var samples: [Float] { state.withLock { $0.samples } }

    /// From the first sound on.
    public var runs: [PlaceCode.Run] { PlaceCode.runs(samples) }

    /// Returns when what was heard passes the test (which sees all samples), or the server is gone.
    public func wait(for test: @escaping @Sendable ([Float]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.isOver || test(state.samples) { return true }
                state.waiting.append((test, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    /// Returns when so many more frames were heard.
    public func wait(frames: Int) async {
        let end = state.withLock { $0.samples.count / 2 } + frames
        await wait { $0.count / 2 >= end }
    }

    /// When the block with this frame came.
    public func time(ofFrame frame: Int) -> UInt64? {
        state.withLock { $0.arrivals.first { $0.frames > frame }?.time }
    }

    private func take(_ data: ArraySlice<UInt8>) {
        let time = DispatchTime.now().uptimeNanoseconds
        let due = state.withLock { state in
            state.rest += data
            let whole = state.rest.count / 8 * 8
            state.rest.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: whole, by: 4) {
                    state.samples.append(bytes.loadUnaligned(fromByteOffset: offset, as: Float.self))
                }
            }
            state.rest.removeFirst(whole)
            state.arrivals.append((state.samples.count / 2, time))
            guard !state.waiting.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
            let samples = state.samples
            let due = state.waiting.filter { $0.test(samples) }.map(\.continuation)
            state.waiting.removeAll { $0.test(samples) }
            return due
        }
        for continuation in due { continuation.resume() }
    }

    private func end() {
        let due = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }
}
