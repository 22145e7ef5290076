// SPDX-License-Identifier: Apache-2.0

/// The making of an alignment that is not complete: that it goes on, or how it ended.
public struct AlignmentReport: Sendable, Hashable, Codable {
    /// One of `running`, `stopped`, `interrupted` and `failed`.
    public var state: String
    /// The share of the recording that was read, from 0 to 1.
    public var share: Double
    /// The number of the process that aligns; `nil` if none does.
    public var process: Int32?
    /// Milliseconds since 1970.
    public var begunAt: Int64
    /// The time at which it was stopped or has failed.
    public var endedAt: Int64?
    /// The reason why it failed.
    public var failure: Failure?

    public struct Failure: Sendable, Hashable, Codable {
        /// One of `missing`, `content`, `unavailable`, `system`, `disk`, `incomplete`, `busy` and `defect`.
        public var kind: String
        /// One line for people.
        public var message: String

        public init(kind: String, message: String) { (self.kind, self.message) = (kind, message) }
    }

    public init(
        state: String, share: Double, process: Int32? = nil, begunAt: Int64, endedAt: Int64? = nil,
        failure: Failure? = nil
    ) {
        (self.state, self.share, self.process) = (state, share, process)
        (self.begunAt, self.endedAt, self.failure) = (begunAt, endedAt, failure)
    }
}
