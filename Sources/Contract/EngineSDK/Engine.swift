// SPDX-License-Identifier: Apache-2.0

/// A producer of sound: it turns content into blocks that carry their position.
///
/// Write a final class that conforms to this protocol and export it with one line:
///
///     @c(rostrum_engine_entry)
///     public func entry(major: UInt32, minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
///         EngineModule.export(ToneEngine.self, hostMajor: major)
///     }
///
/// The host makes every call on the engine's own thread, one at a time. Check ``Host/isInterrupted`` to learn that the
/// host wants the current call to end early; it may be read from any thread.
public protocol Engine: AnyObject {
    /// The engine's ID, as in its manifest: lower case letters, digits and `-`, at most 32.
    static var id: String { get }
    static var version: String { get }

    /// Creates an engine without content; must be quick.
    init(host: Host) throws(EngineFailure)

    /// Opens the content, goes to its start position and describes it.
    ///
    /// If content is loaded, the engine drops it first. After an error nothing is loaded.
    func load(_ content: Content) throws(EngineFailure) -> Media

    /// Drops what is loaded.
    func unload()

    /// Returns the description of a track, which may be opened for this if it has not been opened yet.
    func track(_ index: Int) throws(EngineFailure) -> Track

    /// Fills the block with the frames that come next, or marks the end; it need not fill all of the block.
    func render(into block: inout Block) throws(EngineFailure)

    /// Moves so that the next block begins at exactly this unit (audio), or at the word that contains it (text).
    func seek(track: Int, position: Int64) throws(EngineFailure)
}
