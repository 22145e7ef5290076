// SPDX-License-Identifier: Apache-2.0

import CSherpa
import EngineABI
import EngineSDK
import Synchronization

/// The runtime sherpa-onnx, opened at run time.
///
/// It is no package of the system: the listener installs it with the first voice.
struct SherpaRuntime: @unchecked Sendable /* pointers to functions of a library that is never closed */ {
    let functions: csherpa_runtime
    let version: String

    /// The runtimes that were opened, by path: a library is opened once in a process.
    private static let opened = Mutex<[String: SherpaRuntime]>([:])

    static func open(_ path: String) throws(EngineFailure) -> SherpaRuntime {
        if let known = opened.withLock({ $0[path] }) { return known }
        var functions = csherpa_runtime()
        var reason = [CChar](repeating: 0, count: 300)
        let result = csherpa_open(path, &functions, &reason, reason.count)
        let words = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        switch result {
        case CSHERPA_OK: break
        case CSHERPA_NO_FILE:
            throw EngineFailure(
                NeuralSpeech.cannotSpeak,
                "the sherpa runtime is not installed; run `rostrum voices install en_US-joe-medium`")
        case CSHERPA_OTHER_VERSION:
            throw EngineFailure(
                NeuralSpeech.cannotSpeak,
                "the sherpa runtime at \(path) is version \(words), not \(VoiceFolder.runtimeVersion); "
                    + "run `rostrum voices install en_US-joe-medium`")
        default:
            throw EngineFailure(
                NeuralSpeech.cannotSpeak,
                "the sherpa runtime cannot be opened (\(words)); remove \(path), and install it again")
        }
        let runtime = SherpaRuntime(
            functions: functions, version: functions.version().map { String(cString: $0) } ?? "unknown")
        opened.withLock { $0[path] = runtime }
        return runtime
    }
}
