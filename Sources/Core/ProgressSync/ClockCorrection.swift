// SPDX-License-Identifier: Apache-2.0

/// The difference between a server's clock and this machine's, as the `Date` of its answers shows it.
public struct ClockCorrection: Sendable, Codable, Hashable {
    /// Milliseconds that the server is ahead; `nil` before its first answer.
    public private(set) var offset: Int64?

    public init(offset: Int64? = nil) { self.offset = offset }

    /// Notes the date of an answer, which is in whole seconds.
    ///
    /// - Parameter wall: The clock of this machine when the answer came.
    public mutating func note(date: Int64, at wall: Int64) {
        let difference = date.subtractingReportingOverflow(wall)
        guard !difference.overflow else { return }
        // A second and the way of the answer are no difference of clocks.
        let isExact = (-2000...2000).contains(difference.partialValue)
        offset = isExact ? 0 : difference.partialValue
    }

    /// Returns a time of this machine as the server would write it.
    public func corrected(_ wall: Int64) -> Int64 {
        let sum = wall.addingReportingOverflow(offset ?? 0)
        return sum.overflow ? wall : sum.partialValue
    }
}
