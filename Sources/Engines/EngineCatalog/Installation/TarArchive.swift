// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// A tar archive, which is unpacked by the `tar` that every Debian system has.
///
/// `tar` itself drops leading slashes and refuses to go up or through links. Its output is checked afterwards.
struct TarArchive {
    typealias Failure = EngineInstaller.Failure

    var path: String
    /// The maximum size of the whole uncompressed archive, in bytes.
    ///
    /// This limit and `mostEntries` are a little above those of `EngineCopy`, so that `EngineCopy` reports an excess.
    var mostBytes = EngineCopy.mostBytes + 64 << 20
    var mostEntries = EngineCopy.mostEntries + 1
    var seconds = 60

    /// The maximum size of one file, in units of `ulimit -f`: 1 GiB.
    private static let largestFile = 2 << 20
    /// The time in which a killed process ends; one that takes longer waits in the kernel, and is left behind.
    private static let killMilliseconds = 700
    /// The exit codes of the commands below.
    private static let tooMany: Int32 = 3
    private static let tooLarge: Int32 = 4

    /// The shell command that unpacks the archive.
    ///
    /// It counts the entries before it unpacks anything, and passes at most `mostBytes` bytes to tar. `$1` is the
    /// archive, `$2` the folder; `gzip -f` passes through what is not compressed.
    private var command: String {
        """
        ulimit -f \(Self.largestFile)
        plain() { gzip -dcf <"$1"; }
        count=$(plain "$1" | tar --list --file=- --quoting-style=escape | head -n \(mostEntries + 1) | wc -l)
        [ "$count" -le \(mostEntries) ] || exit \(Self.tooMany)
        plain "$1" | head -c \(mostBytes) | tar --extract --file=- --directory="$2" --no-same-owner \
            --preserve-permissions --no-acls --no-xattrs --no-selinux && exit 0
        [ "$(plain "$1" | head -c \(mostBytes + 1) | wc -c)" -le \(mostBytes) ] || exit \(Self.tooLarge)
        exit 1
        """
    }

    /// Unpacks the archive into a folder that is private and empty.
    func unpack(into folder: String) throws(Failure) {
        // Modes are kept so that a set-id bit is seen and refused; owners are not.
        let words = Self.copies(["/bin/sh", "-c", command, "sh", path, folder])
        let environment = Self.copies(["PATH=/usr/bin:/bin", "LC_ALL=C"])
        defer { for word in words + environment { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        gnu_spawn_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var child: pid_t = 0
        let error = posix_spawn(&child, "/bin/sh", &actions, &attributes, words, environment)
        guard error == 0 else {
            errno = error
            throw EngineInstaller.failure(.unavailable, "cannot start tar for \(path)")
        }
        switch try wait(for: child) {
        case 0: return
        case Self.tooMany:
            throw Failure(.badContent, "\(path) holds more than \(mostEntries) files, more than an engine may have")
        case Self.tooLarge:
            throw Failure(
                .badContent, "\(path) unpacks to more than \(mostBytes >> 20) MiB, more than an engine may have")
        default: throw Failure(.badContent, "\(path) is not a tar archive that tar can read; try `tar -tf` on it")
        }
    }

    /// Returns C copies of strings, with a `nil` at the end.
    private static func copies(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        strings.map { (string: String) in strdup(string) } + [nil]
    }

    /// Waits for a process and returns its exit code, or -1 if a signal ended it.
    ///
    /// A process that takes too long is killed.
    private func wait(for child: pid_t) throws(Failure) -> Int32 {
        let process = gnu_process_descriptor(child)
        defer { if process >= 0 { close(process) } }
        let isInTime = Self.ends(process, within: seconds * 1000)
        if !isInTime {
            kill(-child, SIGKILL)
            _ = Self.ends(process, within: Self.killMilliseconds)
        }
        var status: Int32 = 0
        let reaped = waitpid(child, &status, WNOHANG)
        guard isInTime, reaped == child else {
            throw Failure(
                .badContent, "\(path) took longer than \(seconds) s to unpack; unpack it, and install the folder")
        }
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }

    /// Waits until a process has ended, or returns `false` after so long.
    private static func ends(_ process: Int32, within milliseconds: Int) -> Bool {
        guard process >= 0 else { return false }
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard left > 0 else { return false }
            var entry = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
            if gnu_poll(&entry, 1, Int32(clamping: Int(left) + 1)) > 0 { return true }
        }
    }
}
