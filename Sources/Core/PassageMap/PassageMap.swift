// SPDX-License-Identifier: Apache-2.0

/// The grade of what is known about where a passage of a text is in its recording.
public enum PassageGrade: String, Hashable, Sendable, Codable, CaseIterable {
    /// The document states it (a media overlay).
    case exact
    /// The recording was compared with the text, sentence by sentence.
    case aligned
    /// It lies between two places that are known, such as chapters.
    case anchored
    /// It lies as far into the recording as into the text.
    case proportional
    /// Nothing is known.
    case unknown
}

/// The passages of a text in its recording: the way from a time of the book to a byte of the text, and back.
///
/// Times are seconds of the book, over all of its files, places in the text are bytes, and intervals are half-open. Within a
/// passage both pass evenly.
public struct PassageMap: Hashable, Sendable {
    /// A stretch of the recording and the stretch of the text that is said in it.
    ///
    /// One of them may be empty: an announcement that is not in the text, or text that was left out.
    public struct Passage: Hashable, Sendable {
        public var sound: Range<Double>
        public var text: Range<Int64>
        public var grade: PassageGrade
        /// The bound of the error at both ends, in seconds.
        public var error: Double

        public init(sound: Range<Double>, text: Range<Int64>, grade: PassageGrade, error: Double) {
            self.sound = sound
            self.text = text
            self.grade = grade
            self.error = error
        }
    }

    /// A place that was looked up.
    public struct Place<Value: Hashable & Sendable>: Hashable, Sendable {
        public var value: Value
        public var grade: PassageGrade
        /// The bound of the error in seconds, if the reader's pace varies by no more than ``PassageMap/pace``.
        public var error: Double
    }

    /// The share by which the pace of a reader may vary between two known places.
    ///
    /// It is an assumption, and so are the bounds that follow from it.
    public static let pace = 0.25

    /// The seconds by which a time may be too early that was rounded to a frame of the recording.
    ///
    /// A frame takes at most 0.125 ms (8 kHz), and nobody says a byte in less than 20 ms.
    fileprivate static let roundingError = 0.0002

    /// The passages in order, without gaps between them.
    public let passages: [Passage]

    /// Creates a map; passages that are not behind the one before them in both the recording and the text are left out.
    ///
    /// A gap between two passages becomes a passage of its own, of the grade `anchored`.
    public init(_ passages: some Sequence<Passage>) {
        var whole: [Passage] = []
        for passage in passages {
            guard passage.sound.lowerBound.isFinite, passage.sound.upperBound.isFinite,
                passage.error.isFinite, passage.error >= 0, !passage.sound.isEmpty || !passage.text.isEmpty
            else { continue }
            if let last = whole.last {
                guard passage.sound.lowerBound >= last.sound.upperBound,
                    passage.text.lowerBound >= last.text.upperBound
                else { continue }
                let gap = Passage(
                    sound: last.sound.upperBound..<passage.sound.lowerBound,
                    text: last.text.upperBound..<passage.text.lowerBound,
                    grade: last.grade == .proportional || passage.grade == .proportional ? .proportional : .anchored,
                    error: max(last.error, passage.error))
                if !gap.sound.isEmpty || !gap.text.isEmpty { whole.append(gap) }
            }
            whole.append(passage)
        }
        self.passages = whole
    }

    /// Creates a map in which the recording passes evenly from the first to the last byte that is said.
    public static func proportional(duration: Double, text: Range<Int64>) -> PassageMap {
        guard duration > 0, duration.isFinite, !text.isEmpty else { return PassageMap([]) }
        return PassageMap([Passage(sound: 0..<duration, text: text, grade: .proportional, error: announcement * 2)])
    }

    /// Creates a map from places that are known, such as the beginnings of chapters.
    ///
    /// - Parameters:
    ///   - anchors: The time and the byte of each, in order; those that are not behind the one before are left out.
    ///   - duration: The length of the recording in seconds.
    ///   - text: What is said of the text.
    public static func anchored(
        _ anchors: [(seconds: Double, byte: Int64)], duration: Double, text: Range<Int64>
    ) -> PassageMap {
        guard duration > 0, duration.isFinite, !text.isEmpty else { return PassageMap([]) }
        var known: [(seconds: Double, byte: Int64)] = []
        for anchor in anchors
        where anchor.seconds.isFinite && anchor.seconds >= known.last?.seconds ?? 0
            && anchor.byte >= known.last?.byte ?? text.lowerBound && anchor.seconds < duration
            && anchor.byte < text.upperBound
        {
            if let last = known.last, last.seconds == anchor.seconds || last.byte == anchor.byte { continue }
            known.append(anchor)
        }
        guard let first = known.first else { return proportional(duration: duration, text: text) }
        var passages: [Passage] = []
        if first.seconds > 0 || first.byte > text.lowerBound {
            passages.append(
                Passage(
                    sound: 0..<first.seconds, text: text.lowerBound..<first.byte, grade: .proportional,
                    error: announcement))
        }
        let ends = known.dropFirst() + [(seconds: duration, byte: text.upperBound)]
        for (start, end) in zip(known, ends) {
            passages.append(
                Passage(
                    sound: start.seconds..<end.seconds, text: start.byte..<end.byte, grade: .anchored,
                    error: announcement))
        }
        return PassageMap(passages)
    }

    /// The seconds that the announcement of a chapter may take, which is in the recording and perhaps not in the text.
    public static let announcement = 15.0

    /// The bytes of text in a second of reading, if nothing tells it.
    private static let usualPace = 15.0
    /// The seconds before the first passage, or behind the last, for which it still tells something.
    static let reach = 60.0

    /// The grade of most of the text.
    public var grade: PassageGrade {
        var sizes: [PassageGrade: Int64] = [:]
        for passage in passages { sizes[passage.grade, default: 0] += Int64(passage.text.count) }
        return PassageGrade.allCases.max { (sizes[$0] ?? 0) < (sizes[$1] ?? 0) }.flatMap {
            passages.isEmpty ? nil : $0
        } ?? .unknown
    }

    /// The share of the text whose times are exact or aligned, from 0 to 1.
    public var alignedShare: Double {
        let (whole, known) = passages.reduce(into: (0, 0)) { sums, passage in
            sums.0 += passage.text.count
            if passage.grade == .exact || passage.grade == .aligned { sums.1 += passage.text.count }
        }
        return whole > 0 ? Double(known) / Double(whole) : 0
    }

    /// The bytes of text that the reader says in a second, where that is known best; `nil` if nothing is known.
    public var bytesPerSecond: Double? {
        let best = passages.filter { $0.grade == .exact || $0.grade == .aligned }
        let (bytes, seconds) = (best.isEmpty ? passages : best).reduce(into: (0.0, 0.0)) { sums, passage in
            guard !passage.text.isEmpty, !passage.sound.isEmpty else { return }
            sums.0 += Double(passage.text.count)
            sums.1 += passage.sound.length
        }
        return bytes > 0 && seconds > 0 ? bytes / seconds : nil
    }

    /// Returns the byte of the text that is said at a time; `nil` if nothing is known.
    ///
    /// In what is not in the text, it is the byte behind.
    public func byte(at seconds: Double) -> Place<Int64>? {
        guard !passages.isEmpty, seconds.isFinite else { return nil }
        let seconds = seconds + Self.roundingError
        let index = first { $0.sound.upperBound > seconds } ?? passages.count - 1
        let passage = passages[index]
        let time = min(max(seconds, passage.sound.lowerBound), passage.sound.upperBound)
        let share = passage.sound.isEmpty ? 0 : (time - passage.sound.lowerBound) / passage.sound.length
        let bytes = Int64((Double(passage.text.count) * share).rounded(.down))
        return passage.place(
            passage.text.lowerBound + min(bytes, Int64(passage.text.count)), at: time, outside: abs(seconds - time))
    }

    /// Returns the time at which a byte of the text is said; `nil` if nothing is known.
    ///
    /// For text that was left out, it is the time of what follows.
    public func seconds(at byte: Int64) -> Place<Double>? {
        guard let start = passages.first?.text.lowerBound else { return nil }
        let before = max(0, start - byte)
        let byte = max(byte, start)
        let index = first { $0.text.upperBound > byte } ?? passages.count - 1
        let passage = passages[index]
        let place = min(max(byte, passage.text.lowerBound), passage.text.upperBound)
        let share = passage.text.isEmpty ? 0 : Double(place - passage.text.lowerBound) / Double(passage.text.count)
        let time = passage.sound.lowerBound + passage.sound.length * share
        // What is left out between two passages lies where the next one begins.
        let distance = before + (index == passages.count - 1 ? max(0, byte - passage.text.upperBound) : 0)
        return passage.place(time, at: time, outside: Double(distance) / (bytesPerSecond ?? Self.usualPace))
    }

    /// Returns the byte with which the missing beginning of a recording starts, at the pace of the rest.
    ///
    /// `nil` if nothing is known of the rest.
    ///
    /// - Parameters:
    ///   - seconds: The length of what is missing, before the first passage.
    ///   - start: The first byte that is said.
    public func byte(secondsAhead seconds: Double, from start: Int64) -> Place<Int64>? {
        guard let first = passages.first, let pace = bytesPerSecond, seconds.isFinite, seconds >= 0 else { return nil }
        let size = min(seconds * pace, Double(max(0, first.text.lowerBound)))
        return Place(
            value: max(start, first.text.lowerBound - Int64(size)), grade: .anchored,
            error: first.error + Self.pace * seconds)
    }

    /// Returns the text of which nothing is to be heard between two times, as far as it is known.
    public func text(in sound: Range<Double>) -> Range<Int64>? {
        guard let start = byte(at: sound.lowerBound), let end = byte(at: sound.upperBound),
            start.value < end.value
        else { return nil }
        return start.value..<end.value
    }

    /// Returns the index of the first passage of which a condition holds, which holds of all behind it, too.
    private func first(where condition: (Passage) -> Bool) -> Int? {
        var (low, high) = (0, passages.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(passages[middle]) { high = middle } else { low = middle + 1 }
        }
        return low < passages.count ? low : nil
    }
}

extension PassageMap.Passage {
    /// Returns a place in this passage for one that lies in it, or outside of all passages, nearest to this one.
    ///
    /// - Parameters:
    ///   - time: The time in this passage.
    ///   - distance: The seconds to the place that was asked for.
    fileprivate func place<Value>(_ value: Value, at time: Double, outside distance: Double) -> PassageMap.Place<Value>
    {
        guard distance > 2 * PassageMap.roundingError else {
            return PassageMap.Place(value: value, grade: grade, error: error(at: time))
        }
        let known: PassageGrade = grade == .proportional || grade == .unknown ? grade : .anchored
        return PassageMap.Place(
            value: value, grade: distance > PassageMap.reach ? .unknown : known, error: error(at: time) + distance)
    }

    /// Returns the bound of the error at a time in the passage.
    fileprivate func error(at time: Double) -> Double {
        switch grade {
        case .exact, .aligned: error
        case .anchored, .proportional, .unknown:
            error + PassageMap.pace * min(time - sound.lowerBound, sound.upperBound - time)
        }
    }
}

extension Range<Double> {
    fileprivate var length: Double { upperBound - lowerBound }
}
