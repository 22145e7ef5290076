// SPDX-License-Identifier: Apache-2.0

/// The rights that the process of one engine keeps: those that its manifest requests and the user grants, and no more.
public struct Confinement: Sendable, Hashable {
    /// `true` if TCP, UDP and the resolver are allowed; otherwise no socket is.
    public var network: Bool
    /// `true` if the process may write into files that the session hands over open for writing.
    public var writes: Bool
    /// `true` if the process may read the folder of voices, which the variable ``voicesVariable`` names.
    public var voices: Bool
    /// The limit on the process's own memory, in MiB.
    public var memory: Int
    /// The folder with the engine's own files; the folder of the module if `nil`.
    public var folder: String?

    public static let defaultMemory = 1024
    /// The range of memory limits that a manifest may request, in MiB.
    public static let memoryRange = 64...4096
    /// The maximum number of file descriptors that are open at a time.
    static let descriptors: UInt64 = 256

    /// The maximum size of a file that a process with ``writes`` may write, in bytes: 4 GiB, six hours of stereo in a WAV.
    public static let largestFile: UInt64 = 4 << 30

    /// The variable of the environment with the folder of voices and of what speaks them.
    public static let voicesVariable = "ROSTRUM_VOICES"

    public init(
        network: Bool = false, writes: Bool = false, voices: Bool = false, memory: Int = Confinement.defaultMemory,
        folder: String? = nil
    ) {
        self.network = network
        self.writes = writes
        self.voices = voices
        self.memory = memory
        self.folder = folder
    }

    /// The arguments for the command line of the runner.
    public var arguments: [String] {
        (network ? ["--network"] : []) + (writes ? ["--writes"] : []) + (voices ? ["--voices"] : [])
            + ["--memory=\(memory)"]
            + (folder.map { ["--folder=\($0)"] } ?? [])
    }

    /// Creates a confinement from `arguments`, or returns `nil` if one of them is unknown.
    public init?(arguments: some Sequence<String>) {
        self.init()
        for argument in arguments {
            if argument == "--network" {
                network = true
            } else if argument == "--writes" {
                writes = true
            } else if argument == "--voices" {
                voices = true
            } else if argument.hasPrefix("--memory="), let memory = Int(argument.dropFirst("--memory=".count)),
                Self.memoryRange.contains(memory)
            {
                self.memory = memory
            } else if argument.hasPrefix("--folder=/") {
                folder = String(argument.dropFirst("--folder=".count))
            } else {
                return nil
            }
        }
    }
}
