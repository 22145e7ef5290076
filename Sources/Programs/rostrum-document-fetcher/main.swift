// SPDX-License-Identifier: Apache-2.0

import CTransport
import DocumentOrders
import EngineConfinement
import EngineTransport
import Glibc
import SystemCallFilter

func fail(_ reason: String, _ code: Int32) -> Never {
    let line = "rostrum-document-fetcher: \(reason)\n"
    write(STDERR_FILENO, line, line.utf8.count)
    exit(code)
}

// Fetches one document of the web: the order and its descriptors come through the session's socket, descriptor 3. Only
// rostrumd starts it.
//
// It confines itself before it takes the order, because what a foreign server sends may do anything.
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
    try confinement.enforce(module: "/usr/lib/rostrum", isSanitized: isSanitized)
    if KernelFeatures.current.filters {
        // The socket and the document's file. The next numbers are those of connections, which must not block.
        try SystemCallFilter(confinement, handedOver: 3..<5, allowsMemoryFiles: false).enforce()
    }
} catch {
    fail("cannot confine the fetching of documents: \(error)", 70)
}
let socket = MessageSocket(OwnedDescriptor(owning: 3))
guard case .message(let bytes, let descriptors) = socket.receive(waiting: true), !descriptors.isEmpty else {
    fail("no order came", 70)
}
let reply = WebFetch(
    FetchOrder(decoding: bytes), output: descriptors[0].rawValue,
    certificates: descriptors.count > 1 ? descriptors[1].rawValue : nil
).run()
_ = socket.send(reply.encoded, waiting: true)
_exit(0)
