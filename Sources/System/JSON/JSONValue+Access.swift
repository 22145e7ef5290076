// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// A member of an object, or `nil` if the value is not an object or has no member with that name.
    ///
    /// Setting a member turns any other value into an object.
    public subscript(name: String) -> JSONValue? {
        get {
            guard case .object(let object) = self else { return nil }
            return object[name]
        }
        set {
            var object = JSONObject()
            if case .object(let known) = self { object = known }
            object[name] = newValue
            self = .object(object)
        }
    }

    /// The text of a string, or `nil` if the value is not a string.
    public var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    /// The strings of an array; elements of other kinds are left out.
    public var strings: [String] {
        guard case .array(let array) = self else { return [] }
        return array.compactMap(\.string)
    }

    /// An integer or any other number, or `nil` if the value is not a number.
    public var number: Double? {
        switch self {
        case .int(let integer): Double(integer)
        case .double(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
