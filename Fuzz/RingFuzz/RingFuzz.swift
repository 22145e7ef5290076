// SPDX-License-Identifier: Apache-2.0

import EngineTransport

/// Interprets bytes as what an engine does to the ring that it shares with the session, and as what the session's
/// reader does in the meantime.
///
/// Whatever is written, the blocks that the reader returns lie within the ring.
@c(LLVMFuzzerTestOneInput)
public func disturbRing(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    do throws(SystemError) {
        var ring = try HostileRing(Choices(UnsafeBufferPointer(start: data, count: size)))
        ring.run()
    } catch {
        fatalError("no ring: \(error)")
    }
    return 0
}

/// The input, from which choices are drawn until it is used up.
struct Choices {
    private var rest: UnsafeBufferPointer<UInt8>.SubSequence

    init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes[...] }

    var areOver: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func word() -> UInt64 { (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) } }

    /// Returns a number that is mostly small, as real ones are.
    mutating func number() -> UInt64 { word() >> UInt64(byte() % 64) }
}
