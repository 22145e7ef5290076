// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineConformance
import EngineHost
import EngineTransport
import Glibc

// rostrum-engine-runner --check-case CASE …: one case of `rostrum engines check`, whose report is descriptor 3.
if CommandLine.arguments.dropFirst().first == "--check-case", fcntl(3, F_GETFD) >= 0 {
    ConformanceRun.serve(CommandLine.arguments.dropFirst(2))
}
// rostrum-engine-runner ID MODULE, with the session's socket as descriptor 3. Started by rostrumd alone.
guard CommandLine.arguments.count == 3, fcntl(3, F_GETFD) >= 0 else {
    let line = "rostrum-engine-runner: started by rostrumd, which hands it a socket as descriptor 3\n"
    write(STDERR_FILENO, line, line.utf8.count)
    exit(64)
}
// A ring has seconds of sound; who waits for an answer of the session goes before who fills it.
_ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
ctransport_confine_child()
_ = fcntl(3, F_SETFD, FD_CLOEXEC)
EngineHost(
    module: CommandLine.arguments[2], id: CommandLine.arguments[1],
    socket: MessageSocket(OwnedDescriptor(owning: 3))
).serve()
// Without the exit handlers of foreign code, which may still be in a call.
_exit(0)
