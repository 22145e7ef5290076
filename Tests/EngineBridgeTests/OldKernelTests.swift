// SPDX-License-Identifier: Apache-2.0

import EngineConfinement
import Foundation
import Testing

/// Kernels that have less than the one that runs: `Tests/Fixtures/Engines/oldkernel.c` answers for them.
extension EngineBridgeTests.ConfinementTests {
    /// What refuses an attempt of `forbidden.c`: Landlock since a version of its interface, the filter, or both.
    private struct Means {
        var landlock: Int?
        var filter = true

        func refuses(on kernel: KernelFeatures) -> Bool {
            filter && kernel.filters || landlock.map { kernel.landlock >= $0 } ?? false
        }
    }

    /// What depends on the user and on the machine, too, is not in it.
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
    /// By limits, or because it is not there: on every kernel.
    private static let always: Set<String> = ["inherited", "environment", "too-much-memory", "uncounted-file"]
    /// What the words are about.
    private static let words: [(attempt: String, words: String)] = [
        ("read-file", "of files, reads"), ("write-file", "writes, makes"), ("rename-file", "writes, makes"),
        ("change-mode", "changes no mode"), ("tcp", "no network: makes no TCP"), ("udp", "no network: opens no socket"),
        ("fork", "starts no other process"), ("kill", "signals and traces"), ("limit-parent", "changes no setting"),
        ("uncounted-memory", "has no memory beyond"),
    ]

    /// A runner on a kernel that has no more than this.
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
    func `what a kernel has is enforced, and what is said to be missing is missing`(
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
