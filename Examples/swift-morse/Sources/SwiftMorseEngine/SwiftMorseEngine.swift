// SPDX-License-Identifier: Apache-2.0

public import EngineABI
public import EngineSDK

/// Reads a text aloud in Morse code.
///
/// A unit of position is one byte of the text as the host handed it over.
public final class SwiftMorseEngine: Engine {
    public static let id = "swift-morse"
    public static let version = "1.0.0"

    private let host: Host
    private var text: [UInt8] = []
    /// The byte that is rendered now, or comes next.
    private var position = 0
    /// The rest of its sound, for which there was no room yet.
    private var rest: ArraySlice<Float> = []
    /// The end of the last word that was announced.
    private var wordEnd = 0
    private var rate = 1.0

    public init(host: Host) { self.host = host }

    public func load(_ content: Content) throws(EngineFailure) -> Media {
        unload()
        guard content.kind == .text else {
            throw EngineFailure(ROSTRUM_ERROR_FORMAT, "swift-morse reads text, not audio")
        }
        // The session hands over an open file; an engine opens no path itself.
        guard case .descriptor(let descriptor, let name) = try host.openSource(track: 0) else {
            throw EngineFailure(ROSTRUM_ERROR_UNSUPPORTED, "swift-morse reads files, not web addresses")
        }
        let bytes = try TextFile.read(descriptor, name: name, host: host)
        guard !bytes.contains(0) else { throw EngineFailure(ROSTRUM_ERROR_ENCODING, "\(name): is no text") }
        guard bytes.contains(where: { Morse.code(of: $0) != nil }) else {
            throw EngineFailure(ROSTRUM_ERROR_EMPTY, "\(name): has no letters or digits")
        }
        text = bytes
        rate = Self.rates.clamp(content.rate)
        try seek(track: content.startTrack, position: content.start)
        return Media()
    }

    public func unload() {
        text = []
        position = 0
        rest = []
        wordEnd = 0
    }

    public func track(_ index: Int) -> Track {
        // "PARIS " takes 50 units of time in Morse: 6 bytes in 3 seconds.
        Track(
            sampleRate: Morse.sampleRate, channels: 1, encoding: .float32, duration: Int64(text.count),
            confidence: .estimated, unitsPerSecond: 2, codec: "morse")
    }

    /// Moves to the beginning of the word that contains the byte.
    public func seek(track: Int, position: Int64) throws(EngineFailure) {
        guard track == 0, position >= 0 else {
            throw EngineFailure(ROSTRUM_ERROR_ARGUMENT, "no place \(position) in track \(track) of a text")
        }
        var start = Int(clamping: min(position, Int64(text.count)))
        if start < text.count {
            while start > 0, !Morse.isSpace(text[start]), !Morse.isSpace(text[start - 1]) { start -= 1 }
        }
        self.position = start
        rest = []
        wordEnd = start
    }

    /// Renders one character, or as much of it as there is room for.
    public func render(into block: inout Block) {
        while rest.isEmpty, position < text.count {
            rest = Morse.sound(of: text[position], rate: rate)[...]
            // Skip bytes that have no sound: a block contains sound, or is the end.
            if rest.isEmpty { position += 1 }
        }
        if position >= wordEnd { announceWord() }
        block.position = Int64(position)
        let part = rest.prefix(block.capacity)
        for (frame, sample) in part.enumerated() { block.samples[frame] = sample }
        rest = rest.dropFirst(part.count)
        // The position stays at the character until its sound is over.
        if rest.isEmpty { position = min(position + 1, text.count) }
        block.positionEnd = Int64(position)
        block.frames = part.count
        block.sampleRate = Morse.sampleRate
        block.channels = 1
        block.isEnd = position == text.count
        block.isTrackEnd = block.isEnd
    }

    /// Announces that a word begins, so that it can be shown while it is heard.
    private func announceWord() {
        let length = text[position...].prefix { !Morse.isSpace($0) }.count
        guard length > 0 else { return }
        wordEnd = position + length
        host.mark(.word, position: Int64(position), length: Int64(length))
    }
}

/// Renders at other rates itself, as speech engines do, so that the session need not stretch the sound.
extension SwiftMorseEngine: RateChanging {
    public static let rates = 0.5...3.0

    public func setRate(_ rate: Double) { self.rate = Self.rates.clamp(rate) }
}

extension ClosedRange<Double> {
    fileprivate func clamp(_ value: Double) -> Double {
        value.isFinite ? Swift.min(Swift.max(value, lowerBound), upperBound) : 1
    }
}

/// Returns the module; the only symbol that it exports.
@c(rostrum_engine_entry)
public func entry(major: UInt32, minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
    EngineModule.export(SwiftMorseEngine.self, hostMajor: major)
}
