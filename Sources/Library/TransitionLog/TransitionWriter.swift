// SPDX-License-Identifier: Apache-2.0

import MediaPlayback

/// Numbers, encodes and appends batches of records.
///
/// Blocks; for the writer's queue only.
struct TransitionWriter: ~Copyable {
    struct Outcome {
        /// Records of the batch that are in no file.
        var lost: Int64 = 0
        var size: Int64 = 0
        /// The file was made, or found to be empty, by this batch.
        var isFileNew = false
        var beganWithSnapshot = false
    }

    private var file: TransitionFile
    private var encoder = RecordEncoder()
    private var sequence: Int64 = 0

    init(path: String) { file = TransitionFile(path: path) }

    mutating func close() { file.shut() }

    /// - Parameter published: gets each line, whether or not it reaches the file.
    mutating func write(_ records: [TransitionRecord], published: (ArraySlice<UInt8>) -> Void) -> Outcome {
        var outcome = Outcome()
        var rest = records[...]
        while !rest.isEmpty {
            // One file's share of the batch: up to the next record that begins a file.
            let end = rest.dropFirst().firstIndex { $0.beginsFile } ?? rest.endIndex
            append(rest[rest.startIndex..<end], to: &outcome, published: published)
            rest = rest[end...]
        }
        outcome.size = file.size
        return outcome
    }

    private mutating func append(
        _ records: ArraySlice<TransitionRecord>, to outcome: inout Outcome, published: (ArraySlice<UInt8>) -> Void
    ) {
        if file.isOpen && !file.isStillThere { file.shut() }
        var isWritable = true
        do throws(Errno) {
            sequence = max(sequence, try file.open() ?? 0)
            // An empty file is new already: on a full disk, turning it over would push out the older ones.
            if records.first?.beginsFile == true && file.size > 0 {
                file.rotate()
                _ = try file.open()
            }
            if file.size == 0 {
                outcome.isFileNew = true
                outcome.beganWithSnapshot = records.first?.entry.kind == .snapshot
            }
        } catch {
            isWritable = false
        }
        encoder.removeAll()
        for record in records {
            let start = encoder.bytes.count
            sequence &+= 1
            encoder.append(record, sequence: sequence)
            published(encoder.bytes[start...].dropLast())
        }
        if isWritable {
            do throws(Errno) {
                try file.append(encoder.bytes)
                return
            } catch {
                if file.size == 0 { outcome.beganWithSnapshot = false }
            }
        }
        outcome.lost &+= Int64(records.count)
        for record in records { outcome.lost &+= record.lost }
    }
}
