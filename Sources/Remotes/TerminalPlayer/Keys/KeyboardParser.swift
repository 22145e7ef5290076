// SPDX-License-Identifier: Apache-2.0

/// A parser of what a terminal sends: keys, the mouse, and whether its window has the keyboard.
///
/// It takes the sequences of xterm and those who follow it, of the Linux console, and of older keypads. Anything else, however
/// long or broken, is dropped: pasted text and the answers of a terminal can contain any bytes.
public struct KeyboardParser: Sendable {
    private enum State: Sendable {
        case ground
        case escape
        /// ESC [ and its parameters.
        case control([UInt8], isKnown: Bool)
        /// ESC [ [ of the Linux console.
        case linux
        /// ESC O of a keypad.
        case keypad
        /// A string for a terminal, up to BEL or ESC \.
        case string(introducer: UInt8, isEmpty: Bool)
        /// The three bytes of a press in the older form.
        case mouse([UInt8])
        case character([UInt8], length: Int)
        /// Pasted text, up to ESC [ 201 ~.
        case paste([UInt8])
    }

    private static let escape: UInt8 = 0x1B
    private static let longest = 64
    private static let longestPaste = 65_536
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var state = State.ground

    public init() {}

    /// `true` if what came last may be the beginning of more.
    public var isIncomplete: Bool { patience != nil }

    /// The ms for which more may follow what came last; `nil` if nothing has to.
    ///
    /// A slow line delivers a sequence in pieces; the answer of a terminal takes longer than a key.
    public var patience: Int64? {
        switch state {
        case .ground: nil
        case .string(_, isEmpty: false), .paste: 500
        default: 50
        }
    }

    /// Takes bytes, and returns what they complete.
    public mutating func take(_ bytes: some Sequence<UInt8>) -> [PlayerEvent] {
        var events: [PlayerEvent] = []
        for byte in bytes { take(byte, &events) }
        return events
    }

    /// Returns the keys of which nothing more will come: an Escape, or Alt and what could have begun a sequence.
    public mutating func finish() -> [PlayerEvent] {
        defer { state = .ground }
        switch state {
        case .escape: return [.key(.escape)]
        case .control([], isKnown: true): return [.key(.escape), .key(.character("["))]
        case .keypad: return [.key(.escape), .key(.character("O"))]
        case .string(let introducer, isEmpty: true):
            return [.key(.escape), .key(.character(Character(Unicode.Scalar(introducer))))]
        case .paste(let bytes): return [Self.paste(bytes)]
        default: return []
        }
    }

    private mutating func take(_ byte: UInt8, _ events: inout [PlayerEvent]) {
        switch state {
        case .ground: takePlain(byte, &events)
        case .escape: takeAfterEscape(byte, &events)
        case .control(let parameters, let isKnown): takeControl(byte, parameters, isKnown, &events)
        case .linux:
            state = .ground
            if (0x41...0x45).contains(byte) { events.append(.key(.function(Int(byte) - 0x40))) }
        case .keypad:
            state = .ground
            if byte == Self.escape { state = .escape } else if let key = Self.keypad(byte) { events.append(.key(key)) }
        case .string(let introducer, _):
            // ESC ends it in any case; the \ after it is no key.
            switch byte {
            case 0x07: state = .ground
            case Self.escape: state = .escape
            default: state = .string(introducer: introducer, isEmpty: false)
            }
        case .mouse(let bytes): takeMouse(bytes + [byte], &events)
        case .paste(let bytes): takePaste(bytes, byte, &events)
        case .character(let bytes, let length): takeCharacter(bytes, length, byte, &events)
        }
    }

    // MARK: - Characters

    private mutating func takePlain(_ byte: UInt8, _ events: inout [PlayerEvent]) {
        switch byte {
        case Self.escape: state = .escape
        case 0x0D, 0x0A: events.append(.key(.enter))
        case 0x7F, 0x08: events.append(.key(.backspace))
        case 0x09: events.append(.key(.tab))
        case 0..<0x80: events.append(.key(.character(Character(Unicode.Scalar(byte)))))
        case 0xC2...0xDF: state = .character([byte], length: 2)
        case 0xE0...0xEF: state = .character([byte], length: 3)
        case 0xF0...0xF4: state = .character([byte], length: 4)
        default: break
        }
    }

    private mutating func takeCharacter(
        _ bytes: [UInt8], _ length: Int, _ byte: UInt8, _ events: inout [PlayerEvent]
    ) {
        state = .ground
        guard byte & 0xC0 == 0x80 else { return take(byte, &events) }
        let bytes = bytes + [byte]
        if bytes.count < length {
            state = .character(bytes, length: length)
        } else if let character = String(validating: bytes, as: UTF8.self)?.first {
            events.append(.key(.character(character)))
        }
    }

    // MARK: - Pasted text

    private mutating func takePaste(_ bytes: [UInt8], _ byte: UInt8, _ events: inout [PlayerEvent]) {
        // The array must not be held here as well, or each byte would copy it.
        state = .ground
        var bytes = bytes
        bytes.append(byte)
        if bytes.count >= Self.pasteEnd.count, bytes.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            return events.append(Self.paste(bytes.dropLast(Self.pasteEnd.count)))
        }
        // What is too long loses its beginning, never the sign of its end.
        if bytes.count > Self.longestPaste * 2 { bytes.removeFirst(Self.longestPaste) }
        state = .paste(bytes)
    }

    private static func paste(_ bytes: some Collection<UInt8>) -> PlayerEvent {
        .paste(String(decoding: bytes.prefix(longestPaste), as: UTF8.self))
    }

    // MARK: - Sequences

    private mutating func takeAfterEscape(_ byte: UInt8, _ events: inout [PlayerEvent]) {
        switch byte {
        case UInt8(ascii: "["): state = .control([], isKnown: true)
        case UInt8(ascii: "O"): state = .keypad
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(introducer: byte, isEmpty: true)
        case UInt8(ascii: "\\"): state = .ground
        case Self.escape: events.append(.key(.escape))
        default:
            // Alt and a key, or Escape and a key at once.
            state = .ground
            events.append(.key(.escape))
            take(byte, &events)
        }
    }

    private mutating func takeControl(
        _ byte: UInt8, _ parameters: [UInt8], _ isKnown: Bool, _ events: inout [PlayerEvent]
    ) {
        switch byte {
        case 0x30...0x3F:
            state = .control(isKnown ? parameters + [byte] : [], isKnown: isKnown && parameters.count < Self.longest)
        case 0x20...0x2F: state = .control([], isKnown: false)
        case UInt8(ascii: "[") where parameters.isEmpty && isKnown: state = .linux
        case UInt8(ascii: "M") where parameters.isEmpty && isKnown: state = .mouse([])
        case 0x40...0x7E:
            state = .ground
            if isKnown, byte == UInt8(ascii: "~"), parameters == Array("200".utf8) { state = .paste([]) }
            if isKnown, let event = Self.event(byte, parameters) { events.append(event) }
        case Self.escape: state = .escape
        default:
            state = .ground
            take(byte, &events)
        }
    }

    private static func event(_ end: UInt8, _ parameters: [UInt8]) -> PlayerEvent? {
        if parameters.first == UInt8(ascii: "<") { return press(end, numbers(parameters.dropFirst())) }
        let numbers = numbers(parameters)
        switch end {
        case UInt8(ascii: "I") where parameters.isEmpty: return .focused
        case UInt8(ascii: "~"): return numbers.first.flatMap { tilde($0) }.map { .key($0) }
        case UInt8(ascii: "u"): return numbers.first.flatMap { Self.key(code: $0) }.map { .key($0) }
        // ESC [ 12 ; 40 R says where the cursor is.
        case UInt8(ascii: "R") where numbers.first.map { $0 != 1 } ?? false: return nil
        default: return keypad(end, hasCharacters: false).map { .key($0) }
        }
    }

    private static func numbers(_ parameters: some Collection<UInt8>) -> [Int] {
        parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            $0.count <= 6 ? Int(String(decoding: $0, as: UTF8.self)) ?? 0 : 0
        }
    }

    private static func tilde(_ number: Int) -> TerminalKey? {
        switch number {
        case 1, 7: .home
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    private static func key(code: Int) -> TerminalKey? {
        switch code {
        case 9: return .tab
        case 13: return .enter
        case 27: return .escape
        case 127: return .backspace
        case 32...: return Unicode.Scalar(UInt32(code)).map { .character(Character($0)) }
        default: return nil
        }
    }

    /// The key of ESC O and a byte; most are the same after ESC [.
    private static func keypad(_ byte: UInt8, hasCharacters: Bool = true) -> TerminalKey? {
        switch byte {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "P")...UInt8(ascii: "S"): return .function(Int(byte) - 0x4F)
        default: break
        }
        guard hasCharacters else { return nil }
        switch byte {
        case UInt8(ascii: "M"): return .enter
        // The keypad sends the digits, + - . / as letters 0x40 above them.
        case UInt8(ascii: "j")...UInt8(ascii: "y"): return .character(Character(Unicode.Scalar(byte - 0x40)))
        default: return nil
        }
    }

    // MARK: - The mouse

    private static func press(_ end: UInt8, _ numbers: [Int]) -> PlayerEvent? {
        guard numbers.count == 3 else { return nil }
        let (row, column) = (numbers[2] - 1, numbers[1] - 1)
        if end == UInt8(ascii: "m") { return numbers[0] == 0 ? .lift(row: row, column: column) : nil }
        return end == UInt8(ascii: "M") ? press(button: numbers[0], row: row, column: column) : nil
    }

    private mutating func takeMouse(_ bytes: [UInt8], _ events: inout [PlayerEvent]) {
        state = .mouse(bytes)
        guard bytes.count == 3 else { return }
        state = .ground
        let event = Self.press(button: Int(bytes[0]) - 32, row: Int(bytes[2]) - 33, column: Int(bytes[1]) - 33)
        if let event { events.append(event) }
    }

    private static func press(button: Int, row: Int, column: Int) -> PlayerEvent? {
        switch button {
        case 0: .press(row: row, column: column)
        case 3: .lift(row: row, column: column)
        case 32: .drag(row: row, column: column)
        case 64: .wheel(-3)
        case 65: .wheel(3)
        default: nil
        }
    }
}
