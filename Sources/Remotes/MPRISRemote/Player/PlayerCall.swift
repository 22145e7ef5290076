// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// A call that a remote makes: a method, or a new value of a property.
enum PlayerCall: Hashable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    /// A distance in microseconds.
    case seek(Int64)
    /// A position in microseconds, in the track with this id.
    case setPosition(track: String, Int64)
    case openURI(String)
    case goTo(track: String)
    case rate(Double)
    case volume(Double)
    case quit

    /// The name of the method or property.
    var name: String {
        switch self {
        case .play: "Play"
        case .pause: "Pause"
        case .playPause: "PlayPause"
        case .stop: "Stop"
        case .next: "Next"
        case .previous: "Previous"
        case .seek: "Seek"
        case .setPosition: "SetPosition"
        case .openURI: "OpenUri"
        case .goTo: "GoTo"
        case .rate: "Rate"
        case .volume: "Volume"
        case .quit: "Quit"
        }
    }

    /// Returns the command that the session carries out for this call, or `nil` if the call has no effect.
    ///
    /// The specification gives no error to a call that is not possible now.
    ///
    /// - Parameter position: The position in the current track, in microseconds.
    func command(in view: PlayerProperties, position: Int64) -> SessionCommand? {
        switch self {
        // A session that has just started may not know yet what was played last, and finds out.
        case .play: .resume
        // An item that is only being looked up can be paused and stopped, too: the session knows.
        case .pause: .pause
        case .playPause: .toggle
        case .stop: .stop
        case .next: move(view.canMove, forward: true, in: view)
        case .previous: move(view.canMove, forward: false, in: view)
        case .seek(let distance): view.canSeek ? seek(by: distance, from: position, in: view) : nil
        case .setPosition(let track, let target):
            view.canSeek && track == view.current && target >= 0 && target <= view.length ?? .max
                ? Self.seek(to: view.start + target, in: view) : nil
        case .goTo(let track):
            if let chapter = view.chapter(withID: track) {
                Self.addressed(.chapter("\(chapter + 1)"), in: view)
            } else {
                view.isItem(track) && view.canSeek ? Self.seek(to: 0, in: view) : nil
            }
        case .openURI(let uri):
            Self.item(at: uri).map { item in
                var parameters = PlayParameters()
                parameters.items = [item]
                return .play(parameters)
            }
        // A rate of 0 would be a pause that no client can tell from one.
        case .rate(0): .pause
        case .rate(let rate):
            rate.isFinite && rate > 0 ? .rate(min(max(rate, Limits.rate.lowerBound), Limits.rate.upperBound)) : nil
        case .volume(let volume):
            volume.isNaN ? nil : .volume(min(max(volume, Limits.volume.lowerBound), Limits.volume.upperBound))
        case .quit: nil
        }
    }

    /// Returns the item that a URI names; `nil` for a scheme that is not supported.
    static func item(at uri: String) -> String? {
        if let path = FileURI.path(of: uri) { return path }
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https" ? uri : nil
    }

    private func move(_ isPossible: Bool, forward: Bool, in view: PlayerProperties) -> SessionCommand? {
        guard isPossible else { return nil }
        return switch view.buttons {
        case .skip: .skip(forward: forward)
        case .chapter: .chapter(forward ? "next" : "previous")
        }
    }

    private func seek(by distance: Int64, from position: Int64, in view: PlayerProperties) -> SessionCommand? {
        let (target, isTooFar) = position.addingReportingOverflow(distance)
        // Within a chapter, a seek ends at its beginning; beyond its end it acts like the next track.
        if view.chapter != nil {
            if !isTooFar, target < 0 || distance < 0 { return Self.seek(to: view.start + max(target, 0), in: view) }
            if isTooFar ? distance > 0 : target > view.length ?? .max {
                guard let chapter = view.chapter, chapter + 1 < view.chapterCount else {
                    return Self.seek(to: view.start + (view.length ?? 0), in: view)
                }
                return Self.addressed(.chapter("\(chapter + 2)"), in: view)
            }
        }
        // The session knows the position of the moment when it acts.
        let sign = distance < 0 ? "-" : "+"
        return Self.addressed(.seek(sign + Self.seconds(distance == .min ? .max : abs(distance))), in: view)
    }

    private static func seek(to target: Int64, in view: PlayerProperties) -> SessionCommand {
        addressed(.seek(seconds(target)), in: view)
    }

    /// Addresses a command to the item that the remote has seen: if another one plays by now, nothing happens.
    private static func addressed(_ command: SessionCommand, in view: PlayerProperties) -> SessionCommand {
        .addressed(Address(item: view.uri), command)
    }

    /// Returns microseconds as the session reads a time.
    private static func seconds(_ microseconds: Int64) -> String {
        let milliseconds = min(microseconds / 1000, 9_000_000_000)
        let fraction = "\(milliseconds % 1000)"
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
