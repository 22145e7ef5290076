// SPDX-License-Identifier: Apache-2.0

import EngineProbe
import Glibc
import Testing

/// A file into which a test cuts, in memory or in a folder, and what decoders make of it.
final class CutFile {
    let descriptor: Int32
    let path: String

    /// Creates an empty file in a folder, which is removed with this value.
    init(in folder: String = "/tmp") throws {
        var template = Array((folder + "/rostrum-cut-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try #require(descriptor >= 0, "no file in \(folder)")
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
    }

    /// Returns what the `ffmpeg` engine of this project renders of the file.
    func rendered() throws -> ProbeRendering {
        let probe = try FFmpegEngineTests.probe([.file(path)])
        try probe.load()
        return try probe.renderAll()
    }

    /// Returns what the program `ffmpeg` decodes of the file, as interleaved floats.
    func decoded() throws -> [Float] {
        let bytes = try Self.output(of: "ffmpeg -nostdin -v error -i \(path) -map 0:a -f f32le - 2>/dev/null")
        return bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    /// Returns what a command writes.
    static func output(of command: String) throws -> [UInt8] {
        let run = try #require(popen(command, "r"))
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, run)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        try #require(pclose(run) == 0, "\(command)")
        return bytes
    }
}

/// The difference between what is heard and what was meant to be.
struct HeardDifference {
    /// The number of frames by which the sound is late; `nil` if it is found nowhere near.
    var offset: Int?
    /// The largest difference of a sample, at the right place.
    var largest: Float

    init(_ heard: [Float], _ meant: [Float], channels: Int) {
        let count = min(heard.count, meant.count)
        var largest: Float = 0
        for index in 0..<count { largest = max(largest, abs(heard[index] - meant[index])) }
        self.largest = largest
        let reach = 160
        let window = min(1200, count / channels / 2)
        let start = max(0, count / channels / 2 - window / 2)
        var best = Double.infinity
        for shift in -reach...reach {
            guard start + shift >= 0, (start + shift + window) * channels <= heard.count else { continue }
            var sum = 0.0
            for index in 0..<window {
                let difference = Double(heard[(start + shift + index) * channels] - meant[(start + index) * channels])
                sum += difference * difference
            }
            if sum < best || (sum == best && abs(shift) < abs(offset ?? .max)) { (best, offset) = (sum, shift) }
        }
    }
}

extension CutFile {
    /// Returns all samples of a fixture, as the `ffmpeg` engine renders them.
    static func source(_ name: String) throws -> (samples: [Float], channels: Int) {
        let probe = try FFmpegEngineTests.probe([.file(Fixtures.path(name))])
        try probe.load()
        return (try probe.renderAll().samples, try probe.track().channels)
    }
}
