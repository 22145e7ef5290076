// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// The files that Tests/Fixtures/make-fixtures.sh creates, which runs at the first request.
enum Fixtures {
    static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private static let folder: String? = {
        guard let run = popen("\(package)/Tests/Fixtures/make-fixtures.sh 2>&1", "r") else { return nil }
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), run) != nil {
            print(String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return pclose(run) == 0 ? package + "/.cache/fixtures/" : nil
    }()

    static func path(_ name: String) throws -> String {
        try #require(folder, "make-fixtures.sh failed") + name
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        try #require(File.bytes(path(name)))
    }
}
