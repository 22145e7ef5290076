// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import Glibc

/// The report of a case's process, in a page that outlives it: the current call of the engine, and the result of the
/// case.
///
/// Foreign code runs in the process that writes the page, so everything that is read from it is checked.
final class CaseReport: @unchecked Sendable /* an address; written by one thread of one process */ {
    private let page: UnsafeMutableRawPointer
    private static let size = 8192
    private static let callOffset = 0
    private static let outcomeOffset = 4
    private static let lengthOffset = 8
    private static let textOffset = 12
    private static let outcomes: [CaseResult.Outcome] = [.passed, .failed, .skipped]

    /// Maps `descriptor`, which may be closed afterwards.
    init(_ descriptor: Int32) throws(SystemError) {
        // Both sides set the size, because an author who examines one case may provide a file of their own.
        if ftruncate(descriptor, off_t(Self.size)) != 0 { throw SystemError("ftruncate") }
        guard let page = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), page != MAP_FAILED
        else { throw SystemError("mmap") }
        self.page = page
    }

    deinit { munmap(page, Self.size) }

    /// The current call of the engine, or `nil` between calls.
    var call: ContractCall? {
        get { ContractCall(rawValue: page.load(fromByteOffset: Self.callOffset, as: UInt32.self)) }
        set { page.storeBytes(of: newValue?.rawValue ?? 0, toByteOffset: Self.callOffset, as: UInt32.self) }
    }

    func finish(_ outcome: CaseResult.Outcome, _ detail: String) {
        let bytes = Array(detail.utf8.prefix(Self.size - Self.textOffset))
        (page + Self.textOffset).copyMemory(from: bytes, byteCount: bytes.count)
        page.storeBytes(of: UInt32(bytes.count), toByteOffset: Self.lengthOffset, as: UInt32.self)
        let index = Self.outcomes.firstIndex(of: outcome) ?? 1
        page.storeBytes(of: UInt32(index + 1), toByteOffset: Self.outcomeOffset, as: UInt32.self)
    }

    /// The result, or `nil` before the case is finished.
    var result: (outcome: CaseResult.Outcome, detail: String)? {
        let index = page.load(fromByteOffset: Self.outcomeOffset, as: UInt32.self)
        guard (1...3).contains(index) else { return nil }
        let length = page.load(fromByteOffset: Self.lengthOffset, as: UInt32.self)
        let count = min(Int(length), Self.size - Self.textOffset)
        let text = UnsafeRawBufferPointer(start: page + Self.textOffset, count: count)
        return (Self.outcomes[Int(index) - 1], String(decoding: text, as: UTF8.self))
    }
}

/// A call of the contract, which tells where a process ended.
enum ContractCall: UInt32, Sendable {
    case open = 1
    case entry, create, destroy, load, unload, media, track, chapter, render, seek, errorMessage, getExtension
    case setRate, voices, measure, setRange, cover, cut, peaks

    /// The name in the header.
    var name: String {
        switch self {
        case .open: "the opening of the module"
        case .entry: "rostrum_engine_entry"
        case .errorMessage: "error_message"
        case .getExtension: "get_extension"
        case .setRate: "set_rate"
        case .setRange: "set_range"
        default: "\(self)"
        }
    }
}
