// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineConfinement
import EngineConformance
import EngineHost
import EngineTransport
import Glibc
import SystemCallFilter

func fail(_ reason: String, _ code: Int32) -> Never {
    let line = "rostrum-engine-runner: \(reason)\n"
    write(STDERR_FILENO, line, line.utf8.count)
    exit(code)
}

/// Confines this process; it is called before the module is opened, because the module's constructors are foreign code.
///
/// Anything that the kernel does not support is left out. If something that it supports fails, the process exits.
func confine(
    _ id: String, to confinement: Confinement, module: String, content: String? = nil, fileBytes: UInt64 = 0,
    handedOver: Range<Int32> = 0..<0
) {
    let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    do throws(ConfinementFailure) {
        try confinement.enforce(module: module, content: content, fileBytes: fileBytes, isSanitized: isSanitized)
        if KernelFeatures.current.filters {
            try SystemCallFilter(confinement, handedOver: handedOver, allowsMemoryFiles: fileBytes > 0).enforce()
        }
    } catch {
        fail("cannot confine the engine \(id): \(error)", 70)
    }
}

// --check-case CASE ID MODULE KINDS EXTENSIONS [CONTENT] [--network] [--writes] [--memory=MIB] [--folder=PATH] runs one case of
// `rostrum engines check`, which reports to descriptor 3. Without options it is not confined, for use in a debugger.
if CommandLine.arguments.dropFirst().first == "--check-case", fcntl(3, F_GETFD) >= 0 {
    let words = CommandLine.arguments.dropFirst(2)
    let options = words.filter { $0.hasPrefix("--") }
    ConformanceRun.serve(words.filter { !$0.hasPrefix("--") }[...]) { engine in
        guard !options.isEmpty else { return }
        guard let confinement = Confinement(arguments: options) else { fail("no such option: \(options)", 64) }
        confine(
            engine.id, to: confinement, module: engine.module, content: engine.content,
            fileBytes: ConformanceRun.fileBytes)
    }
}

// ID MODULE [--background] [--network] [--writes] [--memory=MIB] [--folder=PATH], with the session's socket as descriptor 3,
// runs an engine. Only
// rostrumd starts it.
guard CommandLine.arguments.count >= 3, fcntl(3, F_GETFD) >= 0,
    let confinement = Confinement(arguments: CommandLine.arguments.dropFirst(3).filter { $0 != "--background" })
else { fail("started by rostrumd, which passes it a socket as descriptor 3", 64) }
if CommandLine.arguments.contains("--background") {
    ctransport_give_way()
} else {
    // The ring holds seconds of sound, so filling it has a lower priority than a program that waits for the session.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
}
ctransport_confine_child()
_ = fcntl(3, F_SETFD, FD_CLOEXEC)
// The socket and the descriptors of the first message: nothing else is open, so they have these numbers.
confine(
    CommandLine.arguments[1], to: confinement, module: CommandLine.arguments[2],
    handedOver: 3..<4 + Int32(RingMemory.handedOverCount))
EngineHost(
    module: CommandLine.arguments[2], id: CommandLine.arguments[1],
    socket: MessageSocket(OwnedDescriptor(owning: 3))
).serve()
// `_exit` skips the exit handlers of foreign code, which may still be in a call.
_exit(0)
