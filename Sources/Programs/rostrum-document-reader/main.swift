// SPDX-License-Identifier: Apache-2.0

import CTransport
import DocumentOrders
import DocumentReaders
import EngineConfinement
import EngineTransport
import Glibc
import SystemCallFilter

func fail(_ reason: String, _ code: Int32) -> Never {
    let line = "rostrum-document-reader: \(reason)\n"
    write(STDERR_FILENO, line, line.utf8.count)
    exit(code)
}

// Reads one document: the order and its descriptors come through the session's socket, descriptor 3. Only rostrumd starts it.
//
// It confines itself before it takes the document, because what parses a foreign file may do anything.
guard CommandLine.arguments.count == 1, fcntl(3, F_GETFD) >= 0 else {
    fail("started by rostrumd, which passes it a socket as descriptor 3", 64)
}
ctransport_confine_child()
_ = fcntl(3, F_SETFD, FD_CLOEXEC)
let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
let confinement = Confinement(writes: true, memory: 4096, folder: "/usr/lib")
do throws(ConfinementFailure) {
    try confinement.enforce(module: "/usr/lib/rostrum", isSanitized: isSanitized)
    if KernelFeatures.current.filters {
        try SystemCallFilter(confinement, handedOver: 3..<8, allowsMemoryFiles: false).enforce()
    }
} catch {
    fail("cannot confine the reading of documents: \(error)", 70)
}
let socket = MessageSocket(OwnedDescriptor(owning: 3))
guard case .message(let bytes, let descriptors) = socket.receive(waiting: true), descriptors.count >= 3 else {
    fail("no order came", 70)
}
let reply = DocumentFile.read(
    DocumentOrder(decoding: bytes), source: descriptors[0].rawValue, text: descriptors[1].rawValue,
    script: descriptors[2].rawValue, dictionary: descriptors.count > 3 ? descriptors[3].rawValue : nil
) {
    // Without a session nobody wants the rest.
    if socket.send($0.encoded, waiting: true) == .closed { _exit(0) }
}
_ = socket.send(reply.encoded, waiting: true)
_exit(0)
