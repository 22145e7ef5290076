// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An output outside the session, for a render, each of whose calls has a deadline.
///
/// An output that is late is not used again: its thread stays behind, and finds nothing in the source when it returns.
public final class PatientOutput: Sendable {
    private let output: any AudioOutput
    private let deadlines: OutputDeadlines
    private let isLost = Atomic<Bool>(false)
    /// Reason for the lock: set by the call that opens, read by a call that is late; held for one access.
    private let lent = Mutex<LentSource?>(nil)

    init(_ output: any AudioOutput, _ deadlines: OutputDeadlines) {
        self.output = output
        self.deadlines = deadlines
    }

    /// The output's events, for one consumer.
    public var events: AsyncStream<OutputEvent> { output.events }

    public func open(_ request: StreamRequest) async throws(OutputError) {
        try await ask("connect") { output throws(OutputError) in _ = try await output.connect() }
        let source = LentSource(request.source)
        var lending = request
        lending.source = source
        lent.withLock { $0 = source }
        try await ask("open", within: OutputDeadlines.longestOpening) { [lending] output throws(OutputError) in
            _ = try await output.open(lending)
        }
    }

    public func close() async throws(OutputError) {
        try await ask("close") { output throws(OutputError) in _ = await output.close() }
    }

    /// Ends the output; it does not wait for one that was late before.
    public func shutDown() async {
        if isLost.load(ordering: .relaxed) {
            Task { [output] in await output.shutDown() }
            return
        }
        try? await ask("shutDown") { output throws(OutputError) in await output.shutDown() }
    }

    private func ask(
        _ name: String, within limit: Duration = OutputDeadlines.longestCall,
        _ call: @escaping @Sendable (any AudioOutput) async throws(OutputError) -> Void
    ) async throws(OutputError) {
        do throws(OutputError) {
            try await deadlines.ask(output, name, within: limit, advice: "check what blocks it", call)
        } catch {
            if error.source == OutputDeadlines.source {
                isLost.store(true, ordering: .relaxed)
                lent.withLock(\.self)?.takeBack()
            }
            throw error
        }
    }
}
