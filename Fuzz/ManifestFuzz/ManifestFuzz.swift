// SPDX-License-Identifier: Apache-2.0

@testable import EngineCatalog

/// Parses bytes as an engine's `manifest.json`, and as a libtool archive.
///
/// Whatever they are, parsing throws or returns, and the contents of a manifest have been checked.
@c(LLVMFuzzerTestOneInput)
public func takeManifest(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    do throws(Manifest.Fault) {
        let manifest = try Manifest(json: bytes)
        _ = manifest.abiMajor
        _ = manifest.isCopyleft
        let lines = [manifest.name, manifest.version, manifest.vendor, manifest.license, manifest.abi, manifest.module]
        guard (1...32).contains(manifest.id.utf8.count), !manifest.kinds.isEmpty, lines.allSatisfy(isLine) else {
            fatalError("not checked: \(manifest)")
        }
    } catch {
        guard isLine(error.reason) else { fatalError("more than a line: \(error.reason)") }
    }
    _ = LibtoolArchive.candidates(bytes, folder: "/engines/x.engine")
    return 0
}

private func isLine(_ text: String) -> Bool {
    text.utf8.count <= 1024 && !text.utf8.contains { $0 < 0x20 }
}
