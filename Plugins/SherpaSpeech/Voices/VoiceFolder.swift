// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Glibc

/// The folder that holds the runtime and the voices.
struct VoiceFolder {
    let path: String

    /// Finds the folder: the one that the session names, or else the listener's.
    init?(environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
        func absolute(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let named = absolute("ROSTRUM_VOICES") {
            path = named
        } else if let data = absolute("XDG_DATA_HOME") ?? absolute("HOME").map({ $0 + "/.local/share" }) {
            path = data + "/rostrum/voices"
        } else {
            return nil
        }
    }

    /// The version of the runtime that the engine is made for.
    static let runtimeVersion = "2.0.1"

    var runtime: String { "\(path)/runtime/\(Self.runtimeVersion)/libsherpa-onnx-c-api.so" }

    /// Returns the voices in the folder, in order of their names.
    ///
    /// A voice that cannot be read is one of those that are broken, with what is the matter with it.
    func voices() -> (voices: [InstalledVoice], broken: [(name: String, complaint: String)]) {
        var (voices, broken): ([InstalledVoice], [(name: String, complaint: String)]) = ([], [])
        for name in names() {
            do throws(EngineFailure) {
                voices.append(try InstalledVoice(name: name, folder: "\(path)/\(name)"))
            } catch {
                broken.append((name, error.message))
            }
        }
        return (voices, broken)
    }

    /// Returns the names of the folders in which a model lies.
    private func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder), names.count < 1000 {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix("."), access("\(path)/\(name)/model.onnx", F_OK) == 0 { names.append(name) }
        }
        return names.sorted()
    }
}
