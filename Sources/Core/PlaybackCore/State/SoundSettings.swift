// SPDX-License-Identifier: Apache-2.0

/// The speed and the volume of what sounds.
public struct SoundSettings: Sendable, Codable, Hashable {
    public internal(set) var rate = 1.0
    public internal(set) var volume = 1.0
}
