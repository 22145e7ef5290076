// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// Cases for the marks of words and sentences.
enum MarkCases {
    static let all = [
        ConformanceCase("marks.order", "marks grow, and lie in the text at the boundaries of characters", order),
        ConformanceCase("marks.ahead", "a mark comes before the block in which it is heard", ahead),
    ]

    /// Calls `body` with each rendered text and the marks that came, and skips the case if none did.
    private static func eachText(
        _ context: CaseContext, _ body: (Material, Rendering, [SubjectHost.Mark]) throws(Finding) -> Void
    ) throws(Finding) {
        let subject = try context.subject()
        for material in try context.materials(of: ROSTRUM_KIND_TEXT, "text") {
            let rendering = try subject.renderAll(of: material)
            guard !subject.host.marks.isEmpty else { throw .skip("the engine sends no marks") }
            try body(material, rendering, subject.host.marks)
            try subject.host.checkUse()
        }
        subject.destroy()
    }

    private static func order(_ context: CaseContext) throws(Finding) {
        try eachText(context) { (material, rendering, marks) throws(Finding) in
            let end = material.isOurs ? Int64(Prose.bytes.count) : rendering.blocks.last?.positionEnd ?? 0
            var last: [UInt32: Int64] = [:]
            for mark in marks {
                let call = "mark (kind \(mark.kind), unit \(mark.position), \(mark.length) long)"
                try expect(
                    (1...2).contains(mark.kind), call, expected: "a kind of mark", came: "\(mark.kind)", .markSpan)
                try expect(
                    mark.position >= 0 && mark.length > 0 && mark.length <= end && mark.position <= end - mark.length,
                    call,
                    expected: "a span of the text, which ends at unit \(end)", came: "another", .markSpan)
                if let before = last[mark.kind] {
                    try expect(
                        mark.position > before, call, expected: "one behind unit \(before), where the last one was",
                        came: "\(mark.position)", .growing)
                }
                last[mark.kind] = mark.position
                guard material.isOurs else { continue }
                for edge in [mark.position, mark.position + mark.length] where edge < end {
                    let byte = Prose.bytes[Int(edge)]
                    try expect(
                        byte & 0xC0 != 0x80, call, expected: "boundaries of characters",
                        came: "unit \(edge), in the middle of one", .markSpan)
                }
            }
        }
    }

    private static func ahead(_ context: CaseContext) throws(Finding) {
        try eachText(context) { (_, rendering, marks) throws(Finding) in
            var (known, heard) = (0, Int64(0))
            for block in rendering.blocks {
                // A mark that came with this block must not lie in an earlier one.
                for mark in marks[known..<max(known, block.marks)] {
                    let call = "mark (kind \(mark.kind), unit \(mark.position)), before the block of \(block.place)"
                    try expect(
                        mark.position >= heard, call,
                        expected: "a mark of what is still to be heard, from unit \(heard) on",
                        came: "one of what was rendered already", .mark)
                }
                known = max(known, block.marks)
                heard = max(heard, block.positionEnd)
            }
        }
    }
}
