// SPDX-License-Identifier: Apache-2.0

import CConfinement
import Glibc

/// The reason why a process could not be confined although its kernel supports it.
public struct ConfinementFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call that failed, and its `errno`.
    public var call: String
    public var code: Int32

    public init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }

    public var description: String { "\(call): \(String(cString: strerror(code)))" }
}

extension Confinement {
    /// Confines the process for good, in every way except the filter of system calls.
    ///
    /// Call it only while the process has one thread: Landlock binds the thread that asks for it, and the threads that
    /// it starts.
    /// - Parameters:
    ///   - module: The path of the module that will be opened.
    ///   - content: A file that is opened by its path afterwards, if any. What the session opened, it hands over.
    ///   - fileBytes: The size up to which files that are already open may be written, if it is more than what
    ///     ``writes`` grants.
    ///   - isSanitized: `true` if the process runs under a sanitizer, which reserves terabytes and has threads of its
    ///     own before the program begins. Memory is then not bounded.
    public func enforce(
        module: String, content: String? = nil, fileBytes: UInt64 = 0, on kernel: KernelFeatures = .current,
        isSanitized: Bool
    ) throws(ConfinementFailure) {
        guard isSanitized || confinement_threads() == 1 else { throw ConfinementFailure("more than one thread", EBUSY) }
        if kernel.landlock > 0 { try restrictFiles(module: module, content, Int32(kernel.landlock)) }
        try check("capset", confinement_drop_capabilities())
        try check(
            "setrlimit",
            confinement_limit(
                isSanitized ? 0 : UInt64(memory) << 20, Self.descriptors, max(fileBytes, writes ? Self.largestFile : 0))
        )
    }

    private func check(_ call: String, _ code: Int32) throws(ConfinementFailure) {
        if code != 0 { throw ConfinementFailure(call, code) }
    }

    private func restrictFiles(module: String, _ content: String?, _ abi: Int32) throws(ConfinementFailure) {
        let rules = confinement_ruleset(abi, network ? 1 : 0)
        guard rules >= 0 else { throw ConfinementFailure("landlock_create_ruleset", errno) }
        defer { close(rules) }
        let own = folder ?? FilePath.folder(of: module)
        for path in readable(own) + [content].compactMap(\.self) { try allow(path, writable: false, rules, abi) }
        try allow("/dev/null", writable: true, rules, abi)
        try check("landlock_restrict_self", confinement_enforce(rules))
    }

    /// A path that does not exist, or that this user cannot access, needs no rule.
    private func allow(_ path: String, writable: Bool, _ rules: Int32, _ abi: Int32) throws(ConfinementFailure) {
        let code = confinement_allow(rules, abi, path, writable ? 1 : 0)
        guard [0, ENOENT, ENOTDIR, EACCES, ELOOP].contains(code) else {
            throw ConfinementFailure("landlock_add_rule \(path)", code)
        }
    }

    private func readable(_ own: String) -> [String] {
        var paths = ["/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc", own]
        paths += FilePath.foldersOfLoadedLibraries()
        // Other folders that the dynamic linker searches, and folders that libraries are told to find their data in.
        for name in ["LD_LIBRARY_PATH", "ESPEAK_DATA_PATH"] { paths += FilePath.named(in: name) }
        // Libraries choose their code by the processor, and say on standard error that they cannot.
        paths += ["/proc/self", "/proc/cpuinfo", "/sys/devices/system/cpu", "/dev/random", "/dev/urandom"]
        // Read-only, because a shared map of a file that is open for writing is memory that no limit counts.
        paths.append("/dev/zero")
        if voices { paths += FilePath.named(in: Self.voicesVariable) }
        if network {
            paths += ["SSL_CERT_FILE", "SSL_CERT_DIR"].flatMap(FilePath.named)
            // Services that manage the resolver keep the files here that /etc only links to.
            paths += ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"].compactMap(FilePath.resolve)
        }
        return paths
    }
}

/// Functions that find the paths that an engine may need to read.
enum FilePath {
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    }

    static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the absolute paths in an environment variable, except the root.
    static func named(in variable: String) -> [String] {
        guard let value = getenv(variable) else { return [] }
        return String(cString: value).split(separator: ":").map(String.init)
            .filter { $0.hasPrefix("/") && resolve($0) != "/" }
    }

    /// Returns the folders of the libraries that this program is linked with.
    ///
    /// The Swift runtime is beside the toolchain or in the install prefix; the linked libraries show where. A module
    /// loads more libraries from there.
    static func foldersOfLoadedLibraries() -> [String] {
        var folders: Set<String> = []
        withUnsafeMutablePointer(to: &folders) { folders in
            confinement_libraries(
                { path, data in
                    guard let path, let folders = data?.assumingMemoryBound(to: Set<String>.self) else { return }
                    let resolved = FilePath.resolve(String(cString: path)) ?? String(cString: path)
                    folders.pointee.insert(FilePath.folder(of: resolved))
                }, folders)
        }
        return folders.sorted()
    }
}
