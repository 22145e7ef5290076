// SPDX-License-Identifier: Apache-2.0

import Glibc
import ProgramRuns

/// A program that lies beside this one.
struct SiblingProgram {
    static let rostrum = SiblingProgram("rostrum")
    static let session = SiblingProgram("rostrumd")

    private let path: String

    private init(_ name: String) {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = (own.lastIndex(of: "/").map { String(own[...$0]) } ?? "") + name
    }

    /// Runs it in place of this program; returns only to fail.
    func replace(_ arguments: [String]) throws(VoiceFailure) {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        throw failure(errno)
    }

    /// Runs it to its end, and returns what it prints; throws if it fails.
    func output(of arguments: [String]) throws(VoiceFailure) -> [UInt8] {
        let run: ProgramRun
        do throws(ProgramRunError) {
            run = try ProgramRun(path, arguments)
        } catch {
            throw failure(error.code)
        }
        // What a program printed before it crashed is not all.
        let end =
            switch run.end {
            case .exited(code: 0), .unknown: ""
            case .exited: "has failed"
            case .killed(let signal): "was ended by signal \(signal)"
            }
        guard end.isEmpty else {
            throw .unavailable("\(([path] + arguments.prefix(1)).joined(separator: " ")) \(end); try again")
        }
        return run.output
    }

    private func failure(_ code: Int32) -> VoiceFailure {
        .unavailable("cannot start \(path): \(String(cString: strerror(code)))")
    }
}
