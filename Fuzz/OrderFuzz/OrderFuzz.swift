// SPDX-License-Identifier: Apache-2.0

import DocumentOrders

/// Decodes bytes as each message between the session and the processes that read and fetch documents, and as the type that a
/// server states.
///
/// Whatever they are, decoding returns. A decoded message survives encoding and decoding unchanged, and so does a type.
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
    check(ContentType(String(decoding: bytes, as: UTF8.self)), ofBytes: size)
    return 0
}

private func check(_ type: ContentType, ofBytes size: Int) {
    for name in [type.name, type.charset].compactMap(\.self) {
        guard FetchReply.isName(name), name.utf8.count <= size else { fatalError("no name: \(name)") }
    }
    if let refusal = type.refusal {
        checkLine(refusal)
        guard !refusal.isEmpty, type.name != nil else { fatalError("refused for nothing: \(refusal)") }
    }
    let reply = FetchReply.fetched(contentType: type.name, charset: type.charset, address: "http://a/", bytes: 0)
    guard FetchReply(decoding: reply.encoded) == reply else { fatalError("a type changed on its way: \(type)") }
}

private func checkLine(_ text: String) {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { fatalError("more than a line: \(text)") }
}

private func check(_ encoded: [UInt8], _ again: ([UInt8]) -> [UInt8]?) {
    guard again(encoded) == encoded else {
        fatalError("a message changed on its way: \(String(decoding: encoded, as: UTF8.self))")
    }
}
