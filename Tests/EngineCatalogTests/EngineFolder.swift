// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for the engines of a test, removed with this object.
final class EngineFolder {
    let path: String

    init() throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/rostrum-test-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template), let real = realpath(made, nil) else { throw CocoaError(.fileWriteUnknown) }
        path = String(cString: real)
        free(real)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static let manifest: [String: any Sendable] = [
        "schema": 1, "id": "tone", "name": "Test tones", "version": "1.0.0", "vendor": "Rostrum",
        "license": "Apache-2.0", "abi": "1.0", "module": "tone.so", "kinds": ["audio"], "extensions": ["WAV"],
    ]

    /// Makes `ID.engine` with a manifest changed by `changes` (NSNull removes) and an empty module.
    @discardableResult
    func add(_ id: String = "tone", _ changes: [String: Any] = [:]) throws -> String {
        let folder = "\(path)/\(id).engine"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        let manifest = (Self.manifest as [String: Any]).merging(changes) { $1 }.filter { !($0.value is NSNull) }
        try JSONSerialization.data(withJSONObject: manifest).write(to: URL(fileURLWithPath: folder + "/manifest.json"))
        try Data().write(to: URL(fileURLWithPath: folder + "/tone.so"))
        for file in ["manifest.json", "tone.so"] { chmod("\(folder)/\(file)", 0o644) }
        return folder
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        chmod("\(path)/\(name)", 0o644)
    }
}
