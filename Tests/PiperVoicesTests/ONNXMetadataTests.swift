// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import ONNXMetadata
import Testing

@Suite struct ONNXMetadataTests {
    @Test(arguments: [0, 1, 127, 128, 5000, 100_000])
    func `pairs are found behind a graph of any size`(size: Int) throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "ü", count: 10_000)
        let bytes = PiperVoicesTests.model(graph: size) + ONNXMetadata.encoded([("a", "1"), ("b", long), ("a", "2")])
        let path = try folder.write("x.onnx", Data(bytes))
        #expect(try ONNXMetadata.read(path) == ["a": "2", "b": long])
    }

    @Test func `a file cut anywhere is malformed, or has fewer pairs`() throws {
        let folder = try TemporaryFolder()
        let bytes = PiperVoicesTests.model(graph: 300) + ONNXMetadata.encoded([("key", "value")])
        for length in 0..<bytes.count {
            let path = try folder.write("x.onnx", Data(bytes.prefix(length)))
            let found = try? ONNXMetadata.read(path)
            #expect(found == nil || found == [:], "\(length)")
        }
    }

    @Test(
        arguments: [
            ([UInt8](repeating: 0xFF, count: 40), .malformed), ([0x72, 0x02, 0x08, 0x01], .malformed),
            (Array(repeating: [0x72, 0x02, 0x0A, 0x00], count: 2).flatMap(\.self) + [0x73], .malformed),
            ([0x72] + [0x81, 0x80, 0x40] + [UInt8](repeating: 0, count: (1 << 20) + 1), .excessive),
        ] as [([UInt8], ONNXMetadata.Failure)])
    func `bytes that are no model are refused`(bytes: [UInt8], failure: ONNXMetadata.Failure) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x.onnx", Data(bytes))
        #expect(throws: failure) { try ONNXMetadata.read(path) }
    }

    @Test func `a path of no file is refused`() throws {
        #expect(throws: ONNXMetadata.Failure.unreadable(2)) { try ONNXMetadata.read("/nowhere/x.onnx") }
        #expect(throws: ONNXMetadata.Failure.malformed) { try ONNXMetadata.read("/tmp") }
    }
}
