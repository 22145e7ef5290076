// SPDX-License-Identifier: Apache-2.0

/// One listening option, as `rostrum option NAME VALUE` takes it; `nil` for the value of `settings.json`.
public enum OptionExpression: Sendable, Hashable {
    /// `on` or `off`.
    case mono(Bool?)
    /// A balance from −1 (left) to 1 (right).
    case balance(Double?)
    /// A loudness in LUFS; `on` is −18, `off` is 0.
    case loudness(Double?)
    /// The length in seconds above which silences are shortened; `on` is 0.5, `off` is 0.
    case silence(Double?)

    public static let balance = -1.0...1.0
    public static let loudness = -31.0 ... -12.0
    public static let silence = 0.3...1.0

    public init(_ name: String, _ value: String) throws(SessionError) {
        switch (name, value) {
        case ("mono", "default"): self = .mono(nil)
        case ("mono", "on"), ("mono", "off"): self = .mono(value == "on")
        case ("mono", _): throw Self.bad(name, value, "on, off or default")
        case ("balance", _): self = .balance(try Self.number(name, value, Self.balance, off: nil, on: nil))
        case ("loudness", _): self = .loudness(try Self.number(name, value, Self.loudness, off: 0, on: -18))
        case ("silence", _): self = .silence(try Self.number(name, value, Self.silence, off: 0, on: 0.5))
        default: throw SessionError(.usage, "no option \(name); there are mono, balance, loudness and silence")
        }
    }

    private static func number(
        _ name: String, _ text: String, _ range: ClosedRange<Double>, off: Double?, on: Double?
    ) throws(SessionError) -> Double? {
        switch text {
        case "default": return nil
        case "off" where off != nil: return off
        case "on" where on != nil: return on
        default:
            guard let value = Double(text), range.contains(value) else {
                let words = on == nil ? "or default" : "on, off or default"
                throw bad(name, text, "\(range.lowerBound) to \(range.upperBound), \(words)")
            }
            return value
        }
    }

    private static func bad(_ name: String, _ value: String, _ wanted: String) -> SessionError {
        SessionError(.usage, "bad \(name): \(value); give \(wanted)")
    }
}
