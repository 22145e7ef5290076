// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

extension PlaybackError.Kind {
    /// The exit code of `sysexits.h` for this kind, by which logs, the protocol and programs tell it.
    public var exitCode: Int32 {
        switch self {
        case .usage: 64
        case .badContent: 65
        case .noInput: 66
        case .unavailable: 69
        case .defect: 70
        case .cannotCreate: 73
        case .io: 74
        case .busy: 75
        case .notPermitted: 77
        }
    }

    /// Returns the kind that an exit code stands for; a code that stands for none is a defect.
    public init(exitCode: Int32) {
        self = Self.allCases.first { $0.exitCode == exitCode } ?? .defect
    }
}
