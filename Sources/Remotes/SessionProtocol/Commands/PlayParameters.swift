// SPDX-License-Identifier: Apache-2.0

/// `play` and `read`.
public struct PlayParameters: Sendable, Hashable, Codable {
    /// Absolute paths or URLs; empty: resume, or the last item of this kind.
    ///
    /// `descriptor:N` names the N-th descriptor that
    /// came with the request.
    public var items: [String] = []
    /// Names for the descriptors, for a person and as a hint for the format.
    public var names: [String]?
    /// `play` takes what is given as its content says; `read` takes it as a text.
    public var asText: Bool?
    public var engine: String?
    /// A `TimeExpression`.
    public var at: String?
    public var fromStart: Bool?
    public var until: String?
    public var rate: Double?
    public var volume: Double?
    public var owner: String?
    public var voice: String?
    /// `NAME:VALUE`, for http(s); never logged.
    public var headers: [String]?
    /// What an address or a pipe is known by, in place of what of the address says so.
    public var identity: String?
    /// `auto`, `pulse[:SINK]`, `alsa[:PCM]`, `wav:PATH` (absolute), `null`, `null:fast`.
    public var output: String?
    /// `clip`: again and again.
    public var loop: Bool?
    /// The player stays attached: the reply comes when it plays, and a `finished` notification when it is over.
    public var attach: Bool?

    public init() {}

    /// Everything may be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        items = try members.decodeIfPresent([String].self, forKey: .items) ?? []
        names = try members.decodeIfPresent([String].self, forKey: .names)
        asText = try members.decodeIfPresent(Bool.self, forKey: .asText)
        engine = try members.decodeIfPresent(String.self, forKey: .engine)
        at = try members.decodeIfPresent(String.self, forKey: .at)
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
        attach = try members.decodeIfPresent(Bool.self, forKey: .attach)
    }
}
