// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlaybackCore

/// The speed at which texts are spoken, learned from what was heard, for each engine, voice and language.
///
/// It is counted in bytes a second at rate 1, since that is how an engine states its own estimate. Pauses, and what is left
/// out, are part of it.
struct SpeechPaces {
    /// The circumstances on which a pace depends.
    struct Key: Hashable {
        var engine: EngineID
        /// `nil` for the engine's own choice.
        var voice: String?
        /// The first part of a language tag; `nil` if nothing tells the language.
        var language: String?

        init(engine: EngineID, voice: String?, language: String?) {
            self.engine = engine
            self.voice = voice
            self.language = language?.split(separator: "-").first.map { $0.lowercased() }
        }

        fileprivate var words: [String] { [engine.rawValue, voice ?? "", language ?? ""] }
    }

    private struct Heard: Equatable {
        var bytes: Double
        var seconds: Double
    }

    /// The seconds for which an engine's estimate counts, so that the first sentences do not decide everything.
    private static let trust = 20.0
    /// The seconds that are remembered; older ones count less and less.
    private static let memory = 3600.0
    /// The range of plausible measurements, as shares of the estimate; outside of it something was skipped.
    private static let plausible = 0.25...4.0
    private static let most = 64

    private var heard: [Key: Heard] = [:]
    /// The keys in the order of use; the most recently used one is last.
    private var order: [Key] = []
    /// The place of the last measurement.
    private var last: (generation: UInt32, units: Int64, time: Int64, rate: Double)?
    /// `true` once what earlier sessions learned was read.
    private(set) var isRead = false
    /// `true` if something was learned that is not stored.
    private(set) var isUnsaved = false

    /// Returns the bytes a second at rate 1; the engine's estimate while nothing better is known.
    func bytesPerSecond(_ key: Key, estimate: Double) -> Double {
        guard let known = heard[key], estimate > 0 else { return estimate }
        return (estimate * Self.trust + known.bytes) / (Self.trust + known.seconds)
    }

    /// Ends a stretch of speech: what comes next is measured from its own beginning.
    mutating func pause() { last = nil }

    /// Takes a place that is audible at a time in nanoseconds, while nothing but speech was between it and the last one.
    ///
    /// - Parameter estimate: The engine's estimate, in bytes a second at rate 1.
    /// - Returns: `true` if something was learned.
    mutating func note(
        _ units: Int64, at time: Int64, generation: UInt32, rate: Double, of key: Key, estimate: Double
    ) -> Bool {
        defer { last = (generation, units, time, rate) }
        guard let last, last.generation == generation, last.rate == rate, rate > 0, estimate > 0 else { return false }
        let seconds = Double(time - last.time) / 1e9 * rate
        let bytes = Double(units - last.units)
        guard seconds > 0, bytes > 0, Self.plausible.contains(bytes / seconds / estimate) else { return false }
        var sum = heard[key] ?? Heard(bytes: 0, seconds: 0)
        sum.bytes += bytes
        sum.seconds += seconds
        let surplus = sum.seconds / Self.memory
        if surplus > 1 { (sum.bytes, sum.seconds) = (sum.bytes / surplus, sum.seconds / surplus) }
        keep(sum, key)
        isUnsaved = true
        return true
    }

    private mutating func keep(_ sum: Heard, _ key: Key) {
        heard[key] = sum
        if order.last != key {
            order.removeAll { $0 == key }
            order.append(key)
        }
        if order.count > Self.most { heard[order.removeFirst()] = nil }
    }

    // MARK: Storing

    private struct Stored: Codable {
        var key: [String]
        var bytes: Double
        var seconds: Double
    }

    /// Returns the form in which the paces are stored, as JSON.
    mutating func stored() -> String {
        isUnsaved = false
        let rows = order.compactMap { key in
            heard[key].map {
                Stored(key: key.words, bytes: $0.bytes.rounded(), seconds: ($0.seconds * 10).rounded() / 10)
            }
        }
        return (try? JSONEncoder().encode(rows)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    /// Takes over what earlier sessions learned; what this one has learned already counts as well.
    mutating func restore(_ text: String?) {
        guard !isRead else { return }
        isRead = true
        let rows = (try? JSONDecoder().decode([Stored].self, from: Data((text ?? "").utf8))) ?? []
        let (own, ownOrder) = (heard, order)
        (heard, order) = ([:], [])
        for row in rows.suffix(Self.most)
        where row.key.count == 3 && row.bytes > 0 && row.bytes < 1e9 && row.seconds > 0 && row.seconds <= Self.memory {
            keep(
                Heard(bytes: row.bytes, seconds: row.seconds),
                Key(
                    engine: EngineID(row.key[0]), voice: row.key[1].isEmpty ? nil : row.key[1],
                    language: row.key[2].isEmpty ? nil : row.key[2]))
        }
        for key in ownOrder {
            guard let more = own[key] else { continue }
            let known = heard[key] ?? Heard(bytes: 0, seconds: 0)
            keep(Heard(bytes: known.bytes + more.bytes, seconds: known.seconds + more.seconds), key)
        }
    }
}
