// SPDX-License-Identifier: Apache-2.0

import Atomics
import EngineABI
import EngineLoader
import EngineTransport
import Glibc

/// A newly created engine that is checked; it records every call of the contract before making it.
///
/// It is used on the engine's thread only, except for what an `Interrupter` does.
final class Subject {
    let functions: EngineFunctions
    let host: SubjectHost
    let engine: OpaquePointer
    private let report: CaseReport
    /// The material that was loaded last.
    private(set) var material = Material(kind: 0, sources: [], fileName: "")

    init(_ subject: EngineUnderTest, _ report: CaseReport) throws(Finding) {
        functions = subject.module.functions
        self.report = report
        do throws(SystemError) {
            host = try SubjectHost()
        } catch {
            throw .skip("no descriptor for the kit itself: \(error)")
        }
        var engine: OpaquePointer?
        report.call = .create
        host.call = .create
        let result = functions.create(host.contract, &engine)
        report.call = nil
        host.call = nil
        try expect(result == ROSTRUM_OK, "create", expected: "ROSTRUM_OK", came: "\(result)", .create)
        guard let engine else {
            throw .fault("create", expected: "an engine", came: "ROSTRUM_OK and no engine", .create)
        }
        self.engine = engine
    }

    /// Records which call runs, for the host and for the parent that may find this process dead, and makes the call.
    func call<Result>(_ call: ContractCall, _ body: () -> Result) -> Result {
        report.call = call
        host.call = call
        defer {
            report.call = nil
            host.call = nil
            // As in a host, the call that the interrupt was meant for has returned.
            host.interrupted.store(false, ordering: .releasing)
        }
        return body()
    }

    func destroy() { call(.destroy) { functions.destroy(engine) } }
    func unload() { call(.unload) { functions.unload(engine) } }

    func load(
        _ material: Material, startTrack: Int = 0, start: Int64 = 0, voice: String? = nil, rate: Double = 1
    ) -> rostrum_result {
        self.material = material
        host.sources = material.sources
        host.fileName = material.fileName
        host.marks = []
        func load(_ voice: UnsafePointer<CChar>?) -> rostrum_result {
            var content = rostrum_content()
            content.size = UInt32(MemoryLayout<rostrum_content>.size)
            content.kind = material.kind
            content.track_count = UInt32(material.sources.count)
            content.start_track = UInt32(startTrack)
            content.start = start
            content.voice = voice
            content.rate = rate
            return call(.load) { functions.load(engine, &content) }
        }
        return voice.map { $0.withCString(load) } ?? load(nil)
    }

    /// Loads material that the engine must be able to play.
    func mustLoad(
        _ material: Material, startTrack: Int = 0, start: Int64 = 0, voice: String? = nil, rate: Double = 1
    ) throws(Finding) {
        let result = load(material, startTrack: startTrack, start: start, voice: voice, rate: rate)
        let place = startTrack > 0 || start > 0 ? ", from unit \(start) of track \(startTrack)" : ""
        try mustBeOK(result, "load (\(material.name)\(place))", .load)
    }

    func mustBeOK(_ result: rostrum_result, _ call: @autoclosure () -> String, _ clause: Clause) throws(Finding) {
        guard result != ROSTRUM_OK else { return }
        throw .fault(call(), expected: "ROSTRUM_OK", came: "\(result), “\(errorMessage().text)”", clause)
    }

    func errorMessage() -> CText {
        CText.read(call(.errorMessage) { functions.errorMessage(engine) })
    }

    /// Checks that a failure is as the contract requires: a code of one of the ranges, and a message of one line.
    func checkFailure(_ result: rostrum_result, _ call: String) throws(Finding) {
        let isInRange = (-499 ... -100).contains(result) || result <= -1000
        try expect(
            isInRange, call, expected: "a code of one of the ranges, -1xx to -4xx or -1000 and below",
            came: "\(result)",
            .failureRanges)
        let message = errorMessage()
        try expect(
            message.fault(isLine: true) == nil && !message.text.isEmpty, "error_message after \(call)",
            expected: "one line on what failed",
            came: message.fault(isLine: true).map { "a text \($0)" } ?? "an empty one", .message)
    }

    // MARK: Loaded content

    func media() throws(Finding) -> rostrum_media {
        var media = rostrum_media()
        media.size = UInt32(MemoryLayout<rostrum_media>.size)
        try mustBeOK(call(.media) { functions.media(engine, &media) }, "media", .trackCount)
        return media
    }

    func track(_ index: Int) throws(Finding) -> rostrum_track {
        var track = rostrum_track()
        track.size = UInt32(MemoryLayout<rostrum_track>.size)
        let result = call(.track) { functions.track(engine, UInt32(index), &track) }
        try mustBeOK(result, "track (\(index))", .trackCount)
        return track
    }

    func seek(track: Int, position: Int64) throws(Finding) {
        let result = call(.seek) { functions.seek(engine, UInt32(track), position) }
        try mustBeOK(result, "seek (track \(track), unit \(position))", .seek)
        host.marks = []
    }

    // MARK: Extensions

    /// Returns an extension, or `nil` if the engine does not have it, or only an older revision of it.
    func find<T>(_ id: String, as type: T.Type) throws(Finding) -> UnsafePointer<T>? {
        guard let found = call(.getExtension, { functions.getExtension(engine, id) }) else { return nil }
        let size = Int(found.load(as: UInt32.self))
        try expect(
            size >= MemoryLayout<T>.size, "get_extension (\(id))",
            expected: "a struct of \(MemoryLayout<T>.size) bytes",
            came: "one that says \(size)", .sizes)
        return found.assumingMemoryBound(to: type)
    }
}
