// SPDX-License-Identifier: Apache-2.0

import CTransport
import FakeSession
import Foundation
import SessionProtocol
import Testing

extension RunningSession {
    /// Sends a command on a connection of its own, as other programs do, and returns its result.
    func ask<Answer: Decodable & Sendable>(_ command: SessionCommand, as type: Answer.Type) async throws -> Answer {
        let path = temporary.folders.socket
        let line = try RequestMessage(id: .number(1), .command(command)).line()
        return try await blocking {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            var address = try #require(sockaddr_un(path: path))
            try #require(address.withSocketAddress { connect(descriptor, $0, $1) } == 0)
            try handle.write(contentsOf: Data(line))
            // The session answers and hangs up.
            shutdown(descriptor, Int32(SHUT_WR))
            let answer = try #require(try handle.readToEnd())
            switch try SessionMessage(line: Array(answer.dropLast())) {
            case .answer(_, .success(let result)): return try JSONDecoder().decode(type, from: Data(result))
            case .answer(_, .failure(let error)): throw error.sessionError
            default: throw SessionError(.io, "no answer: \(String(decoding: answer, as: UTF8.self))")
            }
        }
    }
}
