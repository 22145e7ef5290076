// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// Knows which engines are installed, and starts them.
public protocol EngineProvider: Sendable {
    /// Returns the installed engines, from their manifests alone; the best first.
    func installed() async -> [InstalledEngine]

    /// Starts an engine, or takes one that is already running.
    ///
    /// Does not wait until it is ready; `load` does.
    func start(_ id: EngineID) async throws(EngineError) -> any PlaybackEngine

    /// Starts another process in place of one that is gone.
    ///
    /// Its sound follows, in the same source, the sound that the other one left. Possible only if the other one said
    /// where its sound ends.
    func start(_ id: EngineID, inPlaceOf gone: any PlaybackEngine) async throws(EngineError) -> any PlaybackEngine

    /// Starts the process of an engine ahead of need; the next `start` takes it.
    ///
    /// If the process cannot be started, `start` reports that.
    func prewarm(_ id: EngineID) async

    /// Ends the process that `prewarm` started.
    func endSpare(_ id: EngineID) async

    /// Reports that the process of an engine ended by itself, or had to be ended.
    ///
    /// - Parameter item: what the engine had been given last.
    /// - Returns: the decision about the engine that followed, in one line for the log.
    func died(_ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool) async -> String?
}
