// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

extension ClipInfo {
    /// The words for a clip that was made: `Clip 7qk2m9xd: 0:52–1:12.`.
    public var kept: String {
        guard let startMs, let durationMs else { return "Clip \(id) is kept." }
        return "Clip \(id) is kept: \(clockText(startMs))–\(clockText(startMs &+ durationMs))."
    }
}
