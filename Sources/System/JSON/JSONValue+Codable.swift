// SPDX-License-Identifier: Apache-2.0

/// Foundation's coders do not keep the order of members: decoded members are sorted by name, and an encoder chooses the
/// order itself.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let string = try? value.decode(String.self) {
            // First what is most frequent, because a failed attempt takes longer than a successful one.
            self = .string(string)
        } else if let integer = try? value.decode(Int64.self) {
            self = .int(integer)
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .double(number)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(JSONObject(try value.decode([String: JSONValue].self)))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .int(let integer): try value.encode(integer)
        case .double(let number) where !number.isFinite: try value.encodeNil()
        case .double(let number): try value.encode(number)
        case .string(let string): try value.encode(string)
        case .array(let array): try value.encode(array)
        case .object(let object): try value.encode(object.dictionary)
        }
    }
}

extension JSONObject {
    /// Creates an object whose members are sorted by name.
    public init(_ members: [String: JSONValue]) {
        // The names are unique already. To search for each one would take quadratic time for a large foreign object.
        self.init(members: members.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: $0.value) })
    }

    var dictionary: [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
    }
}
