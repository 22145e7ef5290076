// SPDX-License-Identifier: Apache-2.0

/// What the process of one engine keeps: what its manifest asks for and the user grants, and no more.
public struct Confinement: Sendable, Hashable {
    /// TCP, UDP and the resolver; without it no socket at all.
    public var network: Bool
    /// Of its own, in MiB.
    public var memory: Int
    /// The engine's own files; the folder of the module if nil.
    public var folder: String?

    public static let defaultMemory = 1024
    /// What a manifest may ask for.
    public static let memoryRange = 64...4096
    /// Open at a time.
    static let descriptors: UInt64 = 256

    public init(network: Bool = false, memory: Int = Confinement.defaultMemory, folder: String? = nil) {
        self.network = network
        self.memory = memory
        self.folder = folder
    }

    /// For the command line of the runner.
    public var arguments: [String] {
        (network ? ["--network"] : []) + ["--memory=\(memory)"] + (folder.map { ["--folder=\($0)"] } ?? [])
    }

    /// nil if an argument is none of those.
    public init?(arguments: some Sequence<String>) {
        self.init()
        for argument in arguments {
            if argument == "--network" {
                network = true
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
