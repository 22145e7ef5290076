// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import Glibc

/// What a case's process says of itself, in a page that outlives it: which call of the engine runs, and how the case went.
///
/// Foreign code runs where it is written, so what is read from it is checked.
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
        // On both sides: an author may hand a file of his own to look at one case.
        if ftruncate(descriptor, off_t(Self.size)) != 0 { throw SystemError("ftruncate") }
        guard let page = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), page != MAP_FAILED
        else { throw SystemError("mmap") }
        self.page = page
    }

    deinit { munmap(page, Self.size) }

    /// The call of the engine that runs, if one does.
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

    /// nil before it is finished.
    var result: (outcome: CaseResult.Outcome, detail: String)? {
        let index = page.load(fromByteOffset: Self.outcomeOffset, as: UInt32.self)
        guard (1...3).contains(index) else { return nil }
        let length = page.load(fromByteOffset: Self.lengthOffset, as: UInt32.self)
        let count = min(Int(length), Self.size - Self.textOffset)
        let text = UnsafeRawBufferPointer(start: page + Self.textOffset, count: count)
        return (Self.outcomes[Int(index) - 1], String(decoding: text, as: UTF8.self))
    }
}

/// A call of the contract, for saying where a process ended.
enum ContractCall: UInt32, Sendable {
    case open = 1
    case entry, create, destroy, load, unload, media, track, chapter, render, seek, errorMessage, getExtension
    case setRate, voices, measure, setRange, cover

    /// As in the header.
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
