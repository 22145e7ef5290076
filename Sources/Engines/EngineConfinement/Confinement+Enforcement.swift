// SPDX-License-Identifier: Apache-2.0

import CConfinement
import Glibc

/// Why a process could not be confined, although its kernel can do it.
public struct ConfinementFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call that failed, and its errno.
    public var call: String
    public var code: Int32

    public init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }

    public var description: String { "\(call): \(String(cString: strerror(code)))" }
}

extension Confinement {
    /// Gives up everything but this, for good: all that is not the filter of system calls.
    ///
    /// Only while the process has one thread: Landlock binds the thread that asks for it, and those that it starts.
    /// - Parameters:
    ///   - module: path of the module that will be opened.
    ///   - content: a file that is opened by its path afterwards, if any is; the session hands over what it opened.
    ///   - fileBytes: how far a file may be written that is open already.
    ///   - isSanitized: a sanitizer reserves terabytes, and has threads of its own, before the program begins; then memory
    ///     is not bounded.
    public func enforce(
        module: String, content: String? = nil, fileBytes: UInt64 = 0, on kernel: KernelFeatures = .current,
        isSanitized: Bool
    ) throws(ConfinementFailure) {
        guard isSanitized || confinement_threads() == 1 else { throw ConfinementFailure("more than one thread", EBUSY) }
        if kernel.landlock > 0 { try restrictFiles(module: module, content, Int32(kernel.landlock)) }
        try check("capset", confinement_drop_capabilities())
        try check(
            "setrlimit", confinement_limit(isSanitized ? 0 : UInt64(memory) << 20, Self.descriptors, fileBytes))
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

    /// A place that is not there, or is closed to this user, needs no rule.
    private func allow(_ path: String, writable: Bool, _ rules: Int32, _ abi: Int32) throws(ConfinementFailure) {
        let code = confinement_allow(rules, abi, path, writable ? 1 : 0)
        guard [0, ENOENT, ENOTDIR, EACCES, ELOOP].contains(code) else {
            throw ConfinementFailure("landlock_add_rule \(path)", code)
        }
    }

    private func readable(_ own: String) -> [String] {
        var paths = ["/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc", own]
        paths += FilePath.foldersOfLoadedLibraries()
        // Where else the dynamic linker looks, and where libraries are told that their data are.
        for name in ["LD_LIBRARY_PATH", "ESPEAK_DATA_PATH"] { paths += FilePath.named(in: name) }
        paths += ["/proc/self", "/sys/devices/system/cpu", "/dev/random", "/dev/urandom"]
        // For reading only: a shared map of what is open for writing is memory that no limit counts.
        paths.append("/dev/zero")
        if network {
            paths += ["SSL_CERT_FILE", "SSL_CERT_DIR"].flatMap(FilePath.named)
            // Where services that manage the resolver keep what /etc only links to.
            paths += ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf"].compactMap(FilePath.resolve)
        }
        return paths
    }
}

/// Paths that an engine may need to read.
enum FilePath {
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    }

    static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whole paths in a variable of the environment; the root is not one of them.
    static func named(in variable: String) -> [String] {
        guard let value = getenv(variable) else { return [] }
        return String(cString: value).split(separator: ":").map(String.init)
            .filter { $0.hasPrefix("/") && resolve($0) != "/" }
    }

    /// The Swift runtime lies beside the toolchain or in the install prefix; what this program was linked with tells
    /// where, and a module takes more from there.
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
