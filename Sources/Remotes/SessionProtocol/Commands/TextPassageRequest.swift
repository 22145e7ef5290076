// SPDX-License-Identifier: Apache-2.0

/// A request for a part of the text that is read aloud: the parameters of `text`.
public struct TextPassageRequest: Sendable, Hashable {
    /// A byte of the text that the part contains; `nil` for one a quarter of `limit` before the place that is heard.
    public var fromByte: Int64?
    /// The most bytes of the part.
    public var limit: Int

    public static let limits = 1...131_072
    public static let usual = 65_536

    public init(fromByte: Int64? = nil, limit: Int = usual) {
        self.fromByte = fromByte
        self.limit = limit
    }

    func validate() throws(SessionError) {
        if let fromByte, fromByte < 0 {
            throw SessionError(.usage, "bad place: byte \(fromByte); count from 0")
        }
        guard Self.limits.contains(limit) else {
            throw SessionError(.usage, "bad limit: \(limit); give 1 to \(Self.limits.upperBound)")
        }
    }
}
