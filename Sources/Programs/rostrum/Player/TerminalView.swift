// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import FoundationEssentials
import Glibc
import SessionProtocol
import TerminalPlayer

/// The attached player in a terminal: a line for each new item, and below them the line that moves.
final class TerminalView: PlayerView {
    let topics: [Subscription.Topic] = [.status]
    private let terminal = RawTerminal(STDIN_FILENO)
    private let hasKeyboard = isatty(STDIN_FILENO) == 1
    private var isShown = false

    private var status: Status?
    private var statusTime: Int64 = 0
    private var remark: Remark?
    private var heading: String?
    private var warning: String?
    /// Lines that are still to be printed above the last one.
    private var notices: [String] = []
    private var drawn: (text: String, columns: Int)?
    /// Values that keys requested and no status has confirmed yet, so that quick presses add up.
    private var wantedRate: Double?
    private var wantedVolume: Double?

    /// The answer to a key that was refused.
    private struct Remark {
        var text: String
        /// The time at which it was drawn first.
        var drawnAt: Int64?
        /// `true` once a status has come, which tells more than it.
        var isOver = false
    }

    /// Milliseconds for which a remark can be read, whatever comes meanwhile.
    private static let leastRemark: Int64 = 2000

    static func ifPossible() -> TerminalView? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        gnu_use_unicode_characters()
        return TerminalView()
    }

    var keyboard: Int32? { hasKeyboard && terminal.isOn ? STDIN_FILENO : nil }

    func begin() {
        isShown = tcgetpgrp(STDOUT_FILENO) == getpgrp()
        if hasKeyboard { terminal.turnOn() }
        drawn = nil
    }

    func end() {
        if isShown && drawn != nil { try? StandardOutput.write("\n") }
        drawn = nil
        isShown = false
        terminal.turnOff()
    }

    // MARK: - What happened

    func status(_ text: [UInt8], now: Int64) {
        guard let status = try? JSONDecoder().decode(Status.self, from: Data(text)) else { return }
        self.status = status
        statusTime = now
        remark?.isOver = true
        wantedRate = nil
        wantedVolume = nil
    }

    func transition(_ text: [UInt8]) {}
    func error(_ error: SessionError) {}

    func notice(_ message: String) { notices.append(message) }

    func remark(_ message: String) {
        remark = Remark(text: message)
        // A refused value is not a base for the next key.
        wantedRate = nil
        wantedVolume = nil
    }

    func resized() {}
    func hasShown(_ warning: String) -> Bool { warning == self.warning }

    // MARK: - Drawing

    func draw(now: Int64) throws(SessionError) -> Int32? {
        guard isShown, let status else { return nil }
        let columns = Self.columns()
        var output = ""
        if let item = status.item?.heading.printable, item != heading {
            heading = item
            output += erase(columns) + item.fitted(to: columns - 1) + "\n"
            drawn = nil
        }
        let position = self.position(status, now)
        let left = remarkLeft(now)
        let line = ProgressLine(status, positionMs: position, remark: remark?.text, columns: columns - 1).text
        for notice in notices where notice != status.warning {
            output += erase(columns) + notice.printable.fitted(to: columns - 1) + "\n"
            drawn = nil
        }
        notices = []
        if status.warning != warning {
            warning = status.warning
            if let warning { output += erase(columns) + "warning: \(warning.printable)".fitted(to: columns - 1) + "\n" }
            drawn = nil
        }
        if line != drawn?.text {
            output += erase(columns) + line
            drawn = (line, line.columns)
        }
        if !output.isEmpty { try StandardOutput.write(output) }
        guard let left else { return nextChange(status, position) }
        return min(left, nextChange(status, position) ?? left)
    }

    /// Drops a remark that is over; returns the milliseconds until it is, or `nil` if it stays, or there is none.
    private func remarkLeft(_ now: Int64) -> Int32? {
        guard let shown = remark else { return nil }
        let drawnAt = shown.drawnAt ?? now
        remark?.drawnAt = drawnAt
        guard shown.isOver else { return nil }
        let left = Self.leastRemark - (now - drawnAt)
        guard left > 0 else {
            remark = nil
            return nil
        }
        return Int32(clamping: left)
    }

    /// Returns the sequence that erases the line, in all rows into which a narrower window broke it.
    private func erase(_ columns: Int) -> String {
        let rows = max(0, (drawn?.columns ?? 0) - 1) / max(1, columns)
        return (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\r\u{1B}[J"
    }

    private func position(_ status: Status, _ now: Int64) -> Int64? {
        guard let ms = status.position.ms else { return nil }
        guard Self.isMoving(status) else { return ms }
        let moved = Int64(clamping: Int((Double(now - statusTime) * status.rate).rounded(.down)))
        let position = ms.addingReportingOverflow(moved)
        return min(position.overflow ? ms : position.partialValue, max(ms, status.duration.ms ?? .max))
    }

    /// Returns the ms until the next second of the book, but at least 250; `nil` while nothing moves.
    private func nextChange(_ status: Status, _ position: Int64?) -> Int32? {
        guard Self.isMoving(status), let position, position < status.duration.ms ?? .max else { return nil }
        let untilNext = Double(1000 - position % 1000) / status.rate
        return Int32(max(250, min(10_000, untilNext.rounded(.up))))
    }

    private static func isMoving(_ status: Status) -> Bool {
        status.status == "playing" && status.rate > 0.01 && status.rate < 100
    }

    private static func columns() -> Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    // MARK: - Keys

    func key(_ key: Key) -> SessionCommand? {
        remark = nil
        switch key {
        case .space: return .toggle
        case .left: return .skip(forward: false)
        case .right: return .skip(forward: true)
        case .previousChapter: return .chapter("previous")
        case .nextChapter: return .chapter("next")
        case .up, .down:
            let volume = Self.step(wantedVolume ?? status?.volume ?? 1, by: key == .up ? 5 : -5, Limits.volume)
            wantedVolume = volume
            return .volume(volume)
        case .slower, .faster:
            let rate = Self.step(wantedRate ?? status?.rate ?? 1, by: key == .faster ? 10 : -10, Limits.rate)
            wantedRate = rate
            return .rate(rate)
        case .quit: return nil
        }
    }

    /// Steps in hundredths, so that ten steps up and ten steps down end at the same value.
    private static func step(_ value: Double, by hundredths: Double, _ limits: ClosedRange<Double>) -> Double {
        min(limits.upperBound, max(limits.lowerBound, ((value * 100).rounded() + hundredths) / 100))
    }
}
