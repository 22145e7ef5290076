// SPDX-License-Identifier: Apache-2.0

/// Outputs that do not answer.
extension AudioSessionCoordinator {
    /// Longer than outputs allow themselves, so that what they say of a failure is told where they can say it.
    static let longestCall = Duration.seconds(6)
    static let longestOpening = Duration.seconds(8)
    /// Somebody wants to know the place, and has to be told one.
    static let longestGlance = Duration.milliseconds(250)
    /// Each has a thread, and holds what it holds.
    static let mostHung = 8
    /// The `source` of an error of ours.
    static let ownSource = "deadline"

    /// Calls an output; one that does not answer in time is given up, and the answer that it may still give is dropped.
    func ask<Answer: Sendable>(
        _ output: any AudioOutput, _ name: String, within limit: Duration = longestCall,
        _ call: @escaping @Sendable (any AudioOutput) async throws(OutputError) -> Answer
    ) async throws(OutputError) -> Answer {
        let result = await patience.answer(within: limit) { () -> Result<Answer, OutputError> in
            do throws(OutputError) {
                return .success(try await call(output))
            } catch {
                return .failure(error)
            }
        }
        if let result { return try result.get() }
        let error = Self.late(output, name, limit)
        abandon(output, error)
        throw error
    }

    private static func late(_ output: any AudioOutput, _ name: String, _ limit: Duration) -> OutputError {
        OutputError(
            .timeout, source: ownSource,
            message: "\(output.name) did not answer within \(limit.components.seconds) s (\(name)); a new one is opened"
        )
    }

    /// A change of the open stream, if there is one.
    func changed(
        _ name: String, _ call: @escaping @Sendable (any AudioOutput) async throws(OutputError) -> Void
    ) async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in
            guard let output = await session.activeOutput else { return }
            try await session.change(output, name, call)
        }
    }

    /// Whoever asks for a change does not look whether it came to be: that the output is gone is told as an event.
    func change(
        _ output: any AudioOutput, _ name: String,
        _ call: @escaping @Sendable (any AudioOutput) async throws(OutputError) -> Void
    ) async throws(OutputError) {
        do throws(OutputError) {
            try await ask(output, name, call)
        } catch {
            if error.source == Self.ownSource { forward.yield(.failed(error, heard: nil)) }
            throw error
        }
    }

    /// Ends an output that is not used any more.
    func end(_ output: (any AudioOutput)?) async {
        guard let output else { return }
        _ = try? await ask(output, "shutDown") { output throws(OutputError) in await output.shutDown() }
    }

    /// Leaves an output that does not answer: its thread stays behind, and whatever it does or says is of no meaning.
    private func abandon(_ abandoned: any AudioOutput, _ error: OutputError) {
        let before = state
        if let output, (output as AnyObject) === (abandoned as AnyObject) {
            reader?.cancel()
            reader = nil
            self.output = nil
            for source in lent { source.takeBack() }
            lent = []
            if state == .active { state = .inactive }
            note(.abandoned, from: before, error: error)
            route = nil
        } else {
            note(.abandoned, from: before, error: error)
        }
        hungOutputs += 1
        Task {
            // As soon as its thread is back, it ends what it still plays.
            await abandoned.shutDown()
            hungOutputs -= 1
        }
    }

    /// What is audible now; does not wait for calls that are under way, and for an output only for a moment.
    ///
    /// A stream may sound before the call that opens it returns.
    public func heard() async -> HeardAnswer {
        guard state != .inactive, let output else { return .place(nil) }
        let asked = asked
        // One that did not answer before is not waited for again until it does.
        guard !asked.isWaitedFor else { return .none }
        let answer = await patience.answer(within: Self.longestGlance) {
            asked.begin()
            let place = await output.heard()
            asked.end()
            return place
        }
        guard let answer else {
            asked.giveUp()
            return .none
        }
        return .place(answer)
    }
}
