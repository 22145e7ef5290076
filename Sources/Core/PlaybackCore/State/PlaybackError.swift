// SPDX-License-Identifier: Apache-2.0

/// A failure in the form that the user sees: an exit code of `sysexits.h`, and one line.
public struct PlaybackError: Error, Sendable, Codable, Hashable {
    public var code: Int32
    public var message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }
}
