// SPDX-License-Identifier: Apache-2.0

import EngineConfinement
import Foundation
import Testing

/// Tests with kernels that have less than the running one, which `Tests/Fixtures/Engines/oldkernel.c` imitates.
extension EngineBridgeTests.ConfinementTests {
    /// The means that refuse an attempt of `forbidden.c`: Landlock since a version of its interface, the filter, or
    /// both.
    private struct Means {
        var landlock: Int?
        var filter = true

        func refuses(on kernel: KernelFeatures) -> Bool {
            filter && kernel.filters || landlock.map { kernel.landlock >= $0 } ?? false
        }
    }

    /// The attempts, without those that also depend on the user and the machine.
    private static let attempts: [String: Means] = [
        "read-file": Means(landlock: 1, filter: false), "list-folder": Means(landlock: 1, filter: false),
        "write-file": Means(landlock: 1), "make-file": Means(landlock: 1), "make-folder": Means(landlock: 1),
        "link-file": Means(landlock: 1), "rename-file": Means(landlock: 1), "change-mode": Means(),
        "tcp": Means(landlock: 4), "udp": Means(), "listen": Means(), "session": Means(),
        "abstract": Means(landlock: 6), "datagrams": Means(), "fork": Means(), "clone3": Means(),
        "kill": Means(landlock: 6), "process-descriptor": Means(), "descriptor-owner": Means(), "outlive": Means(),
        "uncounted-memory": Means(), "uncounted-zeroes": Means(landlock: 1), "uncounted-stack": Means(),
        "name-abstract": Means(), "name-socket": Means(landlock: 1), "shared-segment": Means(), "watch": Means(),
        "limit-parent": Means(),
    ]
    /// The attempts that fail on every kernel, because of limits or because there is nothing to reach.
    private static let always: Set<String> = ["inherited", "environment", "too-much-memory", "uncounted-file"]
    /// An attempt for each phrase about the confinement.
    private static let words: [(attempt: String, words: String)] = [
        ("read-file", "of files, reads"), ("write-file", "writes, makes"), ("rename-file", "writes, makes"),
        ("change-mode", "changes no mode"), ("tcp", "no network: makes no TCP"), ("udp", "no network: opens no socket"),
        ("fork", "starts no other process"), ("kill", "signals and traces"), ("limit-parent", "changes no setting"),
        ("uncounted-memory", "has no memory beyond"),
    ]

    /// Returns a runner on a kernel that has no more than this.
    private func runner(on kernel: KernelFeatures) throws -> String {
        let folder = try FixtureModule.temporaryFolder()
        try FixtureModule.compile(
            "oldkernel.c", to: folder + "/oldkernel.so",
            ["-shared", "-fPIC", "-DLANDLOCK=\(kernel.landlock)", "-DFILTERS=\(kernel.filters ? 1 : 0)", "-ldl"])
        let script = folder + "/runner.sh"
        let text = "#!/bin/sh\nLD_PRELOAD='\(folder)/oldkernel.so' exec '\(BuildProducts.runner)' \"$@\"\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: script))
        chmod(script, 0o755)
        return script
    }

    @Test(arguments: [
        KernelFeatures(landlock: 0, filters: true), KernelFeatures(landlock: 1, filters: true),
        KernelFeatures(landlock: 2, filters: true), KernelFeatures(landlock: 3, filters: true),
        KernelFeatures(landlock: 4, filters: true), KernelFeatures(landlock: 5, filters: true),
        KernelFeatures(landlock: 6, filters: false), KernelFeatures(landlock: 4, filters: false),
        KernelFeatures(landlock: 0, filters: false),
    ])
    func `the features of a kernel are enforced, and exactly the missing ones are reported`(
        _ kernel: KernelFeatures
    ) async throws {
        let free = try unconfined(["-DNO_EXEC"])
        let found = try await confined(Confinement(), ["-DNO_EXEC"], runner: runner(on: kernel))
        let missing = Confinement().words(on: kernel).missing
        for when in ["constructor", "render"] {
            let outcomes = try #require(found[when])
            for what in Self.needed where what != "null" || kernel.landlock > 0 || !kernel.filters {
                #expect(outcomes[what] == 0, "\(when): \(what)")
            }
            for what in Self.always where Self.isLimited(what) {
                #expect(outcomes[what] != 0, "\(when): \(what) works")
            }
            for (what, means) in Self.attempts {
                let code = try #require(outcomes[what], "\(what)")
                let said = "\(when): \(what): \(String(cString: strerror(code)))"
                if means.refuses(on: kernel) {
                    #expect(code != 0 && code != free[what], "\(said)")
                } else {
                    #expect(code == free[what], "\(said)")
                }
            }
            for (attempt, words) in Self.words {
                let isMissing = missing.contains { $0.hasPrefix(words) }
                #expect((outcomes[attempt] == free[attempt]) == isMissing, "\(when): \(attempt), “\(words)…”")
            }
        }
    }
}
