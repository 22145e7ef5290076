// SPDX-License-Identifier: Apache-2.0

import EngineSDK

/// The voice for each language of a script.
struct PhraseVoices {
    /// The voice and the language that the listener asked for, and the language that the whole text appears to be in.
    let voice: String?
    let language: String?
    let suggestion: String?
    /// The language of the voice that is selected; `nil` for the one of the whole text.
    private var current: String?

    private let warn: (String) -> Void

    /// The voice of the whole text must be selected already.
    init(voice: String?, language: String?, suggestion: String?, warn: @escaping (String) -> Void) {
        self.voice = voice
        self.language = language
        self.suggestion = suggestion
        self.warn = warn
    }

    /// Selects the voice for a phrase in some language.
    ///
    /// The voice that the listener chose reads everything: they may know better than the text.
    mutating func select(for language: String?) throws(EngineFailure) {
        guard voice == nil, self.language == nil, language != current else { return }
        if let warning = try VoiceCatalog.select(voice: nil, language: language, suggestion: suggestion) {
            warn(warning)
        }
        current = language
    }
}
