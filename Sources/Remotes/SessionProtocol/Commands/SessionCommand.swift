// SPDX-License-Identifier: Apache-2.0

/// One command to the session.
///
/// Method names on the socket are the command names of `interface.md`.
public enum SessionCommand: Sendable, Hashable {
    case play(PlayParameters)
    case read(PlayParameters)
    case status
    case pause
    case resume
    case toggle
    case stop
    /// `+TIME`, `-TIME` or `TIME`.
    case seek(String)
    case skip(forward: Bool)
    /// `next`, `previous`, or a number from 1.
    case chapter(String)
    case rate(Double)
    case volume(Double)
    case engine(String)
    case engines
    case inspect(PlayParameters)
    case log
}

/// What a command answers.
public enum SessionReply: Sendable, Hashable {
    case done
    case status(Status)
    case engines([EngineInfo])
    case inspection(Inspection)
    /// Path of the transition log; the client reads it itself.
    case log(path: String)
}
