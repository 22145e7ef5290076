// SPDX-License-Identifier: Apache-2.0

/// Changes of the open stream.
extension AudioSessionCoordinator {
    /// Repositions the open stream; see ``AudioOutput/reposition(to:)``.
    ///
    /// - Returns: `true` if there is a stream; without one there is nothing to do.
    public func reposition(to generation: UInt32) async throws(OutputError) -> Bool {
        let result = await inTurn { (session) -> Result<Bool, OutputError> in
            guard let output = await session.activeOutput else { return .success(false) }
            do throws(OutputError) {
                try await session.change(output, "reposition") { output throws(OutputError) in
                    try await output.reposition(to: generation)
                }
                return .success(true)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Changes a setting of the open stream, if there is one; see ``AudioOutput/set(_:)``.
    public func set(_ setting: StreamSetting) async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in
            guard let output = await session.activeOutput else { return }
            try await session.change(output, setting.name) { output throws(OutputError) in
                try await output.set(setting)
            }
            await session.note(setting)
        }
    }

    /// Calls the output for a change.
    ///
    /// Callers do not check whether a change succeeded, so an output that does not answer is also reported as an event.
    func change(
        _ output: any AudioOutput, _ name: String,
        _ call: @escaping @Sendable (any AudioOutput) async throws(OutputError) -> Void
    ) async throws(OutputError) {
        do throws(OutputError) {
            try await ask(output, name, call)
        } catch {
            if error.source == OutputDeadlines.source { forward.yield(.failed(error, heard: nil)) }
            throw error
        }
    }
}
