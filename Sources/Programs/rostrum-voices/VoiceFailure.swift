// SPDX-License-Identifier: Apache-2.0

/// The reason why a command about voices failed, with the exit code of `sysexits.h`.
struct VoiceFailure: Error {
    var message: String
    var code: Int32

    init(_ message: String, _ code: Int32) {
        self.message = message
        self.code = code
    }

    static func usage(_ message: String) -> VoiceFailure { VoiceFailure(message, 64) }
    static func data(_ message: String) -> VoiceFailure { VoiceFailure(message, 65) }
    static func missing(_ message: String) -> VoiceFailure { VoiceFailure(message, 66) }
    static func unavailable(_ message: String) -> VoiceFailure { VoiceFailure(message, 69) }
    static func busy(_ message: String) -> VoiceFailure { VoiceFailure(message, 75) }
    static func disk(_ message: String) -> VoiceFailure { VoiceFailure(message, 74) }
}
