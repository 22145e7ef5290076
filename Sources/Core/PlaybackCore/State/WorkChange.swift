// SPDX-License-Identifier: Apache-2.0

/// A change between a recording and its text, which are one work.
public enum WorkChange: String, Sendable, Codable, Hashable, CaseIterable {
    /// The user goes on in the other side at the same passage; one move leads back to the side that was left.
    case switched
    /// The text is read for what the recording lacks, or the recording goes on behind that; nobody moved.
    case gap
}
