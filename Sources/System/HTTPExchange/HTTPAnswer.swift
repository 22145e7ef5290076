// SPDX-License-Identifier: Apache-2.0

/// The answer of a server, whatever its status.
public struct HTTPAnswer: Sendable, Hashable {
    /// The status of the last answer, behind all redirects.
    public var status: Int
    public var fields: [HTTPField]
    /// The body; empty if it went into a file.
    public var body: [UInt8]
    /// The address that answered, behind all redirects.
    public var url: String
    /// The address to which the permanent redirects at the beginning lead, if the first answer was one of 301 or 308.
    ///
    /// What was asked for has moved there; a redirect behind a temporary one says nothing.
    public var permanentURL: String?

    public init(
        status: Int, fields: [HTTPField] = [], body: [UInt8] = [], url: String, permanentURL: String? = nil
    ) {
        self.permanentURL = permanentURL
        self.status = status
        self.fields = fields
        self.body = body
        self.url = url
    }

    /// Returns the value of the first field of a name, in any case.
    public func value(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }
}
