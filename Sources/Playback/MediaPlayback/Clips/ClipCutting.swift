// SPDX-License-Identifier: Apache-2.0

/// A description of the file that a cut wrote.
public struct CutResult: Sendable, Hashable {
    /// `true` if the audio was encoded again; `false` if its packets were copied, or its samples are uncompressed.
    public var isEncoded: Bool
    /// The number of frames to which the file decodes, at `sampleRate`.
    public var frames: Int64
    /// The sample rate of the file, in frames per second.
    public var sampleRate: Int
    /// The extension for the name of the file, such as `m4a`: at most 7 lower case letters and digits.
    public var fileExtension: String

    public init(isEncoded: Bool, frames: Int64, sampleRate: Int, fileExtension: String) {
        self.isEncoded = isEncoded
        self.frames = frames
        self.sampleRate = sampleRate
        self.fileExtension = fileExtension
    }
}

/// An engine that can write a passage of what it has loaded into a file of its own.
public protocol ClipCutting: Sendable {
    /// Writes a passage, exact to the frame at both ends, and returns when the file is complete.
    ///
    /// The file is not synced to the disk. After a failure its content means nothing. A load, an unload and a seek end
    /// the call with the failure that something later took its place. The deadline is 30 minutes. Throws `usage` for a
    /// passage that cannot exist, `failed` for one that lies outside of the content, `badContent` if the engine cannot
    /// write the format or decode the source, and `io` if the file cannot be written.
    func cut(_ cut: ClipCut) async throws(EngineError) -> CutResult
}
