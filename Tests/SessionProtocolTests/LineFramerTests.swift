// SPDX-License-Identifier: Apache-2.0

import RandomTestSupport
import SessionProtocol
import Testing

struct `Line framing` {
    @Test func `does not depend on how the bytes are split`() throws {
        let text = Array("one\n\ntwo\r\n\r\nthree, long\nrest".utf8)
        for size in 1...text.count {
            var framer = LineFramer()
            var lines: [String] = []
            for start in stride(from: 0, to: text.count, by: size) {
                lines += try framer.receive(text[start..<min(start + size, text.count)]).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            #expect(lines == ["one", "two", "three, long"])
            #expect(framer.isInsideLine)
        }
    }

    @Test func `accepts a line of exactly the limit and rejects one more byte`() throws {
        var fitting = LineFramer(limit: 10)
        #expect(try fitting.receive(Array("0123456789\n".utf8)).count == 1)
        var over = LineFramer(limit: 10)
        #expect(throws: LineFramer.TooLong.self) { try over.receive(Array("0123456789a\n".utf8)) }
        var split = LineFramer(limit: 10)
        #expect(try split.receive(Array("ok\n01234".utf8)).count == 1)
        #expect(throws: LineFramer.TooLong.self) { try split.receive(Array("56789a".utf8)) }
        #expect(throws: LineFramer.TooLong.self) { try split.receive(Array("\n".utf8)) }
    }

    @Test func `returns the lines before one that is too long`() throws {
        var framer = LineFramer(limit: 4)
        #expect(try framer.receive(Array("ab\ntoolong\ncd\n".utf8)) == [Array("ab".utf8)])
        #expect(framer.isOverflowed)
        #expect(throws: LineFramer.TooLong.self) { try framer.receive(Array("x\n".utf8)) }
    }

    @Test func `and parsing survive any bytes`() {
        var noise = SplitMix(state: 2)
        let seeds = [
            Array(#"{"jsonrpc":"2.0","method":"play","params":{"items":["/a"],"rate":1.5},"id":1}"#.utf8),
            Array(#"{"error":{"code":-32065,"data":{"exit":65},"message":"m"},"id":1,"jsonrpc":"2.0"}"#.utf8),
        ]
        for round in 0..<3000 {
            var bytes =
                round % 3 == 0 ? (0..<80).map { _ in UInt8.random(in: 0...255, using: &noise) } : seeds[round % 2]
            for _ in 0..<Int.random(in: 0...4, using: &noise) {
                bytes[Int.random(in: 0..<bytes.count, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
            }
            if round % 5 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &noise)) }
            var framer = LineFramer(limit: 200)
            for line in (try? framer.receive(bytes + [JSONLine.newline])) ?? [] {
                _ = try? RequestMessage(line: line)
                _ = try? SessionMessage(line: line)
                _ = JSONMembers(line)["id"]
                _ = try? TimeExpression(String(decoding: line, as: UTF8.self), relativeAllowed: true)
            }
        }
    }
}
