// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The address of a track with header lines that are never logged.
public struct TrackAddress: Sendable, Hashable {
    public var url: String
    public var headers: [String]

    public init(url: String, headers: [String]) {
        self.url = url
        self.headers = headers
    }
}

/// A track on a server, whose address and header lines are asked for each time that it is opened.
///
/// They may be others each time: a login is renewed, a file gets another number. Two are equal if they have the same
/// name.
public struct ServedTrack: Sendable, Hashable {
    /// The name of the track, which is shown and has no secret.
    public let uri: String
    /// The name of its file, as a hint about the format.
    public let fileName: String
    private let address: @Sendable (_ isAgain: Bool) async -> Result<TrackAddress, ItemError>
    private let last = LastAddress()

    /// The address that was handed out last, so that its secrets are kept out of messages.
    ///
    /// It is a class because all copies of a track share it. Reason for the lock: openings run beside each other.
    private final class LastAddress: Sendable {
        let address = Mutex<TrackAddress?>(nil)
    }

    /// - Parameter address: Returns where the track is now. It is told whether the track was opened before, so that an address
    ///   that a server has just refused can be looked into.
    public init(
        uri: String, fileName: String,
        address: @escaping @Sendable (_ isAgain: Bool) async -> Result<TrackAddress, ItemError>
    ) {
        self.uri = uri
        self.fileName = fileName
        self.address = address
    }

    /// Returns where the track is now.
    public func open() async -> Result<TrackAddress, ItemError> {
        let isAgain = last.address.withLock { $0 != nil }
        let result = await address(isAgain)
        if case .success(let address) = result { last.address.withLock { $0 = address } }
        return result
    }

    /// The address that was handed out last.
    public var lastAddress: TrackAddress? { last.address.withLock(\.self) }

    public static func == (one: ServedTrack, other: ServedTrack) -> Bool {
        one.uri == other.uri && one.fileName == other.fileName
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(uri)
        hasher.combine(fileName)
    }
}
