// SPDX-License-Identifier: Apache-2.0

internal import CLibXML2
internal import ReadingText

/// Makes a tree of XML.
///
/// A faulty document is read as far as it makes sense.
enum XMLTree {
    /// Parses a file.
    ///
    /// - Returns: the tree, and whether the document is sound.
    static func parse(
        _ file: [UInt8], limits: ReadingLimits
    ) throws(DocumentError) -> (tree: MarkupTree, isSound: Bool) {
        try parse(MarkupSource(file, charset: nil, limits: limits), limits: limits)
    }

    static func parse(
        _ source: MarkupSource, limits: ReadingLimits
    ) throws(DocumentError) -> (tree: MarkupTree, isSound: Bool) {
        let source = try MarkupPreparation.prepare(source, as: .xml, limits: limits)
        let builder = Builder(source, limits)
        var events = cxml_events()
        events.start = { context, name, _, _, attributes, count, position in
            guard let context, let name else { return false }
            return Builder.at(context).start(name, attributes, Int(count), position)
        }
        events.end = { context, position in context.map { Builder.at($0).end(position) } ?? false }
        events.text = { context, bytes, count in
            guard let context, let bytes else { return false }
            return Builder.at(context).text(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        let context = Unmanaged.passUnretained(builder).toOpaque()
        let result = source.bytes.withUnsafeBytes { bytes in
            cxml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &events, context)
        }
        if builder.isInterrupted {
            throw DocumentError(.interrupted, "the reading of the document was interrupted")
        }
        if result == CXML_NO_MEMORY { throw DocumentError(.tooLarge, "the XML is too large to be read; split it") }
        builder.finish()
        return (builder.tree, result == CXML_SOUND)
    }

    private final class Builder {
        var tree: MarkupTree
        var isInterrupted = false
        private let bytes: [UInt8]
        private let limits: ReadingLimits
        /// Text that is not yet in the tree, and where its stretch of the source begins.
        private var characters: [UInt8] = []
        private var place = 0
        private var steps = 0

        init(_ source: MarkupSource, _ limits: ReadingLimits) {
            tree = MarkupTree(source: source)
            bytes = source.bytes
            self.limits = limits
        }

        static func at(_ context: UnsafeMutableRawPointer) -> Builder {
            Unmanaged<Builder>.fromOpaque(context).takeUnretainedValue()
        }

        func start(
            _ name: UnsafePointer<CChar>, _ fields: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ position: Int
        ) -> Bool {
            flush()
            place = (bytes[min(position, bytes.count)...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
            var attributes: [MarkupTree.Attribute] = []
            for index in 0..<(fields == nil ? 0 : count) {
                guard let fields, let name = fields[index * 5], let first = fields[index * 5 + 3],
                    let last = fields[index * 5 + 4]
                else { continue }
                let value = UnsafeRawBufferPointer(start: first, count: max(0, last - first))
                let prefix = Self.prefix(fields[index * 5 + 1], fields[index * 5 + 2])
                attributes.append(
                    MarkupTree.Attribute(
                        name: prefix + String(cString: name), value: String(decoding: value, as: UTF8.self)))
            }
            tree.begin(String(cString: name), attributes: attributes)
            return goesOn()
        }

        /// The usual prefix of a namespace, whatever the document calls it.
        private static func prefix(_ prefix: UnsafePointer<CChar>?, _ namespace: UnsafePointer<CChar>?) -> String {
            guard let prefix else { return "" }
            switch namespace.map({ String(cString: $0) }) {
            case "http://www.w3.org/1999/xlink": return "xlink:"
            case "http://www.idpf.org/2007/ops": return "epub:"
            case "http://www.idpf.org/2007/opf": return "opf:"
            default: return String(cString: prefix) + ":"
            }
        }

        func end(_ position: Int) -> Bool {
            flush()
            place = max(place, min(position, bytes.count))
            tree.end()
            return goesOn()
        }

        func text(_ piece: UnsafeRawBufferPointer) -> Bool {
            characters += piece
            return goesOn()
        }

        func finish() {
            flush()
            tree.finish()
        }

        private func goesOn() -> Bool {
            steps += 1
            if steps & 0xFFF == 0, limits.isInterrupted() { isInterrupted = true }
            return !isInterrupted
        }

        private func flush() {
            guard !characters.isEmpty else { return }
            let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            tree.text(characters, source: place..<end)
            characters.removeAll(keepingCapacity: true)
        }
    }
}
