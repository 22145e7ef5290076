// SPDX-License-Identifier: Apache-2.0

/// The reason why a voice could not be prepared, in one line.
public enum PiperVoiceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The configuration is unusable.
    case config(String)
    /// The model is no complete ONNX file.
    case model(String)
    /// A file could not be read or written.
    case file(path: String, reason: String)
    /// A folder lies where the voice would go.
    case present(String)

    public var description: String {
        switch self {
        case .config(let reason): "the voice's configuration is unusable: \(reason)"
        case .model(let reason): "the voice's model is unusable: \(reason); get it again"
        case .file(let path, let reason): "\(path): \(reason)"
        case .present(let folder): "\(folder) is there already; remove that voice first"
        }
    }
}
