// SPDX-License-Identifier: Apache-2.0

/// Handling of outputs that do not answer.
extension AudioSessionCoordinator {
    /// The longest wait for the audible position; whoever asks for it needs an answer.
    static let longestGlance = Duration.milliseconds(250)
    /// The largest number of hung outputs.
    ///
    /// Each keeps a thread and its resources.
    static let mostHung = 8

    /// Calls an output.
    ///
    /// An output that does not answer in time is abandoned, and an answer that it gives later is dropped.
    func ask<Answer: Sendable>(
        _ output: any AudioOutput, _ name: String, within limit: Duration = OutputDeadlines.longestCall,
        _ call: @escaping @Sendable (any AudioOutput) async throws(OutputError) -> Answer
    ) async throws(OutputError) -> Answer {
        do throws(OutputError) {
            return try await deadlines.ask(output, name, within: limit, advice: "a new one is opened", call)
        } catch {
            if error.source == OutputDeadlines.source { abandon(output, error) }
            throw error
        }
    }

    /// Ends an output that is no longer used.
    func end(_ output: (any AudioOutput)?) async {
        guard let output else { return }
        _ = try? await ask(output, "shutDown") { output throws(OutputError) in await output.shutDown() }
    }

    /// Returns an output beside the session, for a render, with the same deadlines as the session's own.
    public nonisolated func patient(_ output: any AudioOutput) -> PatientOutput {
        PatientOutput(output, deadlines)
    }

    /// Abandons an output that does not answer: its thread stays behind, and whatever it does or reports is ignored.
    private func abandon(_ abandoned: any AudioOutput, _ error: OutputError) {
        let before = state
        if isConnected(abandoned) {
            disconnect()
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
            // As soon as its thread returns, it ends what it still plays.
            await abandoned.shutDown()
            hungOutputs -= 1
        }
    }

    /// Returns the position that is audible now.
    ///
    /// It does not wait for calls that are under way, and waits for an output only briefly. A stream may be audible
    /// before the call that opens it returns.
    public func heard() async -> HeardAnswer {
        guard state != .inactive, let output, let asked else { return .place(nil) }
        // An output that did not answer before is not waited for again until it does.
        guard !asked.isWaitedFor else { return .none }
        let answer = await deadlines.patience.answer(within: Self.longestGlance) {
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
