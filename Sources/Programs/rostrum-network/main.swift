// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineConfinement
import EngineTransport
import Glibc
import NetworkOrders
import SystemCallFilter

func fail(_ reason: String, _ code: Int32) -> Never {
    let line = "rostrum-network: \(reason)\n"
    write(STDERR_FILENO, line, line.utf8.count)
    exit(code)
}

// Asks servers for the session: requests, and descriptors for their bodies, come through its socket, descriptor 3.
// Only rostrumd starts it.
//
// It confines itself before it takes the first order, because what a foreign server sends may do anything.
guard CommandLine.arguments.count == 1, fcntl(3, F_GETFD) >= 0 else {
    fail("started by rostrumd, which passes it a socket as descriptor 3", 64)
}
ctransport_confine_child()
_ = fcntl(3, F_SETFD, FD_CLOEXEC)
// A server that hangs up is an error, and not the end.
signal(SIGPIPE, SIG_IGN)
// Names of hosts in other scripts are converted from it.
_ = setlocale(LC_CTYPE, "C.UTF-8")
let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
let confinement = Confinement(network: true, writes: true, memory: 512, folder: "/usr/lib")
do throws(ConfinementFailure) {
    try confinement.enforce(
        module: "/usr/lib/rostrum", fileBytes: NetworkService.largestFile, isSanitized: isSanitized)
    if KernelFeatures.current.filters {
        // The socket. The next numbers are also those of connections, which must not block.
        try SystemCallFilter(confinement, handedOver: 3..<4, allowsMemoryFiles: false).enforce()
    }
} catch {
    fail("cannot confine the asking of servers: \(error)", 70)
}
let socket = MessageSocket(OwnedDescriptor(owning: 3))
guard case .message(let bytes, let descriptors) = socket.receive(waiting: true),
    case .hello(let hello) = try? NetworkOrder(decoding: bytes),
    let service = NetworkService(socket, hello, certificates: descriptors.first)
else {
    fail("no greeting came", 70)
}
service.run()
_exit(0)
