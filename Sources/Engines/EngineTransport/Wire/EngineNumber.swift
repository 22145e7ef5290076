// SPDX-License-Identifier: Apache-2.0

/// The numbers by which the log names failures that the engine contract, `rostrum/engine.h`, has none for.
public enum EngineNumber {
    public static let unavailable: Int32 = -1
    public static let timedOut: Int32 = -2
    public static let crashed: Int32 = -3
    public static let misbehaved: Int32 = -4
    public static let refused: Int32 = -5
    public static let usage: Int32 = -6
    public static let neverReady: Int32 = -7
}
