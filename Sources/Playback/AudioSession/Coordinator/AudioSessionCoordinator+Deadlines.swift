// SPDX-License-Identifier: Apache-2.0

/// Outputs that do not answer.
extension AudioSessionCoordinator {
    /// Somebody wants to know the place, and has to be told one.
    static let longestGlance = Duration.milliseconds(250)
    /// Each has a thread, and holds what it holds.
    static let mostHung = 8

    /// Calls an output; one that does not answer in time is given up, and the answer that it may still give is dropped.
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

    /// Ends an output that is not used any more.
    func end(_ output: (any AudioOutput)?) async {
        guard let output else { return }
        _ = try? await ask(output, "shutDown") { output throws(OutputError) in await output.shutDown() }
    }

    /// An output beside the session, as a render has it, with the deadlines of the session's own.
    public nonisolated func patient(_ output: any AudioOutput) -> PatientOutput {
        PatientOutput(output, deadlines)
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
