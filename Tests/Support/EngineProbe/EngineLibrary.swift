// SPDX-License-Identifier: Apache-2.0

package import EngineABI
import Glibc

/// The built module of an engine, opened like a host opens it.
///
/// Tests use the file and not the target, because every engine defines the same entry symbol, and one test bundle holds
/// the tests of all engines.
package struct EngineLibrary: @unchecked Sendable /* a pointer to constants that live for ever */ {
    package let module: UnsafePointer<rostrum_engine_module>

    package var id: String { module.pointee.id.map { String(cString: $0) } ?? "" }

    /// Opens `lib<product>.so` in the folder of the test program.
    package init(product: String) throws(ProbeFailure) {
        try self.init(path: Self.buildFolder() + "/lib\(product).so")
    }

    package init(path: String, hostMajor: UInt32 = UInt32(ROSTRUM_ABI_MAJOR)) throws(ProbeFailure) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw ProbeFailure(0, dlerror().map { String(cString: $0) } ?? "cannot open \(path)")
        }
        guard let symbol = dlsym(handle, ROSTRUM_ENGINE_ENTRY_SYMBOL) else {
            throw ProbeFailure(0, "\(path) has no \(ROSTRUM_ENGINE_ENTRY_SYMBOL)")
        }
        typealias Entry = @convention(c) (UInt32, UInt32) -> UnsafePointer<rostrum_engine_module>?
        let entry = unsafeBitCast(symbol, to: Entry.self)
        guard let module = entry(hostMajor, UInt32(ROSTRUM_ABI_MINOR)) else {
            throw ProbeFailure(0, "\(path) does not work with host version \(hostMajor)")
        }
        self.module = module
    }

    /// Returns the folder of the running program, which is SwiftPM's build folder.
    private static func buildFolder() -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = max(0, readlink("/proc/self/exe", &path, path.count))
        let program = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
    }
}

/// A failed call of the engine, or a rule of the contract that it broke (code 0).
package struct ProbeFailure: Error, CustomStringConvertible {
    package var code: rostrum_result
    package var message: String

    package init(_ code: rostrum_result, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(message) (\(code))" }
}
