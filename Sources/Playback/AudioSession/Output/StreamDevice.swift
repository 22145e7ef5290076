// SPDX-License-Identifier: Apache-2.0

/// One open stream of a device or sound server, counted in frames from 0.
///
/// On the output's thread.
public protocol StreamDevice: AnyObject {
    var format: AudioFormat { get }

    /// The first frame that has not been taken for good. May ask the device, with a deadline.
    func replaceable() throws(OutputError) -> Int64

    /// The frame that is audible, without asking; never less than before.
    func heard(at now: Int64) -> Int64

    /// Frames go by with time; else a look at `heard` now and then tells when they begin to.
    var flows: Bool { get }

    /// Puts frames at `frame`; what was written from there on is void.
    func write(_ samples: UnsafePointer<Float>, frames: Int, at frame: Int64) throws(OutputError)

    /// What was written is on its way when this returns, as after a command.
    func push()

    /// How many frames it wants, to be as full as it should be; 0 while it has enough.
    func wanted(at now: Int64) -> Int

    /// When to ask again at the latest; nil if it will wake the thread by itself.
    func wantsAgain(at now: Int64) -> Int64?

    /// Begins and ceases to take frames. Stopped, it causes no wake-ups.
    func start() throws(OutputError)
    func stop() throws(OutputError)
}
