// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A terminal that delivers keys without Enter and without echo while this is on.
final class RawTerminal {
    private let descriptor: Int32
    private var before: termios?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { turnOff() }

    var isOn: Bool { before != nil }

    /// Turns it on in the foreground only; a background job must not take the terminal from its shell.
    func turnOn() {
        guard before == nil, tcgetpgrp(descriptor) == getpgrp() else { return }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return }
        let original = settings
        // Signals stay enabled, so that Ctrl-C and Ctrl-Z have their usual meaning.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        if tcsetattr(descriptor, TCSADRAIN, &settings) == 0 { before = original }
    }

    func turnOff() {
        guard var settings = before else { return }
        before = nil
        tcsetattr(descriptor, TCSADRAIN, &settings)
    }
}
