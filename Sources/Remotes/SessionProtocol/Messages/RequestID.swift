// SPDX-License-Identifier: Apache-2.0

/// The ID that connects an answer with its request: a number, a string or null, as in JSON-RPC.
public enum RequestID: Sendable, Hashable, Codable {
    case number(Int64)
    case string(String)
    /// The ID of the answer to a line whose ID could not be read.
    case null

    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let number = try? value.decode(Int64.self) {
            self = .number(number)
        } else {
            self = .string(try value.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .number(let number): try value.encode(number)
        case .string(let string): try value.encode(string)
        case .null: try value.encodeNil()
        }
    }
}
