// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// A value of D-Bus, of the types that MPRIS uses.
enum BusValue: Hashable {
    case bool(Bool)
    case int32(Int32)
    case int64(Int64)
    case double(Double)
    case string(String)
    case path(String)
    case strings([String])
    case paths([String])
    /// A dictionary of variants, in order.
    case dictionary([Member])

    struct Member: Hashable {
        var name: String
        var value: BusValue
    }

    /// The type of the value as a signature of D-Bus.
    var signature: String {
        switch self {
        case .bool: "b"
        case .int32: "i"
        case .int64: "x"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .strings: "as"
        case .paths: "ao"
        case .dictionary: "a{sv}"
        }
    }
}

/// The failure of a call to sd-bus, as a negative errno.
struct BusFault: Error { var number: Int32 }

/// A message that is being written; methods throw `BusFault`.
struct BusWriter {
    let message: OpaquePointer

    func append(_ value: BusValue) throws(BusFault) {
        switch value {
        case .bool(let bool):
            var number: Int32 = bool ? 1 : 0
            try check(sd_bus_message_append_basic(message, Self.type("b"), &number))
        case .int32(var number): try check(sd_bus_message_append_basic(message, Self.type("i"), &number))
        case .int64(var number): try check(sd_bus_message_append_basic(message, Self.type("x"), &number))
        case .double(var number): try check(sd_bus_message_append_basic(message, Self.type("d"), &number))
        case .string(let text): try append(text, "s")
        case .path(let text): try append(text, "o")
        case .strings(let texts):
            try inside("a", "s") { () throws(BusFault) in for text in texts { try append(text, "s") } }
        case .paths(let texts):
            try inside("a", "o") { () throws(BusFault) in for text in texts { try append(text, "o") } }
        case .dictionary(let members):
            try inside("a", "{sv}") { () throws(BusFault) in
                for member in members {
                    try inside("e", "sv") { () throws(BusFault) in
                        try append(member.name, "s")
                        try inside("v", member.value.signature) { () throws(BusFault) in try append(member.value) }
                    }
                }
            }
        }
    }

    /// Writes what `body` appends into an array (`a`), a variant (`v`) or an entry of a dictionary (`e`).
    func inside(
        _ container: Character, _ contents: String, _ body: () throws(BusFault) -> Void
    ) throws(BusFault) {
        try check(sd_bus_message_open_container(message, Self.type(container), contents))
        try body()
        try check(sd_bus_message_close_container(message))
    }

    private func append(_ text: String, _ kind: Character) throws(BusFault) {
        // D-Bus has no null characters in its strings; what follows one is left out.
        let result = text.withCString { sd_bus_message_append_basic(message, Self.type(kind), $0) }
        try check(result)
    }

    private static func type(_ character: Character) -> CChar { CChar(bitPattern: character.asciiValue ?? 0) }

    private func check(_ result: Int32) throws(BusFault) {
        if result < 0 { throw BusFault(number: result) }
    }
}

/// A message that is being read; each method returns `nil` if the message holds something else.
struct BusReader {
    let message: OpaquePointer

    func string() -> String? { text(0x73) }
    func path() -> String? { text(0x6F) }

    func int64() -> Int64? {
        var number: Int64 = 0
        return sd_bus_message_read_basic(message, 0x78, &number) > 0 ? number : nil
    }

    func double() -> Double? {
        var number: Double = 0
        return sd_bus_message_read_basic(message, 0x64, &number) > 0 ? number : nil
    }

    func uint32() -> UInt32? {
        var number: UInt32 = 0
        return sd_bus_message_read_basic(message, 0x75, &number) > 0 ? number : nil
    }

    func paths() -> [String]? {
        guard sd_bus_message_enter_container(message, 0x61, "o") > 0 else { return nil }
        var paths: [String] = []
        while let path = path() { paths.append(path) }
        _ = sd_bus_message_exit_container(message)
        return paths
    }

    private func text(_ type: CChar) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, type, &text) > 0, let text else { return nil }
        return String(cString: text)
    }
}
