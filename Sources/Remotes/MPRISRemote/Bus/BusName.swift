// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The well-known names by which remotes find the session.
enum BusName {
    /// The names in the order in which they are asked for.
    ///
    /// Sessions in containers share a bus and may have the same process number.
    static var all: [String] { [first, instance] + (2...9).map { "\(instance)_\($0)" } }

    /// The name of the one session that a user normally has.
    static let first = "org.mpris.MediaPlayer2.rostrum"

    /// The name of another instance, in the form that the specification gives for it.
    static var instance: String { "\(first).instance\(getpid())" }
}
