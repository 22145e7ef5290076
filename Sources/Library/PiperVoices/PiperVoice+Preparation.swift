// SPDX-License-Identifier: Apache-2.0

import Glibc
import ONNXMetadata

extension PiperVoice {
    /// Makes a voice for the engine out of what Piper publishes: a model, and the configuration beside it.
    ///
    /// The model gets the metadata that the runtime wants, and the list of its symbols becomes a file. The sources stay
    /// as they are. The folder appears when all of it is on the disk, or not at all.
    ///
    /// - Parameters:
    ///   - model: The path of the `.onnx` file.
    ///   - config: The path of the `.onnx.json` file.
    ///   - folder: The folder to make; its last part names the voice.
    ///   - license: The licence, in the words of the voice's maker.
    public static func prepare(
        model: String, config: String, into folder: String, license: String? = nil
    ) throws(PiperVoiceFailure) -> PiperVoice {
        let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        guard isName(name) else {
            throw .file(path: folder, reason: "“\(name)” cannot name a voice; use letters, digits, '-' and '_'")
        }
        let config = try PiperConfig(json: try FileBytes.read(config, limit: PiperConfig.limit).get())
        let extra = try metadata(lackingIn: model, config)
        var status = stat()
        guard lstat(folder, &status) != 0 else { throw .present(folder) }

        let parent = folder.dropLast(name.count)
        let unfinished = "\(parent).\(name).\(getpid())"
        guard mkdir(unfinished, 0o755) == 0 else { throw FileBytes.failure(unfinished) }
        do throws(PiperVoiceFailure) {
            try FileBytes.write("\(unfinished)/\(modelFile)", copying: model, then: extra)
            try FileBytes.write("\(unfinished)/\(tokensFile)", then: config.tokens)
            let voice = PiperVoice(
                name: name, language: config.language, languageName: config.languageName, quality: config.quality,
                speakers: config.speakers, sampleRate: config.sampleRate, license: license,
                modelBytes: FileBytes.size(of: "\(unfinished)/\(modelFile)") ?? 0)
            guard let description = voice.description() else { throw .config("it cannot be described") }
            try FileBytes.write("\(unfinished)/\(descriptionFile)", then: description)
            guard rename(unfinished, folder) == 0 else { throw FileBytes.failure(folder) }
            return voice
        } catch {
            for file in [modelFile, tokensFile, descriptionFile] { unlink("\(unfinished)/\(file)") }
            rmdir(unfinished)
            throw error
        }
    }

    /// Returns the bytes to append to a model, so that it has the metadata of its configuration.
    private static func metadata(lackingIn model: String, _ config: PiperConfig) throws(PiperVoiceFailure) -> [UInt8] {
        var status = stat()
        if stat(model, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw .file(path: model, reason: "not a regular file")
        }
        let present: [String: String]
        do throws(ONNXMetadata.Failure) {
            present = try ONNXMetadata.read(model)
        } catch {
            switch error {
            case .unreadable(let code):
                throw .file(path: model, reason: strerror(code).map { String(cString: $0) } ?? "error \(code)")
            case .malformed: throw .model("\(model) is not an ONNX file, or cut off")
            case .excessive: throw .model("\(model) has too much metadata")
            }
        }
        // What the model says of itself stays as it is.
        return ONNXMetadata.encoded(config.metadata.filter { present[$0.key] == nil })
    }
}
