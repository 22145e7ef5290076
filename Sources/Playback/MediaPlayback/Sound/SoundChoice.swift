// SPDX-License-Identifier: Apache-2.0

/// The sound options that the user chose, and whether the stored choice of earlier sessions was read.
struct SoundChoice {
    private(set) var overrides = SoundOverrides()
    /// `true` if the stored choice was read; one that was not must not be overwritten, since it may contain more.
    private(set) var isRead = false
    /// `true` if reading it was tried: a library that does not answer must not delay every sound.
    private(set) var isTried = false

    mutating func change(_ body: (inout SoundOverrides) -> Void) { body(&overrides) }

    mutating func tried() { isTried = true }

    /// Takes over the stored choice; what was chosen before it could be read stands.
    mutating func restore(_ text: String?) {
        guard !isRead else { return }
        isRead = true
        overrides = SoundOverrides(text: text ?? "").overridden(by: overrides)
    }
}
