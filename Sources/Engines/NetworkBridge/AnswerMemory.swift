// SPDX-License-Identifier: Apache-2.0

import CTransport
import EngineTransport
import Glibc
import HTTPExchange

/// A file in memory for the body of an answer, which the process that asks servers cannot make larger.
struct AnswerMemory {
    let writable: OwnedDescriptor
    private let mostBytes: Int64

    init(mostBytes: Int64) throws(HTTPFailure) {
        self.mostBytes = min(max(0, mostBytes), 1 << 32)
        writable = OwnedDescriptor(owning: ctransport_memory_descriptor("rostrum-answer"))
        let seals = ctransport_seal_grow | ctransport_seal_shrink | ctransport_seal_seal
        guard writable.rawValue >= 0, ftruncate(writable.rawValue, off_t(self.mostBytes)) == 0,
            ctransport_add_seals(writable.rawValue, seals) == 0
        else { throw HTTPFailure(.unavailable, "no memory for an answer: \(String(cString: strerror(errno)))") }
    }

    /// Returns the bytes that were written.
    ///
    /// - Parameter count: Their number as the process says it, which is checked.
    func read(_ count: Int64) throws(HTTPFailure) -> [UInt8] {
        guard (0...mostBytes).contains(count) else {
            throw HTTPFailure(.unavailable, "the process that asks servers says nonsense")
        }
        var done = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            while done < buffer.count {
                let part = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
                let got = pread(writable.rawValue, part.baseAddress, part.count, off_t(done))
                guard got > 0 else { break }
                done += got
            }
            initialized = done
        }
        guard done == Int(count) else { throw HTTPFailure(.unavailable, "an answer cannot be read") }
        return bytes
    }
}
