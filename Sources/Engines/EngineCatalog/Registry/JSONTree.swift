// SPDX-License-Identifier: Apache-2.0

/// A JSON value of any kind, so that members that this version does not know are written back unchanged.
indirect enum JSONTree: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let array = try? value.decode([JSONTree].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .string(let string): try value.encode(string)
        case .array(let array): try value.encode(array)
        case .object(let object): try value.encode(object)
        }
    }

    /// A member of an object, or `nil` if the value is not an object or has no member with that name.
    ///
    /// Setting a member turns any other value into an object.
    subscript(name: String) -> JSONTree? {
        get {
            guard case .object(let members) = self else { return nil }
            return members[name]
        }
        set {
            var members: [String: JSONTree] = [:]
            if case .object(let known) = self { members = known }
            members[name] = newValue
            self = .object(members)
        }
    }

    var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    var strings: [String] {
        guard case .array(let array) = self else { return [] }
        return array.compactMap(\.string)
    }
}
