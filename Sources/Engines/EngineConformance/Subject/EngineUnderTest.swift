// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineLoader
import Glibc

/// The module of the engine that is checked, opened as a host opens it.
struct EngineUnderTest {
    let module: LoadedModule
    let path: String
    private let report: CaseReport

    typealias Entry = @convention(c) (UInt32, UInt32) -> UnsafePointer<rostrum_engine_module>?

    init(_ engine: EngineDescription, _ report: CaseReport) throws(Finding) {
        self.report = report
        path = engine.module
        report.call = .open
        defer { report.call = nil }
        do throws(ModuleFailure) {
            module = try LoadedModule(path: engine.module, expectedID: engine.id)
        } catch {
            throw .fault(
                "opening the module", expected: "a module of version \(ROSTRUM_ABI_MAJOR).\(ROSTRUM_ABI_MINOR)",
                came: error.message, .functions)
        }
    }

    /// Calls the entry once more, as a host of another version would.
    func entry(major: UInt32 = UInt32(ROSTRUM_ABI_MAJOR), minor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
        // The module is already open, and stays so.
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD),
            let symbol = dlsym(handle, ROSTRUM_ENGINE_ENTRY_SYMBOL)
        else { return nil }
        report.call = .entry
        defer { report.call = nil }
        return unsafeBitCast(symbol, to: Entry.self)(major, minor)
    }
}
