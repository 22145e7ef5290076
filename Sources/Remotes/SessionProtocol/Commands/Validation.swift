// SPDX-License-Identifier: Apache-2.0

extension SessionCommand {
    /// Throws if the command is invalid; the client and the session make the same check before they act.
    public func validate() throws(SessionError) {
        switch self {
        case .play(let parameters), .read(let parameters), .inspect(let parameters): try parameters.validate()
        case .seek(let time): _ = try TimeExpression(time, relativeAllowed: true)
        case .chapter(let chapter): _ = try ChapterExpression(chapter)
        case .rate(let rate): try Limits.check(rate: rate)
        case .volume(let volume): try Limits.check(volume: volume)
        case .engine(let id):
            if id.isEmpty { throw SessionError(.usage, "engine: the id is empty; see `rostrum engines`") }
        case .manageEngine(let action): try action.validate()
        case .clip(let parameters):
            guard parameters.at != nil, parameters.until != nil, !parameters.items.isEmpty else {
                throw SessionError(.usage, "clip: FILE, --start and --end are needed")
            }
            if parameters.owner == "main" {
                throw SessionError(.usage, "bad owner: main plays books; leave --owner out, or give the clip one")
            }
            try parameters.validate()
        case .manageClips(let action): try action.validate()
        case .podcasts(let action): try action.validate()
        case .claim(let owner, _), .release(let owner): try Limits.check(owner: owner)
        case .addressed(let address, let command):
            if let owner = address.owner { try Limits.check(owner: owner) }
            try command.validate()
        case .library(let action): try action.validate()
        case .settings(let action): try action.validate()
        case .peaks(let request): try request.validate()
        case .text(let request): try request.validate()
        case .reading(let action): try action.validate()
        case .server(let action): try action.validate()
        case .sleep(let wish): _ = try SleepExpression(wish)
        case .option(let name, let value): _ = try OptionExpression(name, value)
        case .history(let limit):
            guard (1...10_000).contains(limit) else {
                throw SessionError(.usage, "bad limit: \(limit); give 1 to 10000")
            }
        case .status, .contents, .pause, .resume, .toggle, .stop, .skip, .engines, .undo, .sleepChoices, .log: break
        }
    }
}

/// The accepted values of parameters.
public enum Limits {
    public static let rate = 0.5...3.0
    public static let volume = 0.0...1.0
    /// The maximum size in bytes of all headers of an item, including their line endings.
    static let headers = 16_384
    /// The maximum number of pronunciations of a sample, and the maximum size in bytes of each.
    public static let pronunciations = 16
    public static let pronunciation = 1000

    static func check(rate: Double) throws(SessionError) {
        guard Limits.rate.contains(rate) else {
            throw SessionError(.usage, "bad rate: \(rate); give 0.5 to 3.0")
        }
    }

    static func check(owner: String) throws(SessionError) {
        guard !owner.isEmpty, owner.utf8.count <= 128, owner.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
            throw SessionError(.usage, "bad owner: give a name without spaces, of at most 128 bytes")
        }
    }

    static func check(volume: Double) throws(SessionError) {
        guard Limits.volume.contains(volume) else {
            throw SessionError(.usage, "bad volume: \(volume); give 0.0 to 1.0")
        }
    }
}

extension PlayParameters {
    func validate() throws(SessionError) {
        if let at {
            _ = try TimeExpression(at)
            if fromStart == true {
                throw SessionError(.usage, "both --at and --from-start: \(at); give one of them")
            }
        }
        if let until { _ = try TimeExpression(until) }
        if let rate { try Limits.check(rate: rate) }
        if let volume { try Limits.check(volume: volume) }
        if let output { _ = try OutputExpression(output) }
        for header in headers ?? [] { try Self.check(header: header) }
        // Each header is a line of the request, ended by CR LF.
        guard (headers ?? []).reduce(0, { $0 + $1.utf8.count + 2 }) <= Limits.headers else {
            throw SessionError(.usage, "bad headers: more than \(Limits.headers) bytes; leave some out")
        }
        if let owner { try Limits.check(owner: owner) }
        if let identity, !(1...1000).contains(identity.utf8.count) {
            throw SessionError(.usage, "bad identity: not 1 to 1000 bytes; give a short name")
        }
        if items.isEmpty {
            // A resumed item is identified by what it was opened with.
            if identity != nil { throw SessionError(.usage, "an identity without an item; name the item") }
            if headers?.isEmpty == false { throw SessionError(.usage, "a header without an item; name the item") }
        }
        try validateSample()
    }

    private func validateSample() throws(SessionError) {
        if let language {
            let isTag = language.utf8.allSatisfy {
                (48...57).contains($0) || (97...122).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
            }
            guard isTag, (2...35).contains(language.utf8.count) else {
                throw SessionError(.usage, "bad language: not a tag such as de or en-GB; give one")
            }
        }
        if let pronunciations {
            guard pronunciations.count <= Limits.pronunciations,
                pronunciations.allSatisfy({ $0.utf8.count <= Limits.pronunciation })
            else {
                throw SessionError(
                    .usage,
                    "bad pronunciations: more than \(Limits.pronunciations), or one of more than \(Limits.pronunciation) bytes; put them into pronunciations.txt"
                )
            }
        }
        guard sample == true || language == nil && pronunciations == nil else {
            throw SessionError(
                .usage, "a language or pronunciations without `sample`; only a sample is read with those of its own")
        }
    }

    /// Checks a header; the error message omits the value, which may be a secret.
    private static func check(header: String) throws(SessionError) {
        let name = header.prefix { $0 != ":" }
        let isToken = name.utf8.allSatisfy { (33...126).contains($0) && !"()<>@,;\\\"/[]?={}".utf8.contains($0) }
        guard header.contains(":"), !name.isEmpty, isToken else {
            throw SessionError(.usage, "bad header: not NAME:VALUE; give for example 'X-Token:abc'")
        }
        guard header.utf8.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
            throw SessionError(.usage, "bad header: \(name) contains a control character; remove it")
        }
    }
}

/// The destination of the sound: `auto`, `pulse[:SINK]`, `alsa[:PCM]`, `wav:PATH`, `null` or `null:fast`.
public enum OutputExpression: Sendable, Hashable {
    case auto
    case pulse(sink: String?)
    case alsa(pcm: String?)
    case wav(path: String)
    case null(fast: Bool)

    /// `true` for outputs that render: they finish by themselves and do not disturb what is playing.
    public var isRender: Bool {
        switch self {
        case .wav, .null(fast: true): true
        case .auto, .pulse, .alsa, .null: false
        }
    }

    public init(_ text: String) throws(SessionError) {
        let name = text.prefix { $0 != ":" }
        let rest = text.dropFirst(name.count + 1)
        let detail = text.contains(":") ? String(rest) : nil
        switch (name, detail) {
        case ("auto", nil): self = .auto
        case ("pulse", nil): self = .pulse(sink: nil)
        case ("alsa", nil): self = .alsa(pcm: nil)
        case ("null", nil): self = .null(fast: false)
        case ("null", "fast"): self = .null(fast: true)
        case ("pulse", let sink?) where !sink.isEmpty: self = .pulse(sink: sink)
        case ("alsa", let pcm?) where !pcm.isEmpty: self = .alsa(pcm: pcm)
        // The session has a folder of its own, so a relative path would lead elsewhere than its sender means.
        case ("wav", let path?) where path.hasPrefix("/"): self = .wav(path: path)
        default:
            if name == "wav", detail?.isEmpty == false {
                throw SessionError(.usage, "bad output: \(text); the path must be absolute: wav:/…")
            }
            throw SessionError(
                .usage, "bad output: \(text); give auto, pulse[:SINK], alsa[:PCM], wav:PATH, null or null:fast")
        }
    }
}
