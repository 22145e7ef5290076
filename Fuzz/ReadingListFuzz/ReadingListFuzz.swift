// SPDX-License-Identifier: Apache-2.0

import Glibc

@testable import ReadingList

/// Takes bytes as an entry of the reading list, and as an address with a media type behind a line feed.
///
/// Whatever they are, a listed entry leads to a file in the folder of the list, and a name leads out of none.
@c(LLVMFuzzerTestOneInput)
public func readEntry(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    let folder = EntryFolder.shared
    folder.fill(bytes)
    let list = ReadingListFolder(path: folder.path)
    for entry in list.entries() where entry.file.utf8.contains(slash) || entry.id != EntryFolder.id {
        fatalError("an entry that leads elsewhere: \(entry)")
    }
    let parts = bytes.split(separator: 0x0A, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    guard let url = parts.first else { return 0 }
    let suffix = DocumentName.suffix(contentType: parts.count > 1 ? parts[1] : nil, url: url)
    let name = DocumentName.name(of: url, suffix: suffix)
    guard !suffix.isEmpty, !suffix.utf8.contains(slash), !name.utf8.contains(slash), !name.isEmpty else {
        fatalError("a name that leads elsewhere: \(name)")
    }
    checkCredentials(ReadingList.withoutCredentials(url))
    return 0
}

private let slash = UInt8(ascii: "/")

private func checkCredentials(_ url: String) {
    guard let mark = url.utf8.firstRange(of: "://".utf8) else { return }
    let authority = url.utf8[mark.upperBound...].prefix { ![slash, UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
    guard !authority.contains(UInt8(ascii: "@")) else { fatalError("credentials are left: \(url)") }
}
