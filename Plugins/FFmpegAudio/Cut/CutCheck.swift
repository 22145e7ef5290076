// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineABI
import EngineSDK
import Glibc

/// A comparison of a copied passage with its source, as both decode.
///
/// Files in the wild state false lengths and break rules of their formats, so a copy is not believed before it was heard.
struct CutCheck {
    let source: OpenTrack
    let order: CutOrder
    let host: Host

    /// The number of seconds that are compared at either end.
    private static let seconds = 0.5
    /// The power of a difference, in proportion to that of the sound, from which on it is more than another noise.
    private static let tolerance = 0.05

    private var length: Int64 { order.end - order.start }

    /// Returns why the copy is not the passage, or `nil` if it is.
    func fault() throws(EngineFailure) -> String? {
        let file = order.file
        let host = host
        let copy: OpenTrack
        do throws(EngineFailure) {
            copy = try OpenTrack(index: order.startTrack, host: host) { () throws(EngineFailure) in
                let own = fcntl(file, F_DUPFD_CLOEXEC, 3)
                guard own >= 0 else { throw EngineFailure(ROSTRUM_ERROR_IO, "cannot read the cut again") }
                return try Container(source: DescriptorSource(descriptor: own, host: host, name: "the cut"), hint: "")
            }
        } catch {
            guard error.code != ROSTRUM_ERROR_INTERRUPTED else { throw error }
            return error.message
        }
        guard copy.sampleRate == source.sampleRate, copy.channels == source.channels else { return "another format" }
        let count = Int(min(length, Int64(Double(source.sampleRate) * Self.seconds)))
        // Both are read at the start as playing does, and at the end behind a seek.
        if let fault = try compare(copy, from: 0, count: count) { return "\(fault) at its start" }
        let tail = length - Int64(count)
        let found = try Self.read(copy, from: tail, count: count + 1)
        guard found.count == count * Int(copy.channels) else {
            return "it ends \(found.count / max(1, Int(copy.channels)) - count) frames late"
        }
        if let fault = try compare(copy, from: tail, count: count) { return "\(fault) at its end" }
        return nil
    }

    private func compare(_ copy: OpenTrack, from start: Int64, count: Int) throws(EngineFailure) -> String? {
        let margin = 2
        let heard = try Self.read(copy, from: start, count: count)
        // With samples around, in which the same sound may be found if it lies wrong.
        let from = max(0, order.start + start - Int64(margin))
        let before = Int(order.start + start - from)
        let meant = try Self.read(source, from: from, count: count + before + margin)
        let channels = Int(copy.channels)
        guard heard.count == count * channels, meant.count >= (count + before) * channels else {
            return "samples are missing"
        }
        func difference(_ shift: Int) -> Double? {
            let first = (before + shift) * channels
            guard first >= 0, first + heard.count <= meant.count else { return nil }
            var sum = 0.0
            for index in heard.indices {
                let difference = Double(heard[index] - meant[first + index])
                sum += difference * difference
            }
            return sum
        }
        let power = heard.reduce(0.0) { $0 + Double($1) * Double($1) }
        let quiet = 1e-9 * Double(heard.count)
        guard let here = difference(0) else { return "samples are missing" }
        if here <= quiet { return nil }
        let isBest = [-2, -1, 1, 2].compactMap(difference).allSatisfy { here <= $0 }
        return here <= Self.tolerance * power && isBest ? nil : "it differs"
    }

    private static func read(_ track: OpenTrack, from start: Int64, count: Int) throws(EngineFailure) -> [Float] {
        try track.seek(to: start)
        let channels = Int(track.channels)
        let wanted = count * channels
        var samples: [Float] = []
        let capacity = 32 * 1024
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        defer { buffer.deallocate() }
        while samples.count < wanted {
            var block = Block(samples: buffer, capacity: capacity)
            let goesOn = try track.fill(&block)
            guard block.frames == 0 || block.channels == channels else { break }
            samples += UnsafeBufferPointer(start: buffer, count: block.frames * channels)
            if !goesOn { break }
        }
        return Array(samples.prefix(wanted))
    }
}
