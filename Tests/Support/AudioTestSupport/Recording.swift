// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A recording of what an output would make audible.
public final class Recording: Sendable {
    private let collected = Mutex<[Float]>([])

    public init() {}

    public func append(_ samples: UnsafeBufferPointer<Float>) {
        collected.withLock { $0.append(contentsOf: samples) }
    }

    public var samples: [Float] { collected.withLock { $0 } }
    public var runs: [PlaceCode.Run] { PlaceCode.runs(samples) }
}
