// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The real texts beside the package, or in `ROSTRUM_SHARED`, where there are any.
enum SharedTexts {
    static let folder: String? = {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let shared = getenv("ROSTRUM_SHARED").map { String(cString: $0) } ?? "/\(package)/../shared"
        return access(shared + "/media/text", R_OK) == 0 ? shared + "/media/text" : nil
    }()

    static var exist: Bool { folder != nil }

    static func bytes(_ name: String) -> [UInt8]? {
        guard let folder, let file = fopen("\(folder)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// The names of the files of a folder, in order.
    static func names(in part: String) -> [String] {
        guard let folder, let directory = opendir("\(folder)/\(part)") else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append("\(part)/\(name)") }
        }
        return names.sorted()
    }
}
