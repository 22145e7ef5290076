// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// The file of an alignment: JSON Lines, a header and then one line for each step.
///
/// A step is written as a whole. After a kill, the file has all steps but perhaps the last, and a part of a line, which is
/// dropped. Nothing in a file is trusted: what is not in order ends it.
public enum AlignmentFile {
    /// 2: the bounds of the errors allow for passages that one side does not have.
    static let version = 2
    /// More than the alignment of any book.
    private static let largestFile = 64 << 20

    /// Reads an alignment.
    public static func read(_ path: String) throws(AlignmentFileError) -> Alignment {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        return try read(descriptor, path).alignment
    }

    static func failure(_ path: String) -> AlignmentFileError {
        AlignmentFileError(.io, "\(path): \(String(cString: strerror(errno)))")
    }

    /// Reads an alignment, and how many bytes of the file are in order.
    static func read(_ descriptor: CInt, _ path: String) throws(AlignmentFileError) -> (alignment: Alignment, size: Int)
    {
        let bytes = try bytes(descriptor, path)
        var lines = bytes[...]
        guard let first = next(&lines), let header = first.header, first.alignment == version else {
            throw AlignmentFileError(.format, "\(path): this is no alignment; make one with `rostrum align`")
        }
        var alignment = Alignment(header: header)
        var voice: VoiceCalibration?
        var size = lines.startIndex
        while !alignment.isComplete, let line = next(&lines), line.take(&alignment, &voice) { size = lines.startIndex }
        return (alignment, size)
    }

    private static func bytes(_ descriptor: CInt, _ path: String) throws(AlignmentFileError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile else {
            throw AlignmentFileError(.format, "\(path): this is no alignment; make one with `rostrum align`")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var count = 0
        while count < bytes.count {
            let result = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(count))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw failure(path) }
            if result == 0 { break }
            count += result
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Reads a line with its end; `nil` if there is no whole line, or it is damaged.
    private static func next(_ lines: inout ArraySlice<UInt8>) -> AlignmentLine? {
        guard let end = lines.firstIndex(of: UInt8(ascii: "\n")),
            let line = try? JSONDecoder().decode(AlignmentLine.self, from: Data(lines[..<end]))
        else { return nil }
        lines = lines[(end + 1)...]
        return line
    }
}
