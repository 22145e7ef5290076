// SPDX-License-Identifier: Apache-2.0

/// The parameters of `play` and `read`.
public struct PlayParameters: Sendable, Hashable, Codable {
    /// Absolute paths or URLs; if empty, the last item of this kind is resumed.
    ///
    /// `descriptor:N` names the N-th file descriptor that came with the request.
    public var items: [String] = []
    /// Names for the file descriptors, shown to the user and used as a hint for the format.
    public var names: [String]?
    /// `true` to read the items as texts; if not, their content decides.
    public var asText: Bool?
    public var engine: String?
    /// A ``TimeExpression``.
    public var at: String?
    public var fromStart: Bool?
    /// `true` to play only if the session and all other programs are silent.
    public var ifSilent: Bool?
    public var until: String?
    public var rate: Double?
    public var volume: Double?
    public var owner: String?
    public var voice: String?
    /// Each is `NAME:VALUE`, for http(s); they are never logged.
    public var headers: [String]?
    /// The name that identifies an address or a pipe, instead of one derived from the address.
    public var identity: String?
    /// One of `auto`, `pulse[:SINK]`, `alsa[:PCM]`, `wav:PATH` (absolute), `null` and `null:fast`.
    public var output: String?
    /// `true` to repeat the part, for `clip`.
    public var loop: Bool?
    /// `true` for `read` of something short that hands audio focus back at its end, as a clip does, and when the client
    /// disconnects.
    public var sample: Bool?
    /// The language of a sample, a BCP 47 tag, whatever its words tell.
    public var language: String?
    /// Pronunciations for a sample, as lines of the listener's file, which go before those in it.
    public var pronunciations: [String]?
    /// `true` if the player stays attached.
    ///
    /// Then the answer comes when playback starts, and a `finished` notification when it is over.
    public var attach: Bool?

    public init() {}

    /// Decodes parameters, any of which may be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        items = try members.decodeIfPresent([String].self, forKey: .items) ?? []
        names = try members.decodeIfPresent([String].self, forKey: .names)
        asText = try members.decodeIfPresent(Bool.self, forKey: .asText)
        engine = try members.decodeIfPresent(String.self, forKey: .engine)
        at = try members.decodeIfPresent(String.self, forKey: .at)
        ifSilent = try members.decodeIfPresent(Bool.self, forKey: .ifSilent)
        fromStart = try members.decodeIfPresent(Bool.self, forKey: .fromStart)
        until = try members.decodeIfPresent(String.self, forKey: .until)
        rate = try members.decodeIfPresent(Double.self, forKey: .rate)
        volume = try members.decodeIfPresent(Double.self, forKey: .volume)
        owner = try members.decodeIfPresent(String.self, forKey: .owner)
        voice = try members.decodeIfPresent(String.self, forKey: .voice)
        headers = try members.decodeIfPresent([String].self, forKey: .headers)
        identity = try members.decodeIfPresent(String.self, forKey: .identity)
        output = try members.decodeIfPresent(String.self, forKey: .output)
        loop = try members.decodeIfPresent(Bool.self, forKey: .loop)
        sample = try members.decodeIfPresent(Bool.self, forKey: .sample)
        language = try members.decodeIfPresent(String.self, forKey: .language)
        pronunciations = try members.decodeIfPresent([String].self, forKey: .pronunciations)
        attach = try members.decodeIfPresent(Bool.self, forKey: .attach)
    }
}
