// SPDX-License-Identifier: Apache-2.0

import DocumentOrders

/// Decodes bytes as each message between the session and the processes that read and fetch documents.
///
/// Whatever they are, decoding returns. A decoded message survives encoding and decoding unchanged.
@c(LLVMFuzzerTestOneInput)
public func takeOrder(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    check(DocumentOrder(decoding: bytes).encoded) { DocumentOrder(decoding: $0).encoded }
    check(FetchOrder(decoding: bytes).encoded) { FetchOrder(decoding: $0).encoded }
    if let reply = DocumentReply(decoding: bytes) {
        check(reply.encoded) { DocumentReply(decoding: $0)?.encoded }
        if case .failed(_, let message) = reply { checkLine(message) }
        if case .read(let warnings, let pronunciations) = reply { (warnings + pronunciations).forEach(checkLine) }
    }
    if let reply = FetchReply(decoding: bytes) {
        check(reply.encoded) { FetchReply(decoding: $0)?.encoded }
        if case .failed(_, let message) = reply { checkLine(message) }
        if case .fetched(_, _, let address, _) = reply { checkLine(address) }
    }
    return 0
}

private func checkLine(_ text: String) {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { fatalError("more than a line: \(text)") }
}

private func check(_ encoded: [UInt8], _ again: ([UInt8]) -> [UInt8]?) {
    guard again(encoded) == encoded else {
        fatalError("a message changed on its way: \(String(decoding: encoded, as: UTF8.self))")
    }
}
