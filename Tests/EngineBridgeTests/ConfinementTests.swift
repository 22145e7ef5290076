// SPDX-License-Identifier: Apache-2.0

import AudioSession
import EngineBridge
import EngineConfinement
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

extension EngineBridgeTests {
    /// Tests of what a malicious engine can do.
    ///
    /// `Tests/Fixtures/Engines/forbidden.c` makes the attempts, in its constructor and when it renders, and reports the
    /// outcomes.
    @Suite(
        .timeLimit(.minutes(1)), .disabled(if: BuildProducts.isSanitized),
        .enabled(
            if: KernelFeatures.current.landlock >= 6 && KernelFeatures.current.filters,
            "needs a kernel with Landlock ABI 6 and seccomp"))
    struct ConfinementTests {
        /// A user's folder, a session's socket and a port, which the engine tries to reach.
        final class Bait {
            let home: String
            let tcp: Int32
            let unix: Int32
            let abstract: Int32
            let port: UInt16
            var secret: String { home + "/secret" }

            init() throws {
                home = try FixtureModule.temporaryFolder()
                try Data("secret".utf8).write(to: URL(fileURLWithPath: home + "/secret"))
                chmod(home + "/secret", 0o600)
                let tcp = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
                var size = socklen_t(MemoryLayout<sockaddr_in>.size)
                let bound = withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                        bind(tcp, address, size) == 0 && listen(tcp, 64) == 0 && getsockname(tcp, address, &size) == 0
                    }
                }
                try #require(bound)
                self.tcp = tcp
                port = UInt16(bigEndian: address.sin_port)
                unix = Self.listening(at: home + "/session.sock", isAbstract: false)
                abstract = Self.listening(at: "rostrum-test-\(getpid())", isAbstract: true)
                try #require(unix >= 0 && abstract >= 0)
            }

            private static func listening(at path: String, isAbstract: Bool) -> Int32 {
                let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { room in
                    for (index, byte) in path.utf8.enumerated() { room[index + (isAbstract ? 1 : 0)] = byte }
                }
                let bound = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    }
                }
                return bound && listen(descriptor, 64) == 0 ? descriptor : -1
            }

            deinit {
                for descriptor in [tcp, unix, abstract] { close(descriptor) }
                try? FileManager.default.removeItem(atPath: home)
            }

            func flags(own: String) -> [String] {
                [
                    "-DHOME_FOLDER=\"\(home)\"", "-DSECRET=\"\(secret)\"", "-DNEW=\"\(home)/new\"",
                    "-DSESSION=\"\(home)/session.sock\"", "-DABSTRACT=\"rostrum-test-\(getpid())\"", "-DPORT=\(port)",
                    "-DOWN=\"\(own)\"",
                ]
            }
        }

        let reactor: EngineReactor
        let bait: Bait
        /// The attempts that must succeed, whatever is granted.
        static let needed: Set<String> = [
            "thread", "random", "null", "libraries", "own-files", "processors", "some-memory",
        ]
        static let needsNetwork: Set<String> = ["tcp", "udp"]
        /// The attempts that some machines refuse to everybody but root.
        static let oftenRefused: Set<String> = ["ptrace", "memory-of-parent", "namespace", "perf", "bpf", "faults"]

        init() throws {
            reactor = try EngineReactor()
            bait = try Bait()
        }

        /// Returns the outcome of each attempt of a program that is not confined.
        func unconfined(_ flags: [String] = []) throws -> [String: Int32] {
            let program = try FixtureModule.temporaryFolder() + "/forbidden"
            try FixtureModule.compile("forbidden.c", to: program, ["-DPROGRAM"] + flags + bait.flags(own: program))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.environment = ["ROSTRUM_TEST_SECRET": "x"]
            process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: bait.secret))
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return Self.outcomes(text.split(separator: "\n").map { $0.split(separator: " ") })
        }

        private static func outcomes(_ lines: [[Substring]]) -> [String: Int32] {
            Dictionary(
                lines.compactMap { words in
                    guard words.count >= 2, let code = Int32(words[words.count - 1]) else { return nil }
                    return (String(words[words.count - 2]), code)
                }, uniquingKeysWith: { $1 })
        }

        /// Returns the outcome of each attempt of an engine, by the time of the attempt.
        func confined(
            _ confinement: Confinement, _ flags: [String] = [], runner: String = BuildProducts.runner
        ) async throws -> [String: [String: Int32]] {
            let module = try FixtureModule.temporaryFolder() + "/forbidden.so"
            let shared = ["-shared", "-fPIC", "-fvisibility=hidden"]
            try FixtureModule.compile("forbidden.c", to: module, shared + flags + bait.flags(own: module))
            // An open file and a variable of the session, which its children would inherit by default.
            let inheritable = open(bait.secret, O_RDONLY)
            defer { close(inheritable) }
            setenv("ROSTRUM_TEST_SECRET", "x", 1)
            defer { unsetenv("ROSTRUM_TEST_SECRET") }
            let engine = try HostedEngine(
                EngineLaunch(
                    id: EngineID("forbidden"), module: module, hosting: .isolated(runner: runner),
                    confinement: confinement), reactor: reactor)
            _ = try await engine.load(LoadRequest(fixture()))
            #expect(engine.source.take()?.isEnd == true)
            await engine.shutDown()
            var lines: [String: [[Substring]]] = [:]
            for await event in engine.events {
                guard case .log(_, let line) = event else { continue }
                let words = line.split(separator: " ")
                lines[String(words.first ?? ""), default: []].append(words)
            }
            return lines.mapValues(Self.outcomes)
        }

        /// Returns `false` for a limit that does not apply under the address sanitizer.
        ///
        /// The sanitizer reserves more memory than any limit would allow, so there is no limit then.
        static func isLimited(_ what: String) -> Bool {
            what != "too-much-memory" || dlsym(nil, "__asan_init") == nil
        }

        @Test(arguments: [false, true])
        func `an engine can do what it needs, and nothing that is not granted`(_ network: Bool) async throws {
            let free = try unconfined()
            let found = try await confined(Confinement(network: network))
            let allowed = Self.needed.union(network ? Self.needsNetwork : [])
            for when in ["constructor", "render"] {
                let outcomes = try #require(found[when])
                #expect(outcomes.count == free.count)
                for (what, code) in outcomes.sorted(by: { $0.key < $1.key }) where Self.isLimited(what) {
                    let reason = String(cString: strerror(code))
                    if allowed.contains(what) {
                        #expect(code == 0, "\(when): \(what): \(reason)")
                    } else {
                        #expect(code != 0, "\(when): \(what) works")
                        // It must not be refused for an unrelated reason.
                        let always = Self.oftenRefused.contains(what) && free[what] == EPERM
                        #expect(free[what] != code || always, "\(when): \(what): \(reason), also without confinement")
                    }
                }
            }
            #expect(try String(contentsOfFile: bait.secret, encoding: .utf8) == "secret")
        }

        @Test func `an engine that requests more memory than the default gets it`() async throws {
            let found = try await confined(Confinement(memory: 4096))
            #expect(found["render"]?["too-much-memory"] == 0)
            for what in ["memory", "zeroes", "stack"] { #expect(found["render"]?["uncounted-\(what)"] != 0) }
        }

        @Test func `an engine under the GPL is not loaded into this process`() async throws {
            let launch = EngineLaunch(
                id: EngineID("fixture"), module: try FixtureModule.standard.get(), hosting: .inProcess,
                license: "MIT AND GPL-2.0-or-later")
            let engine = try HostedEngine(launch, reactor: reactor)
            #expect(await engine.fate()?.kind == .refused)
            // In a process of its own it may have any licence.
            let isolated = EngineLaunch(
                id: EngineID("fixture"), module: try FixtureModule.standard.get(), hosting: TestHosting.isolated.launch,
                license: "GPL-3.0-only")
            let other = try HostedEngine(isolated, reactor: reactor)
            _ = try await other.load(LoadRequest(fixture()))
            await other.shutDown()
        }
    }

    @Suite struct ConfinementArgumentTests {
        @Test(arguments: [
            Confinement(), Confinement(network: true), Confinement(memory: 4096, folder: "/x/y z.engine"),
        ])
        func `the runner receives the confinement that the session sent`(_ confinement: Confinement) {
            #expect(Confinement(arguments: confinement.arguments) == confinement)
        }

        @Test(arguments: [["--Network"], ["--memory=0"], ["--memory=99999999"], ["--memory="], ["--folder=x"], [""]])
        func `the runner refuses unknown arguments`(_ arguments: [String]) {
            #expect(Confinement(arguments: arguments) == nil)
        }

        @Test func `features that a kernel lacks are named`() {
            let none = Confinement().words(on: KernelFeatures(landlock: 0, filters: false))
            let all = Confinement().words(on: KernelFeatures(landlock: 7, filters: true))
            #expect(none.enforced.count == 2 && none.missing.count == 11)
            #expect(all.enforced.count == 13 && all.missing.isEmpty)
            let older = Confinement(network: true).words(on: KernelFeatures(landlock: 4, filters: true))
            #expect(older.missing == ["sends no commands to devices"])
            #expect(older.enforced.contains("signals and traces no other process (seccomp)"))
            let noFilter = Confinement().words(on: KernelFeatures(landlock: 4, filters: false))
            #expect(noFilter.enforced.contains("no network: makes no TCP connection (Landlock)"))
            #expect(noFilter.missing.contains("no network: opens no socket of any kind"))
            #expect(noFilter.missing.contains("changes no mode, owner, time or attribute of a file"))
            #expect(noFilter.enforced.contains("starts no program (Landlock)"))
        }
    }
}
