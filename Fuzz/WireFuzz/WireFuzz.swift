// SPDX-License-Identifier: Apache-2.0

import EngineTransport

/// Takes bytes for messages of an engine, and of a session.
///
/// Whatever they are, decoding throws or returns. What it returns is encoded and comes back as it was.
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

/// As bytes: a rate that is no number is not equal to itself.
private func check(_ encoded: [UInt8], _ again: (ArraySlice<UInt8>) -> [UInt8]?) {
    guard again(encoded[...]) == encoded else { fatalError("a message changed on its way: \(encoded)") }
}
