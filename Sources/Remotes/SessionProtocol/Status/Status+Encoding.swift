// SPDX-License-Identifier: Apache-2.0

// Synthesized encoding omits `nil` members; here an unknown value must be present, as `null`.

extension Status.Item {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encode(title, forKey: .title)
        try members.encode(author, forKey: .author)
    }
}

extension Status.Position {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(ms, forKey: .ms)
        try members.encode(provenance, forKey: .provenance)
    }
}

extension Status.Duration {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(ms, forKey: .ms)
        try members.encode(confidence, forKey: .confidence)
    }
}

extension Status.Track {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(index, forKey: .index)
        try members.encode(count, forKey: .count)
        try members.encode(positionMs, forKey: .positionMs)
        try members.encode(durationMs, forKey: .durationMs)
    }
}

extension Status.Chapter {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(index, forKey: .index)
        try members.encode(count, forKey: .count)
        try members.encode(title, forKey: .title)
        try members.encode(startMs, forKey: .startMs)
        try members.encode(endMs, forKey: .endMs)
    }
}

extension Status.Sleep {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(remainingMs, forKey: .remainingMs)
        try members.encode(end, forKey: .end)
        try members.encode(setAtMs, forKey: .setAtMs)
    }
}

extension Status.Sound {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(mono, forKey: .mono)
        try members.encode(balance, forKey: .balance)
        try members.encode(loudness, forKey: .loudness)
        try members.encode(silence, forKey: .silence)
    }
}

extension Status.Session {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(active, forKey: .active)
        try members.encode(output, forKey: .output)
        try members.encode(route, forKey: .route)
        try members.encodeIfPresent(hungOutputs, forKey: .hungOutputs)
        try members.encodeIfPresent(lost, forKey: .lost)
    }
}

extension Status {
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(v, forKey: .v)
        try members.encode(status, forKey: .status)
        try members.encode(intent, forKey: .intent)
        try members.encode(suppression, forKey: .suppression)
        try members.encode(engine, forKey: .engine)
        try members.encode(owner, forKey: .owner)
        try members.encode(item, forKey: .item)
        try members.encode(position, forKey: .position)
        try members.encode(duration, forKey: .duration)
        try members.encode(track, forKey: .track)
        try members.encode(chapter, forKey: .chapter)
        try members.encode(text, forKey: .text)
        try members.encode(rate, forKey: .rate)
        try members.encode(volume, forKey: .volume)
        try members.encode(sleep, forKey: .sleep)
        try members.encodeIfPresent(sound, forKey: .sound)
        try members.encode(session, forKey: .session)
        try members.encode(error, forKey: .error)
        try members.encodeIfPresent(warning, forKey: .warning)
        try members.encodeIfPresent(work, forKey: .work)
        try members.encodeIfPresent(page, forKey: .page)
    }
}
