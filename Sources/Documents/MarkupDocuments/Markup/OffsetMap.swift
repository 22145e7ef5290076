// SPDX-License-Identifier: Apache-2.0

/// The places from which the bytes of a changed copy come.
///
/// The copy consists of stretches. A place in one is exact if the stretch is as long as its origin, and otherwise
/// proportional.
struct OffsetMap: Sendable {
    /// The first bytes of the stretches in the copy and in the origin, and the ends of both.
    private var outputs: [Int] = [0]
    private var inputs: [Int] = [0]
    /// The last stretch has its origin's bytes and can grow.
    private var isCopying = false

    var outputEnd: Int { outputs.last ?? 0 }

    /// Adds a stretch that has the bytes of its origin.
    mutating func copied(_ count: Int) { add(output: count, input: count, copies: true) }
    /// Adds a stretch that stands for another.
    mutating func replaced(output: Int, input: Int) { add(output: output, input: input, copies: false) }

    private mutating func add(output: Int, input: Int, copies: Bool) {
        guard output > 0 || input > 0 else { return }
        let (outputEnd, inputEnd) = (outputs[outputs.count - 1], inputs[inputs.count - 1])
        if copies, isCopying, outputs.count > 1 {
            outputs[outputs.count - 1] += output
            inputs[inputs.count - 1] += input
        } else {
            outputs.append(outputEnd + output)
            inputs.append(inputEnd + input)
        }
        isCopying = copies
    }

    /// The stretches that a range of the copy is in, cut to it, with their origins.
    func stretches(of range: Range<Int>) -> [(output: Range<Int>, input: Range<Int>)] {
        guard range.upperBound <= outputEnd, !range.isEmpty else { return [] }
        var result: [(output: Range<Int>, input: Range<Int>)] = []
        var index = stretch(at: range.lowerBound)
        var start = range.lowerBound
        while start < range.upperBound, index + 1 < outputs.count {
            let end = min(range.upperBound, outputs[index + 1])
            if end > start {
                let first = place(start, in: index)
                result.append((start..<end, first..<max(first, place(end, in: index))))
                start = end
            }
            index += 1
        }
        return result
    }

    private func place(_ output: Int, in index: Int) -> Int {
        let (outputs, inputs) = (self.outputs[index...], self.inputs[index...])
        let length = outputs[index + 1] - outputs[index]
        let origin = inputs[index + 1] - inputs[index]
        let distance = output - outputs[index]
        if length == origin || length == 0 { return inputs[index] + min(distance, origin) }
        return inputs[index] + Int(Double(distance) * Double(origin) / Double(length))
    }

    /// The last stretch that begins at or before a place of the copy.
    private func stretch(at output: Int) -> Int {
        var (low, high) = (0, outputs.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if outputs[middle] <= output { low = middle } else { high = middle }
        }
        return low
    }
}
