// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Content that is broken in the ways of disks, networks and people.
enum BadContent {
    /// Returns broken variants of good material, each with a name.
    static func all(of material: Material) -> [(name: String, material: Material)] {
        guard case .bytes(let good)? = material.sources.first else {
            return [("empty", material.with(.bytes([]))), ("random bytes", material.with(.bytes(random(3000))))]
        }
        var mangled = good
        for (index, byte) in random(good.count / 50).enumerated() where index * 50 < good.count {
            mangled[index * 50] = byte
        }
        return [
            ("empty", material.with(.bytes([]))),
            ("one byte", material.with(.bytes([0x52]))),
            ("random bytes", material.with(.bytes(random(3000)))),
            ("zeros", material.with(.bytes([UInt8](repeating: 0, count: 3000)))),
            ("cut off in its head", material.with(.bytes(Array(good.prefix(20))))),
            ("cut off in the middle", material.with(.bytes(Array(good.prefix(good.count / 2 + 1))))),
            ("with wrong bytes in it", material.with(.bytes(mangled))),
            (
                material.isAudio ? "text" : "audio",
                material.with(.bytes(material.isAudio ? Prose.bytes : Array(Signal.wav(track: 1).prefix(30_000))))
            ),
            ("empty, through a pipe", material.with(.pipe([]))),
        ]
    }

    /// Returns pseudorandom bytes, the same each time (xorshift).
    private static func random(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }
}
