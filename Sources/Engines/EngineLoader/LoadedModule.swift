// SPDX-License-Identifier: Apache-2.0

import CLibltdl
import EngineABI
import EngineTransport
import Glibc

/// An engine module in this process, for the life of the process: loaded code is never unloaded.
public struct LoadedModule: Sendable {
    public let id: String
    public let version: String
    public let abiMajor: UInt16
    public let abiMinor: UInt16
    public let functions: EngineFunctions

    /// The lock for libltdl, which has one error text and one list of modules for the whole process.
    private static let libltdl = LockedValue(())

    /// Opens the module at `path`, local and resident, and checks its description of itself.
    ///
    /// This runs constructors of foreign code: call it on the engine's thread, in the engine's process.
    public init(path: String, expectedID: String) throws(ModuleFailure) {
        let entry = try Self.libltdl.withLock { (_) throws(ModuleFailure) in try Self.entry(path) }
        guard let module = entry(UInt32(ROSTRUM_ABI_MAJOR), UInt32(ROSTRUM_ABI_MINOR)) else {
            throw ModuleFailure(
                .incompatible, "\(path): does not work with version \(Self.hostVersion) of the engine contract")
        }
        try self.init(reading: UnsafeRawPointer(module), path: path, expectedID: expectedID)
    }

    private static var hostVersion: String { "\(ROSTRUM_ABI_MAJOR).\(ROSTRUM_ABI_MINOR)" }

    private static func entry(
        _ path: String
    ) throws(ModuleFailure) -> @convention(c) (UInt32, UInt32) -> UnsafePointer<rostrum_engine_module>? {
        func reason() -> String { lt_dlerror().map { String(cString: $0) } ?? "no reason given" }
        // libltdl searches its own path for anything but an absolute path, and asserts that there is a file name.
        guard path.hasPrefix("/"), !path.hasSuffix("/") else {
            throw ModuleFailure(.unreadable, "cannot open \(path): not the absolute path of a file")
        }
        guard lt_dlinit() == 0 else { throw ModuleFailure(.unreadable, "libltdl: \(reason())") }
        var advise: lt_dladvise?
        guard lt_dladvise_init(&advise) == 0 else { throw ModuleFailure(.unreadable, "libltdl: \(reason())") }
        defer { lt_dladvise_destroy(&advise) }
        guard lt_dladvise_local(&advise) == 0, lt_dladvise_resident(&advise) == 0 else {
            throw ModuleFailure(.unreadable, "libltdl: \(reason())")
        }
        guard let handle = lt_dlopenadvise(path, advise) else {
            throw ModuleFailure(.unreadable, "cannot open \(path): \(linkerReason(path) ?? reason())")
        }
        guard let symbol = lt_dlsym(handle, ROSTRUM_ENGINE_ENTRY_SYMBOL) else {
            throw ModuleFailure(.malformed, "\(path): exports no \(ROSTRUM_ENGINE_ENTRY_SYMBOL)")
        }
        return unsafeBitCast(
            symbol, to: (@convention(c) (UInt32, UInt32) -> UnsafePointer<rostrum_engine_module>?).self)
    }

    /// Returns the dynamic linker's reason for refusing a file.
    ///
    /// libltdl reports "file not found" whatever was wrong, so this function asks the linker once more.
    private static func linkerReason(_ path: String) -> String? {
        guard access(path, R_OK) == 0, dlopen(path, RTLD_LAZY | RTLD_LOCAL) == nil, let words = dlerror() else {
            return nil
        }
        let line = String(cString: words)
        return line.hasPrefix(path + ": ") ? String(line.dropFirst(path.utf8.count + 2)) : line
    }

    /// Reads a module, and only what lies within the sizes that it states.
    private init(reading module: UnsafeRawPointer, path: String, expectedID: String) throws(ModuleFailure) {
        let size = Int(module.load(as: UInt32.self))
        guard let functionsOffset = MemoryLayout<rostrum_engine_module>.offset(of: \.functions),
            size >= functionsOffset + 8
        else { throw ModuleFailure(.malformed, "\(path): a module of \(size) bytes") }
        var own = rostrum_engine_module()
        let functionsSize = min(
            Int(module.load(fromByteOffset: functionsOffset, as: UInt32.self)), size - functionsOffset)
        withUnsafeMutableBytes(of: &own) { target in
            target.copyMemory(from: UnsafeRawBufferPointer(start: module, count: functionsOffset))
            UnsafeMutableRawBufferPointer(rebasing: target[functionsOffset...]).copyMemory(
                from: UnsafeRawBufferPointer(
                    start: module + functionsOffset,
                    count: min(functionsSize, MemoryLayout<rostrum_engine_functions>.size)))
        }
        guard own.abi_major == UInt16(ROSTRUM_ABI_MAJOR) else {
            throw ModuleFailure(
                .incompatible,
                "\(path): made for version \(own.abi_major).\(own.abi_minor) of the engine contract, this is \(Self.hostVersion)"
            )
        }
        guard let functions = EngineFunctions(own.functions) else {
            throw ModuleFailure(.malformed, "\(path): lacks functions of the engine contract")
        }
        let id = own.id.map { String(cString: $0) } ?? ""
        guard id == expectedID else {
            throw ModuleFailure(.malformed, "\(path): calls itself '\(id)', its manifest '\(expectedID)'")
        }
        self.id = id
        version = own.version.map { String(cString: $0) } ?? ""
        abiMajor = own.abi_major
        abiMinor = own.abi_minor
        self.functions = functions
    }
}
