// SPDX-License-Identifier: Apache-2.0

/// The time that each call of an output may take, counted outside of it (docs/decisions/0016-an-output-may-hang.md).
struct OutputDeadlines: Sendable {
    /// Longer than the outputs' own timeouts, so that their own error is reported where they can give one.
    static let longestCall = Duration.seconds(6)
    static let longestOpening = Duration.seconds(8)
    /// The `source` of errors from this type.
    static let source = "deadline"

    let patience: Patience

    /// Calls an output, and drops an answer that comes too late.
    ///
    /// - Throws: The error of the call; an error with `source` if it did not answer in time.
    func ask<Answer: Sendable>(
        _ output: any AudioOutput, _ name: String, within limit: Duration = longestCall, advice: String,
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
        throw OutputError(
            .timeout, source: Self.source,
            message: "\(output.name) did not answer within \(limit.components.seconds) s (\(name)); \(advice)")
    }
}
