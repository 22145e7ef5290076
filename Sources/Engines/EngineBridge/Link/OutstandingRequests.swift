// SPDX-License-Identifier: Apache-2.0

import EngineTransport

/// The requests that an engine has not answered, each with its deadline and the parts of its answer that have arrived.
///
/// Times are in nanoseconds.
struct OutstandingRequests {
    enum Kind {
        case load, describe, measure, measureLater, cover, cut, peaks, voices, ping, other

        /// `true` if the request gives way to sound, so that it may take long without harm.
        var mayBeLate: Bool { self == .describe || self == .measureLater }
        /// `true` if an engine that works on the request need not render meanwhile.
        var delaysSound: Bool { !mayBeLate && self != .ping }
        fileprivate var isMeasurement: Bool { self == .measure || self == .measureLater }
    }

    private struct Request {
        var kind: Kind
        var deadline: UInt64
        var allowance: UInt64
        var completion: EngineLink.Completion
        /// The track of `measure` and `measureLater`.
        var track: UInt32?
        var index: [UInt8] = []
        /// The bytes of `cover` that have arrived, and their total number.
        var picture: (bytes: [UInt8], total: UInt32) = ([], 0)
        /// The number of peaks that `peaks` asks for.
        var peakCount = 0
        /// The voices that have arrived.
        var voices: [WireVoice] = []
    }

    /// The caller that waits for an answer.
    enum Asker {
        case waiting(EngineLink.Completion)
        /// Whoever asked was told that the answer is late.
        case gone
        case nobody
    }

    private var last: UInt32 = 0
    private var requests: [UInt32: Request] = [:]
    /// The requests whose answers nobody waits for any more.
    private var abandoned: Set<UInt32> = []

    /// Adds a request, and returns its number.
    mutating func add(
        _ kind: Kind, track: UInt32? = nil, at now: UInt64, allowance: UInt64,
        _ completion: @escaping EngineLink.Completion
    ) -> UInt32 {
        last &+= 1
        requests[last] = Request(
            kind: kind, deadline: now &+ allowance, allowance: allowance, completion: completion, track: track)
        return last
    }

    /// Returns the kind of a request, or `nil` if nobody waits for its answer.
    func kind(of number: UInt32) -> Kind? { requests[number]?.kind }

    /// `true` if the engine works on something that need not leave it time to render.
    var delaySound: Bool { requests.values.contains { $0.kind.delaysSound } }

    /// `true` if the engine may use much processor time: it measures in the background, or cuts.
    var includeLongWork: Bool { requests.values.contains { $0.kind == .measureLater || $0.kind == .cut } }

    // MARK: Answers

    /// Removes a request that is answered, and returns who waits for the answer.
    mutating func takeAsker(of number: UInt32) -> Asker {
        if abandoned.remove(number) != nil { return .gone }
        return requests.removeValue(forKey: number).map { .waiting($0.completion) } ?? .nobody
    }

    /// Removes all requests, and returns what to call for each.
    mutating func takeAll() -> [EngineLink.Completion] {
        defer { requests = [:] }
        return requests.values.map(\.completion)
    }

    /// Returns `true` if the number is that of a measurement, or of a request that was given up.
    func expectMeasurement(_ number: UInt32) -> Bool {
        requests[number]?.kind.isMeasurement ?? false || abandoned.contains(number)
    }

    /// Adds a part of an index, and returns `false` if it cannot be a part of what was asked for.
    mutating func addIndexPart(_ number: UInt32, total: UInt32, _ part: [UInt8]) -> Bool {
        guard expectMeasurement(number), !part.isEmpty, total <= Limits.index,
            (requests[number]?.index.count ?? 0) + part.count <= total
        else { return false }
        requests[number]?.index += part
        return true
    }

    /// Returns the index that a measurement produced, with its track; `nil` if there is none.
    func index(_ number: UInt32) -> (track: UInt32, bytes: [UInt8])? {
        guard let request = requests[number], let track = request.track, !request.index.isEmpty else { return nil }
        return (track, request.index)
    }

    /// Adds a part of a picture, and returns `false` if it cannot be a part of what was asked for.
    mutating func addPicturePart(_ number: UInt32, total: UInt32, _ part: [UInt8]) -> Bool {
        guard let request = requests[number], request.kind == .cover, total <= Limits.cover,
            request.picture.bytes.isEmpty || request.picture.total == total, !part.isEmpty,
            request.picture.bytes.count + part.count <= total
        else { return false }
        requests[number]?.picture.total = total
        requests[number]?.picture.bytes += part
        return true
    }

    /// Returns the bytes of a picture, which are none if the track has none; `nil` if that is not what has arrived.
    func picture(_ number: UInt32, isThere: Bool) -> [UInt8]? {
        guard let request = requests[number], request.kind == .cover,
            request.picture.bytes.count == request.picture.total, request.picture.bytes.isEmpty != isThere
        else { return nil }
        return request.picture.bytes
    }

    /// Notes how many peaks a request asks for.
    mutating func expectPeaks(_ number: UInt32, count: Int) { requests[number]?.peakCount = count }

    /// Returns `true` if a request may be answered with that many peaks.
    func allowPeaks(_ number: UInt32, count: Int) -> Bool {
        guard let request = requests[number] else { return false }
        return request.kind == .peaks && count <= request.peakCount
    }

    /// Adds voices, and returns `false` if they were not asked for, or are too many.
    mutating func addVoices(_ number: UInt32, _ voices: [WireVoice]) -> Bool {
        guard let request = requests[number], request.kind == .voices,
            request.voices.count + voices.count <= Limits.voices
        else { return false }
        requests[number]?.voices += voices
        return true
    }

    /// Returns the voices that have arrived for a request.
    func voices(_ number: UInt32) -> [WireVoice] { requests[number]?.voices ?? [] }

    // MARK: Time

    /// The time at which the first request is late, or `nil` if there is no request.
    var deadline: UInt64? { requests.values.map(\.deadline).min() }

    /// Gives all requests as much more time.
    mutating func prolong(by time: UInt64) {
        for number in requests.keys { requests[number]?.deadline &+= time }
    }

    /// Notes that the engine has found out about another track, which restarts the time for the rest of them.
    mutating func noteDescription(at now: UInt64) {
        for (number, request) in requests where request.kind == .describe {
            requests[number]?.deadline = now &+ request.allowance
        }
    }

    /// Returns the kind of the first request that is late and may not be, or `nil` if there is none.
    func overdue(at now: UInt64) -> Kind? {
        requests.filter { $0.value.deadline <= now && !$0.value.kind.mayBeLate }
            .min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }?.value.kind
    }

    /// Gives up the requests that are late and may be, and returns what to call for each.
    mutating func giveUp(at now: UInt64) -> [EngineLink.Completion] {
        let late = requests.filter { $0.value.deadline <= now && $0.value.kind.mayBeLate }
        for number in late.keys {
            requests[number] = nil
            abandoned.insert(number)
        }
        return late.values.map(\.completion)
    }
}
