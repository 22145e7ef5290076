// SPDX-License-Identifier: Apache-2.0

import CTermKey
import Glibc
import SessionProtocol
import TerminalPlayer

/// The keys and the mouse of the terminal at the standard input, through libtermkey.
final class TerminalInput {
    /// The time in ms after which an Escape that begins no sequence is a key of its own.
    static let escapeLimit: Int64 = 25

    private let keys: OpaquePointer
    /// `true` if what has come may be the beginning of a sequence.
    private(set) var isIncomplete = false

    init() throws(SessionError) {
        let term = getenv("TERM").map { String(cString: $0) } ?? "dumb"
        let flags = Int32(TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_CONVERTKP | TERMKEY_FLAG_NOSTART)
        guard let keys = termkey_new_abstract(term, flags) else {
            throw SessionError(.unavailable, "no keys: TERM names an unknown terminal, \(term); try `rostrum --plain`")
        }
        // terminfo gives `CSI <` for the mouse, which this library would take for the older protocol; it knows both itself.
        termkey_hook_terminfo_getstr(
            keys, { name, value, _ in name.map { strcmp($0, "key_mouse") == 0 } == true ? nil : value }, nil)
        guard termkey_start(keys) != 0 else {
            termkey_destroy(keys)
            throw SessionError(.unavailable, "no keys: the terminal \(term) cannot be used; try `rostrum --plain`")
        }
        termkey_set_canonflags(keys, Int32(TERMKEY_CANON_DELBS))
        self.keys = keys
    }

    deinit { termkey_destroy(keys) }

    /// Reads once, and returns what the listener did; `nil` if the terminal is gone.
    ///
    /// It waits if nothing has come.
    func read() -> [PlayerEvent]? {
        var bytes = [CChar](repeating: 0, count: 256)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        guard count > 0 else { return nil }
        var events: [PlayerEvent] = []
        var rest = bytes[..<count]
        while !rest.isEmpty {
            let taken = rest.withUnsafeBufferPointer { termkey_push_bytes(keys, $0.baseAddress, $0.count) }
            // A sequence that is longer than its buffer is none.
            guard taken > 0, taken <= rest.count else {
                events += next(isLast: true)
                break
            }
            rest = rest.dropFirst(taken)
            events += next(isLast: false)
        }
        return events
    }

    /// Returns the keys of which nothing more will come.
    func finish() -> [PlayerEvent] { next(isLast: true) }

    private func next(isLast: Bool) -> [PlayerEvent] {
        var events: [PlayerEvent] = []
        var key = TermKeyKey()
        while true {
            let result = isLast ? termkey_getkey_force(keys, &key) : termkey_getkey(keys, &key)
            isIncomplete = result == TERMKEY_RES_AGAIN
            guard result == TERMKEY_RES_KEY else { return events }
            events += self.events(&key)
        }
    }

    private func events(_ key: inout TermKeyKey) -> [PlayerEvent] {
        switch key.type {
        case TERMKEY_TYPE_MOUSE: return mouse(&key)
        case TERMKEY_TYPE_UNKNOWN_CSI:
            var arguments = [Int](repeating: 0, count: 16)
            var count = arguments.count
            var command: UInt = 0
            // CSI I: the window of the terminal has the keyboard again.
            let result = termkey_interpret_csi(keys, &key, &arguments, &count, &command)
            return result == TERMKEY_RES_KEY && command == UInt(UInt8(ascii: "I")) ? [.focused] : []
        default:
            guard let pressed = TerminalKey(key) else { return [] }
            // Escape and a key at once arrive as that key with Alt.
            let hasAlt = key.modifiers & Int32(TERMKEY_KEYMOD_ALT) != 0
            return hasAlt ? [.key(.escape), .key(pressed)] : [.key(pressed)]
        }
    }

    private func mouse(_ key: inout TermKeyKey) -> [PlayerEvent] {
        var event = TERMKEY_MOUSE_UNKNOWN
        var (button, line, column) = (Int32(0), Int32(0), Int32(0))
        guard termkey_interpret_mouse(keys, &key, &event, &button, &line, &column) == TERMKEY_RES_KEY,
            event == TERMKEY_MOUSE_PRESS
        else { return [] }
        switch button {
        case 1: return [.press(row: Int(line) - 1, column: Int(column) - 1)]
        case 4: return [.wheel(-3)]
        case 5: return [.wheel(3)]
        default: return []
        }
    }
}

extension TerminalKey {
    fileprivate init?(_ key: TermKeyKey) {
        switch key.type {
        case TERMKEY_TYPE_UNICODE:
            // An incomplete sequence can name any number.
            guard let scalar = UInt32(exactly: key.code.codepoint).flatMap(Unicode.Scalar.init) else { return nil }
            if key.modifiers & Int32(TERMKEY_KEYMOD_CTRL) != 0 {
                // Ctrl-L arrives as l with Ctrl.
                self = .character(Character(Unicode.Scalar(UInt8(scalar.value & 0x1F))))
            } else {
                self = .character(Character(scalar))
            }
        case TERMKEY_TYPE_FUNCTION: self = .function(Int(key.code.number))
        case TERMKEY_TYPE_KEYSYM:
            guard let known = Self.symbols[key.code.sym.rawValue] else { return nil }
            self = known
        default: return nil
        }
    }

    private static let symbols: [Int32: TerminalKey] = [
        TERMKEY_SYM_ENTER.rawValue: .enter, TERMKEY_SYM_KPENTER.rawValue: .enter, TERMKEY_SYM_ESCAPE.rawValue: .escape,
        TERMKEY_SYM_BACKSPACE.rawValue: .backspace, TERMKEY_SYM_TAB.rawValue: .tab,
        TERMKEY_SYM_SPACE.rawValue: .character(" "), TERMKEY_SYM_LEFT.rawValue: .left,
        TERMKEY_SYM_RIGHT.rawValue: .right, TERMKEY_SYM_UP.rawValue: .up, TERMKEY_SYM_DOWN.rawValue: .down,
        TERMKEY_SYM_PAGEUP.rawValue: .pageUp, TERMKEY_SYM_PAGEDOWN.rawValue: .pageDown,
        TERMKEY_SYM_HOME.rawValue: .home, TERMKEY_SYM_END.rawValue: .end,
    ]
}
