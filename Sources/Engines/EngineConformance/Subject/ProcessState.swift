// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc

/// The state of this process that an engine must leave unchanged.
struct ProcessState: Equatable {
    var locale: String
    var folder: String
    /// The address of each signal's handler.
    var handlers: [UInt]

    static func now() -> ProcessState {
        ProcessState(
            locale: setlocale(LC_ALL, nil).map { String(cString: $0) } ?? "",
            folder: getcwd(nil, 0).map { folder in
                defer { free(folder) }
                return String(cString: folder)
            } ?? "",
            handlers: (1...64).map { number in
                var action = sigaction()
                guard sigaction(Int32(number), nil, &action) == 0 else { return 0 }
                return withUnsafeBytes(of: action) { $0.loadUnaligned(as: UInt.self) }
            })
    }

    /// Returns the files that are open in this process.
    static func openFiles() -> Set<SubjectHost.File> {
        Set(names(in: "/proc/self/fd").compactMap { Int32($0) }.compactMap(SubjectHost.file))
    }

    static func descriptorCount() -> Int { names(in: "/proc/self/fd").count }
    static func threadCount() -> Int { names(in: "/proc/self/task").count }

    /// Returns the number of bytes that malloc has allocated.
    static func allocatedBytes() -> Int { Int(gnu_allocated_bytes()) }

    private static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
