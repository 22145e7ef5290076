// SPDX-License-Identifier: Apache-2.0

/// Any JSON value; an object keeps the order of its members.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    /// A number that is not an integer. One that is not finite is written as `null`.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The value, or null.
    public static func optional(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
    /// The value, or null.
    public static func optional(_ value: Int64?) -> JSONValue { value.map(JSONValue.int) ?? .null }
    /// The value, or null.
    public static func optional(_ value: Double?) -> JSONValue { value.map(JSONValue.double) ?? .null }
}

/// The members of a JSON object, in the order in which they were added.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public struct Member: Sendable, Hashable {
        public var name: String
        public var value: JSONValue

        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var members: [Member] = []

    public init() {}

    /// Creates an object of members that have different names.
    init(members: [Member]) { self.members = members }

    public var isEmpty: Bool { members.isEmpty }

    /// Creates an object from a literal; if two members have one name, the last wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        members.reserveCapacity(elements.count)
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a member, or `nil` if there is no such member.
    ///
    /// Setting `nil` removes the member.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            switch (members.firstIndex { $0.name == name }, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }
}

/// Literals of every kind but `nil`, which in an expression of type `JSONValue?` would mean `null` and not the
/// absence of a value.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}
