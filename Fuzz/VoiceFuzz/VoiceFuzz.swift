// SPDX-License-Identifier: Apache-2.0

import Glibc
import ONNXMetadata

@testable import PiperVoices

/// Reads bytes as a voice's configuration, its model, its card and its description; the last byte says which.
///
/// Whatever they are, reading returns or throws one line, and what the runtime gets of them is as it wants it.
@c(LLVMFuzzerTestOneInput)
public func readVoice(data: UnsafePointer<UInt8>?, size: Int) -> Int32 {
    var bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
    guard let choice = bytes.popLast() else { return 0 }
    switch choice & 3 {
    case 0: checkConfig(bytes)
    case 1: checkModel(bytes)
    case 2:
        let license = PiperVoice.license(inModelCard: String(decoding: bytes, as: UTF8.self))
        if let license, license.isEmpty || license.count > 200 { fatalError("a licence that cannot be: \(license)") }
    default:
        VoiceFile.shared.fill(bytes)
        if let voice = PiperVoice(describedIn: VoiceFile.folder, name: "voice") {
            _ = voice.description()
            _ = voice.isComplete(in: VoiceFile.folder)
        }
    }
    return 0
}

private func checkConfig(_ bytes: [UInt8]) {
    do throws(PiperVoiceFailure) {
        let config = try PiperConfig(json: bytes)
        // The runtime ends its process at a list that it cannot read.
        let lines = config.tokens.split(separator: 0x0A)
        guard lines.count == config.symbols.count, lines.allSatisfy({ $0.count >= 3 && $0.count <= 10 }) else {
            fatalError("a list of sounds that cannot be read")
        }
        for pair in config.metadata where pair.value.utf8.contains(where: { $0 < 0x20 }) {
            fatalError("metadata of more than a line: \(pair)")
        }
    } catch {
        guard !error.description.utf8.contains(where: { $0 < 0x20 }) else { fatalError("more than a line: \(error)") }
    }
}

/// What is appended to a model is found in it.
private func checkModel(_ bytes: [UInt8]) {
    let file = VoiceFile.shared
    file.fill(bytes)
    guard (try? ONNXMetadata.read(file.path)) != nil else { return }
    let pairs = [(key: "rostrum.language", value: "en-US"), (key: "voice", value: "")]
    file.fill(bytes + ONNXMetadata.encoded(pairs))
    do throws(ONNXMetadata.Failure) {
        let found = try ONNXMetadata.read(file.path)
        guard pairs.allSatisfy({ found[$0.key] == $0.value }) else { fatalError("metadata is not found: \(found)") }
    } catch {
        guard error == .excessive else { fatalError("a model that was complete is not: \(error)") }
    }
}
