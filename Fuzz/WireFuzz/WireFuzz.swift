// SPDX-License-Identifier: Apache-2.0

import EngineTransport

/// Decodes bytes as a message from an engine, and as one from a session.
///
/// Whatever they are, decoding throws or returns. A decoded message survives encoding and decoding unchanged.
@c(LLVMFuzzerTestOneInput)
public func takeMessage(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    if let message = try? EngineMessage(decoding: bytes[...]) {
        check(message.encoded()) { try? EngineMessage(decoding: $0).encoded() }
    }
    if let message = try? HostMessage(decoding: bytes[...]) {
        check(message.encoded()) { try? HostMessage(decoding: $0).encoded() }
    }
    return 0
}

/// Compares as bytes, because a rate that is NaN is not equal to itself.
private func check(_ encoded: [UInt8], _ again: (ArraySlice<UInt8>) -> [UInt8]?) {
    guard again(encoded[...]) == encoded else { fatalError("a message changed on its way: \(encoded)") }
}
