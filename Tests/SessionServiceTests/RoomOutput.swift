// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// The output of a room.
final class RoomOutput: AudioOutput {
    let stage: RoomStage
    let name = "room"
    let isRender = false
    let events: AsyncStream<OutputEvent>
    private let report: AsyncStream<OutputEvent>.Continuation

    private static let route = Route(output: "room", device: "ear")

    init(_ stage: RoomStage) {
        self.stage = stage
        (events, report) = AsyncStream.makeStream()
    }

    func connect() async throws(OutputError) -> Route {
        stage.connect(report)
        return Self.route
    }
    func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        stage.openStream(request)
        return Self.route
    }
    func pause() async throws(OutputError) -> HeardPosition? { stage.pause() }
    func resume() async throws(OutputError) { stage.resume() }
    func reposition(to generation: UInt32) async throws(OutputError) { stage.reposition(to: generation) }
    func set(_ setting: StreamSetting) async throws(OutputError) {
        if case .rate(let rate) = setting { stage.setRate(rate) }
    }
    func heard() async -> HeardPosition? { stage.heard }
    func close() async -> HeardPosition? { stage.closeStream() }
    func shutDown() async { report.finish() }
}

struct RoomOutputs: OutputProvider {
    let stage: RoomStage
    func outputs(named name: String) -> [any AudioOutput] { [RoomOutput(stage)] }
}
