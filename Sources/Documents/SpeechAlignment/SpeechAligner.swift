// SPDX-License-Identifier: Apache-2.0

public import AlignmentFile
import CSpeechWarp

/// Aligns a recording with a text that an engine speaks, sentence by sentence.
///
/// It takes sound of both as they come, and looks at some minutes of either at a time, so it needs the same memory for a
/// book as for a page. What it has decided does not change any more. Decisions depend on the sound alone: an alignment that
/// is resumed ends as one that was never interrupted.
public struct SpeechAligner: Sendable {
    /// The sound that is needed before the next step.
    public enum Need: Sendable, Hashable {
        case text
        case recording
        /// Nothing: ``step()`` can decide something.
        case nothing
    }

    /// The frames of the recording that are looked at together: about two and a half minutes.
    static let recordedWindow = 150 * SpeechFrames.perSecond
    static let spokenWindow = 240 * SpeechFrames.perSecond
    /// The frames at the end of a window that are decided with the next one.
    static let margin = 20 * SpeechFrames.perSecond
    /// The frames of a recording that was lost that are looked at together.
    static let lostWindow = 300 * SpeechFrames.perSecond

    private var voice: VoiceCalibration?
    /// The frames of passages until the voice is known.
    private var unheard: [SpokenFrames] = []
    private var unheardFrames = 0
    var passages: [(range: Range<Int>, frames: SpeechFrames)] = []
    /// The passages that are decided and may be said again.
    var recent: [RepeatedSearch.Passage] = []
    var spokenFrames = 0
    var isTextOver = false
    var recorded = SpeechFrames()
    /// The track of each recorded frame.
    var tracks: [Int32] = []
    var isRecordingOver = false
    private var segments: RecordedSegments?
    /// The track whose sound is taken.
    public private(set) var track = 0
    private var isDone = false
    /// `nil` until the voice is known.
    var state: AlignmentState?

    /// Creates an aligner.
    ///
    /// - Parameter state: The place from which it goes on. Text must then come from ``AlignmentState/neededText`` on, and sound
    ///   from ``AlignmentState/second`` of ``AlignmentState/track`` on.
    public init(resuming state: AlignmentState? = nil) {
        guard let state, state.isSound else { return }
        self.state = state
        voice = state.voice
        track = state.track
        segments = RecordedSegments(state.voice, first: Int(state.step) / RecordedSegments.segmentSteps)
    }

    public var need: Need {
        guard !isDone else { return .nothing }
        guard let state else { return .text }
        let isLost = state.isLost
        if !isTextOver, spokenFrames <= (isLost ? state.horizon : Self.spokenWindow) { return .text }
        if !isRecordingOver, recorded.count <= (isLost ? Self.lostWindow : Self.recordedWindow) { return .recording }
        return .nothing
    }

    /// Takes the next passage of the text.
    public mutating func append(_ passage: SpokenPassage) {
        let frames = SpokenFrames(passage)
        guard let voice else {
            unheard.append(frames)
            unheardFrames += frames.pooled.steps.count
            if unheardFrames >= VoiceCalibration.framesNeeded { meetVoice() }
            return
        }
        append(frames, voice)
    }

    private mutating func append(_ passage: SpokenFrames, _ voice: VoiceCalibration) {
        let frames = passage.frames(voice)
        if let state, passage.range.lowerBound < state.text {
            guard let read = state.recent.first(where: { $0.range == passage.range }) else { return }
            recent.append(RepeatedSearch.Passage(range: passage.range, frames: frames, heard: read.heard))
            return
        }
        passages.append((passage.range, frames))
        spokenFrames += frames.count
    }

    private mutating func meetVoice() {
        let voice = VoiceCalibration(unheard.flatMap(\.pooled.cepstra))
        self.voice = voice
        segments = RecordedSegments(voice)
        state = AlignmentState(voice: voice, text: unheard.first?.range.lowerBound ?? 0, track: 0, step: 0)
        for passage in unheard { append(passage, voice) }
        unheard = []
    }

    /// Says that the text ends here.
    public mutating func endText() {
        isTextOver = true
        if voice == nil { meetVoice() }
    }

    /// Takes sound of the track, mono at 16 kHz.
    public mutating func append(recording samples: [Float]) {
        guard let frames = segments?.append(samples) else { return }
        append(frames)
    }

    private mutating func append(_ frames: SpeechFrames) {
        var frames = frames
        if let state, state.track == track, let first = frames.steps.firstIndex(where: { $0 >= state.step }) {
            frames.removeFirst(first)
        } else if let state, state.track == track {
            return
        }
        recorded.append(frames)
        tracks += [Int32](repeating: Int32(clamping: track), count: frames.count)
    }

    /// Says that the track ends here; what follows is the next one.
    public mutating func endTrack() {
        if let frames = segments?.finish() { append(frames) }
        if let voice { segments = RecordedSegments(voice) }
        track += 1
    }

    /// Says that there is no further track.
    public mutating func endRecording() { isRecordingOver = true }

    /// Decides what can be decided; call it when ``need`` is `nothing`.
    ///
    /// Returns `nil` after the last step.
    public mutating func step() -> AlignmentStep? {
        guard !isDone, let state, need == .nothing else { return nil }
        let step = state.isLost ? search(state) : align(state)
        self.state = step.state
        isDone = step.isLast
        return step
    }

    // MARK: Windows

    private mutating func align(_ state: AlignmentState) -> AlignmentStep {
        let isLastSound = isRecordingOver && recorded.count <= Self.recordedWindow
        let isLastText = isTextOver && spokenFrames <= Self.spokenWindow
        var used = 0
        let window = passages.prefix { passage in
            defer { used += passage.frames.count }
            return used <= Self.spokenWindow
        }
        let range = 0..<min(recorded.count, Self.recordedWindow)
        let match = WindowMatch(recorded, range, window.map(\.frames), isContinuing: state.isContinuing)
        let cut = match.cut(isLast: isLastSound, margin: Self.margin, isLastText: isLastText)
        var next = state
        guard cut.passages > 0 || (isLastSound && (isLastText || state.isRetrying)) else {
            // Nothing can be decided here: the two have lost each other.
            next.isLost = true
            next.isContinuing = false
            next.isRetrying = false
            guard state.isRetrying else { return AlignmentStep(state: next) }
            // The search was wrong about this place, so it is not asked about it again.
            return commit(match, WindowMatch.Cut(passages: 0, recorded: min(range.count, LostSearch.stretch)), &next)
        }
        next.isContinuing = !cut.isLost
        next.isLost = cut.isLost
        next.isRetrying = false
        next.horizon = AlignmentState.nearHorizon
        var step = commit(match, cut, &next)
        step.isLast = isLastSound
        return step
    }

    /// Writes down what is decided, and forgets it.
    private mutating func commit(
        _ match: WindowMatch, _ cut: WindowMatch.Cut, _ next: inout AlignmentState
    ) -> AlignmentStep {
        var step = AlignmentStep(state: next)
        var free = [Bool](repeating: true, count: cut.recorded)
        for index in 0..<cut.passages {
            let range = passages[index].range
            guard let place = match.places[index], place.frames.upperBound <= cut.recorded else {
                step.sentences.append(
                    AlignedSentence(
                        range: range, track: next.matchedTrack, start: next.matchedEnd, end: next.matchedEnd, error: 0,
                        isMatched: false))
                continue
            }
            for frame in place.frames { free[frame] = false }
            let track = Int(tracks[place.frames.lowerBound])
            let last = place.frames.last { Int(tracks[$0]) == track } ?? place.frames.lowerBound
            let start = Int64(recorded.steps[place.frames.lowerBound]) * 10
            let end = Int64(recorded.steps[last] + Int32(SpeechFrames.pooling)) * 10
            step.sentences.append(
                AlignedSentence(
                    range: range, track: track, start: start, end: max(start, end), error: place.error,
                    isMatched: true))
            (next.matchedTrack, next.matchedEnd) = (track, max(start, end))
        }
        step.unmatched = unmatched(free)
        step.repeated = repeated(free, match, cut)
        keep(match, cut, &next)
        forget(passages: cut.passages, recorded: cut.recorded, &next)
        step.state = next
        return step
    }

    private mutating func forget(passages count: Int, recorded frames: Int, _ next: inout AlignmentState) {
        if let last = passages.prefix(count).last { next.text = last.range.upperBound }
        for passage in passages.prefix(count) { spokenFrames -= passage.frames.count }
        passages.removeFirst(count)
        if frames > 0 {
            if frames < recorded.count {
                (next.track, next.step) = (Int(tracks[frames]), recorded.steps[frames])
            } else {
                (next.track, next.step) = (Int(tracks[frames - 1]), recorded.steps[frames - 1] + 1)
            }
            recorded.removeFirst(frames)
            tracks.removeFirst(frames)
        }
    }

    /// Returns the stretches of the recording that are free, if more than a second is spoken in them.
    private func unmatched(_ free: [Bool]) -> [UnmatchedSound] {
        stretches(free).filter { $0.count > SpeechFrames.perSecond }.map { stretch in
            let place = place(of: stretch)
            return UnmatchedSound(track: place.track, range: place.range)
        }
    }

    /// Returns the track and the milliseconds of frames, which must be of one track.
    func place(of frames: Range<Int>) -> (track: Int, range: Range<Int64>) {
        let end = recorded.steps[frames.upperBound - 1] + Int32(SpeechFrames.pooling)
        return (Int(tracks[frames.lowerBound]), Int64(recorded.steps[frames.lowerBound]) * 10..<Int64(end) * 10)
    }

    /// Returns the stretches of the recording that are free, each of one track.
    func stretches(_ free: [Bool]) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        var start: Int?
        for frame in 0...free.count {
            let isFree = frame < free.count && free[frame]
            if let first = start, !isFree || tracks[frame] != tracks[first] {
                stretches.append(first..<frame)
                start = nil
            }
            if isFree, start == nil { start = frame }
        }
        return stretches
    }

    // MARK: Lost

    private mutating func search(_ state: AlignmentState) -> AlignmentStep {
        var next = state
        let isLastSound = isRecordingOver && recorded.count <= Self.lostWindow
        let range = 0..<min(recorded.count, Self.lostWindow)
        var used = 0
        let window = passages.prefix { passage in
            defer { used += passage.frames.count }
            return used <= state.horizon
        }
        let found = LostSearch(recorded, range, window.map(\.frames)).place()
        let isWholeText = isTextOver && spokenFrames <= state.horizon
        var recordedCut = range.upperBound
        var passageCut = 0
        var isLast = false
        if let found {
            recordedCut = found.recorded
            passageCut = found.passages
            next.isLost = false
            next.isRetrying = true
            next.horizon = AlignmentState.nearHorizon
        } else {
            // The last stretch may have been too short to be found; and a recording that ends is looked for everywhere.
            isLast = isLastSound && (isWholeText || state.horizon >= AlignmentState.farHorizon)
            if isLastSound && !isLast { recordedCut = 0 } else if !isLastSound { recordedCut -= LostSearch.stretch }
            next.horizon = min(AlignmentState.farHorizon, state.horizon * 2)
        }
        var step = AlignmentStep(state: next)
        for passage in passages.prefix(passageCut) {
            step.sentences.append(
                AlignedSentence(
                    range: passage.range, track: next.matchedTrack, start: next.matchedEnd, end: next.matchedEnd,
                    error: 0, isMatched: false))
        }
        step.unmatched = unmatched([Bool](repeating: true, count: recordedCut))
        // What was read before is not near any more.
        (recent, next.recent) = ([], [])
        forget(passages: passageCut, recorded: recordedCut, &next)
        step.state = next
        step.isLast = isLast
        return step
    }
}
