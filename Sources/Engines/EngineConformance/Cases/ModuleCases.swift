// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineLoader
import Glibc

/// Cases for a module before any engine exists.
enum ModuleCases {
    static let all = [
        ConformanceCase("module.symbols", "the module exports the entry and nothing else", symbols),
        ConformanceCase("module.entry", "the entry returns a module that is what its manifest says", entry),
        ConformanceCase("module.hosts", "the module loads in a host of any minor version", hosts),
        ConformanceCase("module.majors", "the module declines hosts of another major version", majors),
        ConformanceCase("module.loading", "loading is quick and starts no threads", loading),
    ]

    private static func symbols(_ context: CaseContext) throws(Finding) {
        guard let names = ExportedSymbols.names(in: context.engine.module) else {
            throw .skip("\(context.engine.module) has no table of symbols that can be read")
        }
        let others = names.filter { $0 != ROSTRUM_ENGINE_ENTRY_SYMBOL }
        try expect(
            names.contains(ROSTRUM_ENGINE_ENTRY_SYMBOL), "the module's table of symbols",
            expected: ROSTRUM_ENGINE_ENTRY_SYMBOL, came: "no such symbol", .oneSymbol)
        try expect(
            others.isEmpty, "the module's table of symbols", expected: "\(ROSTRUM_ENGINE_ENTRY_SYMBOL) alone",
            came: "\(others.count) more: \(others.sorted().prefix(5).joined(separator: ", "))", .oneSymbol)
    }

    private static func entry(_ context: CaseContext) throws(Finding) {
        let subject = try EngineUnderTest(context.engine, context.report)
        guard let module = subject.entry(minor: UInt32(ROSTRUM_ABI_MINOR)) else {
            throw .fault("rostrum_engine_entry, called again", expected: "a module", came: "NULL", .minorVersions)
        }
        try expect(
            module.pointee.abi_minor <= 1000 && module.pointee.size >= MemoryLayout<rostrum_engine_module>.size,
            "rostrum_engine_entry", expected: "a module of at least \(MemoryLayout<rostrum_engine_module>.size) bytes",
            came: "size \(module.pointee.size), version \(module.pointee.abi_major).\(module.pointee.abi_minor)", .sizes
        )
        try expect(
            module.pointee.functions.size >= MemoryLayout<rostrum_engine_functions>.size, "rostrum_engine_entry",
            expected: "functions of at least \(MemoryLayout<rostrum_engine_functions>.size) bytes",
            came: "size \(module.pointee.functions.size)", .sizes)
        let id = CText.read(module.pointee.id).text
        let isID =
            (1...32).contains(id.utf8.count)
            && id.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
        try expect(isID, "rostrum_engine_entry", expected: "an id", came: "“\(id)”", .module)
        let version = CText.read(module.pointee.version)
        try expect(
            version.fault(isLine: true) == nil && (1...256).contains(version.text.utf8.count), "rostrum_engine_entry",
            expected: "a version in one line",
            came: version.fault(isLine: true).map { "one \($0)" } ?? "one of \(version.text.utf8.count) bytes", .strings
        )
    }

    private static func hosts(_ context: CaseContext) throws(Finding) {
        let subject = try EngineUnderTest(context.engine, context.report)
        for minor in [UInt32(ROSTRUM_ABI_MINOR) + 1, 1000] {
            let host = "\(ROSTRUM_ABI_MAJOR).\(minor)"
            try expect(
                subject.entry(minor: minor) != nil, "rostrum_engine_entry (host \(host))", expected: "a module",
                came: "NULL", .minorVersions)
        }
    }

    private static func majors(_ context: CaseContext) throws(Finding) {
        let subject = try EngineUnderTest(context.engine, context.report)
        // These are versions that are not 1.x and that the module's author could not have known.
        for major in [0, UInt32(ROSTRUM_ABI_MAJOR) + 1, 1000, UInt32.max] {
            guard let module = subject.entry(major: major, minor: 0) else { continue }
            // A module of a later version is valid if it says so.
            if major == UInt32(ROSTRUM_ABI_MAJOR) + 1, UInt32(module.pointee.abi_major) == major { continue }
            throw .fault(
                "rostrum_engine_entry (host \(major).0)", expected: "NULL",
                came: "a module of version \(module.pointee.abi_major).\(module.pointee.abi_minor)", .majorVersions)
        }
    }

    private static func loading(_ context: CaseContext) throws(Finding) {
        let threads = ProcessState.threadCount()
        let began = monotonicSeconds()
        let subject = try EngineUnderTest(context.engine, context.report)
        let opened = monotonicSeconds() - began
        // The time that the linker takes to read libraries is not the engine's fault; the entry alone must be quick.
        let again = monotonicSeconds()
        _ = subject.entry(minor: UInt32(ROSTRUM_ABI_MINOR))
        let entry = monotonicSeconds() - again
        try expect(
            entry < 0.2 && opened < 2, "opening the module, and rostrum_engine_entry",
            expected: "at most 2 s, and 0.2 s for the entry", came: "\(format(opened)) s, and \(format(entry)) s",
            .loader)
        let after = ProcessState.threadCount()
        try expect(
            after <= threads, "opening the module", expected: "\(threads) threads, as before", came: "\(after)", .loader
        )
    }
}
