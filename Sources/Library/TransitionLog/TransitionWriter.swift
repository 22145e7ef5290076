// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import TransitionRecords

/// Numbers, encodes and appends batches of records.
///
/// All calls block, and are made on the writer's queue only.
struct TransitionWriter: ~Copyable {
    struct Outcome {
        /// The number of records that are in no file, including those that were lost before the batch.
        var lost: Int64 = 0
        var size: Int64 = 0
        /// `true` if this batch created the file or found it empty.
        var isFileNew = false
        var beganWithSnapshot = false
    }

    private var file: TransitionFile
    private var encoder = RecordEncoder()
    private var sequence: Int64 = 0

    init(path: String) { file = TransitionFile(path: path) }

    mutating func close() { file.shut() }

    /// Writes a batch of records.
    ///
    /// - Parameter published: Receives each line, whether or not it reaches the file.
    mutating func write(_ records: [TransitionRecord], published: (ArraySlice<UInt8>) -> Void) -> Outcome {
        var outcome = Outcome()
        var rest = records[...]
        while !rest.isEmpty {
            // The share of one file: up to the next record that begins a file.
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
            // An empty file is new already. Rotating it on a full disk would push out the older files.
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
