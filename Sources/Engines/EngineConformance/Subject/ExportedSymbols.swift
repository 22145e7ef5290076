// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The symbols that a module exports, read from its file without loading anything.
enum ExportedSymbols {
    /// The symbols that GNU linkers add on their own.
    private static let linkers: Set<String> = ["_init", "_fini", "_edata", "_end", "__bss_start"]

    /// Returns the exported names, or `nil` if the file is not 64-bit little-endian ELF with a section table.
    static func names(in path: String) -> [String]? {
        guard let bytes = read(path), bytes.count > 64, bytes[0..<6].elementsEqual([0x7F, 0x45, 0x4C, 0x46, 2, 1])
        else { return nil }
        func number<T: FixedWidthInteger>(_ offset: UInt64, as type: T.Type) -> T? {
            guard offset < UInt64(bytes.count), UInt64(bytes.count) - offset >= UInt64(MemoryLayout<T>.size) else {
                return nil
            }
            return bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: Int(offset), as: type)) }
        }
        func section(_ index: UInt64) -> (type: UInt32, offset: UInt64, size: UInt64, link: UInt32)? {
            guard let table = number(0x28, as: UInt64.self), let size = number(0x3A, as: UInt16.self) else {
                return nil
            }
            let at = table &+ index &* UInt64(size)
            guard let type = number(at &+ 4, as: UInt32.self), let offset = number(at &+ 24, as: UInt64.self),
                let length = number(at &+ 32, as: UInt64.self), let link = number(at &+ 40, as: UInt32.self)
            else { return nil }
            return (type, offset, length, link)
        }
        let dynamicSymbols: UInt32 = 11
        guard let count = number(0x3C, as: UInt16.self),
            let symbols = (0..<UInt64(count)).lazy.compactMap(section).first(where: { $0.type == dynamicSymbols }),
            let strings = section(UInt64(symbols.link)), symbols.size <= UInt64(bytes.count)
        else { return nil }
        var names: [String] = []
        for index in 0..<symbols.size / 24 {
            let at = symbols.offset &+ index * 24
            guard let name = number(at, as: UInt32.self), let info = number(at &+ 4, as: UInt8.self),
                let other = number(at &+ 5, as: UInt8.self), let place = number(at &+ 6, as: UInt16.self)
            else { return nil }
            // Select symbols that are global, weak or unique, visible, and defined here. The name of a version is
            // absolute, and is skipped.
            let isShared = [1, 2, 10].contains(info >> 4) && [0, 3].contains(other & 3)
            guard isShared, place != 0, place != 0xFFF1 else { continue }
            let first = strings.offset &+ UInt64(name)
            guard first < UInt64(bytes.count) else { return nil }
            let text = String(decoding: bytes[Int(first)...].prefix { $0 != 0 }, as: UTF8.self)
            if !linkers.contains(text) { names.append(text) }
        }
        return names
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size < 1 << 30 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            guard count > 0 else { return nil }
            done += count
        }
        return bytes
    }
}
