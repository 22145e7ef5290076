// SPDX-License-Identifier: Apache-2.0

/// One open stream of a device or sound server, whose frames are counted from 0.
///
/// It is used on the output's thread.
public protocol StreamDevice: AnyObject {
    var format: AudioFormat { get }

    /// Returns the first frame that can still be replaced. It may ask the device, with a deadline.
    func replaceable() throws(OutputError) -> Int64

    /// Returns the audible frame without asking the device; it never decreases.
    func heard(at now: Int64) -> Int64

    /// `true` if frames pass with time; otherwise a call of `heard` now and then finds out when they begin to.
    var flows: Bool { get }

    /// Writes frames at `frame`; everything that was written from there on is void.
    func write(_ samples: UnsafePointer<Float>, frames: Int, at frame: Int64) throws(OutputError)

    /// Ensures that what was written is on its way when this returns, as after a command.
    func push()

    /// Returns the number of frames that fill the device as far as it should be; 0 while it has enough.
    func wanted(at now: Int64) -> Int

    /// Returns the time to ask again at the latest; `nil` if the device will wake the thread by itself.
    func wantsAgain(at now: Int64) -> Int64?

    /// Begins or stops to take frames. A stopped device causes no wake-ups.
    func start() throws(OutputError)
    func stop() throws(OutputError)
}
