// SPDX-License-Identifier: Apache-2.0

/// The output that is connected, while its events are taken.
struct ConnectedOutput: Sendable {
    let output: any AudioOutput
    /// The questions about its position that it has not answered.
    let asked = HeardAsks()
    private let reader: Task<Void, Never>

    /// Begins to take the events of an output, in order.
    init(_ output: any AudioOutput, take: @escaping @Sendable (OutputEvent) async -> Void) {
        self.output = output
        reader = Task {
            for await event in output.events { await take(event) }
        }
    }

    func isSame(as other: any AudioOutput) -> Bool { (output as AnyObject) === (other as AnyObject) }

    /// Takes no further events.
    func leave() { reader.cancel() }
}
