// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// The parts of the state that are read most, by their own names.
extension PlaybackState {
    public var current: Playing? { loaded.playing }
    public var isRemote: Bool { loaded.isRemote }
    public var floor: MediaPosition? { loaded.floor }
    public var unitsPerSecond: Double { loaded.unitsPerSecond }
    public var stream: Stream { output.stream }
    public var attempt: Int { recovery.attempt }
    public var fatal: FatalPlace? { recovery.fatal }
    public var unspoken: UnspokenText? { recovery.unspoken }
    public var outage: Int? { recovery.outage }
    public var owner: OwnerID { focus.owner }
    public var handsBack: Bool { focus.handsBack }
    public var held: [OwnerPlayback] { focus.held }
    public var remembered: [OwnerID: [ContentKind: Playing]] { memory.items }
    public var leaving: [UInt32: Leaving] { memory.leaving }
    public var sleep: SleepTimer? { sleeping.timer }
    public var slept: Playing? { sleeping.slept }
    public var clock: PlaybackClock? { watchdog.clock }
    public var waiting: UInt64? { commands.newest }
    public var lookUp: LookUp? { commands.lookUp }
    public var seeks: [ComingSeek] { commands.seeks ?? [] }
    public var rate: Double { sound.rate }
    public var volume: Double { sound.volume }
}
