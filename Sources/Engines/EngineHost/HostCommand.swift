// SPDX-License-Identifier: Apache-2.0

import EngineTransport

/// A command for the engine's thread.
enum HostCommand: Sendable {
    case load(request: UInt32, HostMessage.Load)
    case seek(request: UInt32, generation: UInt32, track: UInt32, position: Int64)
    case setRate(request: UInt32, Double)
    case setRange(request: UInt32, HostMessage.Range)
    case measure(request: UInt32, track: UInt32)
    case measureLater(request: UInt32, track: UInt32)
    case cover(request: UInt32, track: UInt32)
    /// A cut, with the descriptors of the file and, if there is one, of the cover.
    case cut(request: UInt32, HostMessage.Cut, [OwnedDescriptor])
    case peaks(request: UInt32, track: UInt32, framesPerPeak: UInt32, first: UInt64, count: UInt32)
    case describeAll(request: UInt32)
    case voices(request: UInt32)
    case unload(request: UInt32)
    case ping(request: UInt32)

    var request: UInt32 {
        switch self {
        case .load(let request, _), .seek(let request, _, _, _), .setRate(let request, _),
            .setRange(let request, _), .measure(let request, _), .measureLater(let request, _),
            .cover(let request, _), .cut(let request, _, _), .peaks(let request, _, _, _, _),
            .describeAll(let request), .voices(let request), .unload(let request),
            .ping(let request):
            request
        }
    }

    /// Returns `true` if this command makes an earlier one pointless.
    func supersedes(_ earlier: HostCommand) -> Bool {
        switch (self, earlier) {
        case (.load, .unload), (.unload, .unload): false
        case (.load, _), (.unload, _), (.seek, .seek): true
        default: false
        }
    }

    /// Returns `true` if this command should interrupt the call in progress.
    func ends(_ call: EngineCall) -> Bool {
        switch (call, self) {
        case (.brief, _), (_, .ping): false
        case (.render, _), (.describe, _): true
        case (.load, .load), (.load, .unload): true
        case (.load, _): false
        case (.seek, .load), (.seek, .unload), (.seek, .seek): true
        case (.seek, _): false
        case (.measure, .load), (.measure, .unload), (.measure, .seek): true
        case (.measure, _): false
        }
    }
}

/// A call of the contract, by what matters for interrupting it.
enum EngineCall: Sendable {
    case load, seek, render, measure
    /// A call that may open or read a track while there is nothing else to do.
    case describe
    /// A call that never waits.
    case brief
}
