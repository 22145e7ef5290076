// SPDX-License-Identifier: Apache-2.0

import EngineABI
import Glibc

/// Cases for what an engine leaves behind in its process.
enum ProcessCases {
    static let all = [
        ConformanceCase("process.stdout", "nothing is written to stdout", stdout),
        ConformanceCase("process.state", "locale, working directory and signal handlers stay as they were", state),
        ConformanceCase("process.host", "the host is called where and as the contract allows", host),
        ConformanceCase("process.descriptors", "no descriptor stays open", descriptors),
        ConformanceCase("process.threads", "no thread stays behind", threads),
        ConformanceCase("process.memory", "two hundred loads leave no memory behind", deadline: 60, memory),
    ]

    /// Does everything that happens in a session, once.
    private static func live(_ subject: Subject, _ context: CaseContext) throws(Finding) {
        try context.forEachMaterial { (material) throws(Finding) in
            try subject.mustLoad(material)
            _ = try subject.media()
            for index in material.sources.indices { _ = try subject.track(index) }
            for _ in 0..<3 { _ = try subject.nextBlock() }
            try subject.seek(track: material.sources.count - 1, position: 40)
            _ = try subject.renderAll()
            _ = subject.load(material.with(.missing))
            _ = subject.load(material.with(.bytes([1, 2, 3])))
            try subject.mustLoad(material)
            subject.unload()
        }
    }

    private static func stdout(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try live(subject, context)
        subject.destroy()
        fflush(nil)
        // Here stdout is a file without a name, which was empty when this process began.
        let size = lseek(STDOUT_FILENO, 0, SEEK_END)
        guard size > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = max(0, pread(STDOUT_FILENO, &bytes, bytes.count, 0))
        throw .fault(
            "a whole life of the engine", expected: "nothing on stdout",
            came: "\(size) bytes, “\(String(decoding: bytes[..<count], as: UTF8.self))”", .process)
    }

    private static func state(_ context: CaseContext) throws(Finding) {
        let before = ProcessState.now()
        let subject = try context.subject()
        try live(subject, context)
        subject.destroy()
        let after = ProcessState.now()
        let call = "a whole life of the engine"
        try expect(
            after.locale == before.locale, call, expected: "the locale “\(before.locale)”", came: "“\(after.locale)”",
            .process)
        try expect(after.folder == before.folder, call, expected: before.folder, came: after.folder, .process)
        let changed = zip(before.handlers, after.handlers).enumerated().first { $1.0 != $1.1 }
        try expect(
            changed == nil, call, expected: "signal handlers as they were",
            came: "another for signal \((changed?.offset ?? 0) + 1)", .process)
    }

    private static func host(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        try live(subject, context)
        subject.destroy()
        try subject.host.checkUse()
    }

    private static func descriptors(_ context: CaseContext) throws(Finding) {
        let module = try EngineUnderTest(context.engine, context.report)
        var counts: [Int] = []
        for _ in 0..<5 {
            let subject = try Subject(module, context.report)
            try live(subject, context)
            subject.destroy()
            let left = subject.host.handed.intersection(ProcessState.openFiles()).count
            try expect(
                left == 0, "a whole life of the engine", expected: "every descriptor that the host handed over closed",
                came: "\(left) open", .sourceOwner)
            counts.append(ProcessState.descriptorCount())
        }
        // A file that a library keeps open for good is opened only once. (Each host of the kit keeps two.)
        let grown = counts[4] - counts[1]
        try expect(
            grown <= 3 * 2, "three more lives of the engine", expected: "no more open files", came: "\(grown - 6) more",
            .destroy)
    }

    private static func threads(_ context: CaseContext) throws(Finding) {
        let module = try EngineUnderTest(context.engine, context.report)
        var before = 0
        for life in 0..<3 {
            let subject = try Subject(module, context.report)
            try live(subject, context)
            subject.destroy()
            // A thread that a library keeps for good is started only once, so the first life does not count.
            if life == 0 { before = ProcessState.threadCount() }
        }
        // A thread that has been joined may still be listed for a moment.
        for _ in 0..<100 where ProcessState.threadCount() > before { poll(nil, 0, 10) }
        let after = ProcessState.threadCount()
        try expect(
            after <= before, "two more lives of the engine", expected: "\(before) threads, as after the first",
            came: "\(after)", .destroy)
    }

    /// The average number of bytes that a round may leave behind; a smaller growth is no leak of anything that belongs
    /// to the content.
    private static let slack = 256

    private static func memory(_ context: CaseContext) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials() {
            func round() throws(Finding) {
                try subject.mustLoad(material)
                _ = try subject.nextBlock()
                subject.unload()
                subject.host.forget()
            }
            // Wait until caches and tables have reached their size.
            for _ in 0..<50 { try round() }
            // A table that grows late grows once, whereas a leak grows every time.
            var grown = 0
            for _ in 0..<3 {
                let before = ProcessState.allocatedBytes()
                for _ in 0..<200 { try round() }
                grown = ProcessState.allocatedBytes() - before
                if grown <= 200 * slack { break }
            }
            try expect(
                grown <= 200 * slack, "load, render, unload, 200 times", expected: "no more memory in use than before",
                came: "\(grown) bytes more, \(grown / 200) each time", .destroy)
        }
        subject.destroy()
    }
}
