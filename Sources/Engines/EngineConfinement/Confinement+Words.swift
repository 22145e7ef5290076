// SPDX-License-Identifier: Apache-2.0

extension Confinement {
    /// The protections that hold on a kernel, with the mechanism of each, and those that do not, as lines for people.
    public struct Words: Sendable, Hashable {
        public var enforced: [String] = []
        public var missing: [String] = []
    }

    public func words(on kernel: KernelFeatures) -> Words {
        var words = Words()
        /// Adds a line; Landlock can enforce it from a version of its interface on, if at all.
        func say(_ effect: String, landlock since: Int? = nil, seccomp: Bool = true) {
            var means: [String] = []
            if let since, kernel.landlock >= since { means.append("Landlock") }
            if seccomp, kernel.filters { means.append("seccomp") }
            if means.isEmpty {
                words.missing.append(effect)
            } else {
                words.enforced.append("\(effect) (\(means.joined(separator: ", ")))")
            }
        }
        say(
            "of files, reads the system's libraries, /etc and its own folder\(voices ? ", the voices, as granted" : ""), and what the session hands over",
            landlock: 1, seccomp: false)
        say("writes, makes, renames and deletes no file", landlock: 3)
        say("changes no mode, owner, time or attribute of a file")
        if network {
            say("network, as granted: sockets for IP only, and it never listens")
        } else {
            say("no network: makes no TCP connection", landlock: 4)
            say("no network: opens no socket of any kind")
        }
        say("starts no program", landlock: 1)
        say("starts no other process")
        say("signals and traces no other process", landlock: 6)
        say("sends no commands to devices", landlock: 5, seccomp: false)
        say("changes no setting of the system or of other processes")
        say("has no memory beyond what the limit counts")
        let bytes =
            writes
            ? "writes, as granted, at most \(Self.largestFile >> 20) MiB to a file, which the session hands over"
            : "writes no byte to a file"
        words.enforced.append(
            "uses at most \(memory) MiB of memory and \(Self.descriptors) open files, and \(bytes) (limits)")
        words.enforced.append("has no capabilities, gains no privileges, and sees none of the user's variables")
        return words
    }
}
