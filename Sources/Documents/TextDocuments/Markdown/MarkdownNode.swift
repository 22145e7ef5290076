// SPDX-License-Identifier: Apache-2.0

internal import CCmark

/// A node of a parsed Markdown text; valid as long as its tree.
struct MarkdownNode: Equatable {
    let pointer: OpaquePointer

    var type: cmark_node_type { cmark_node_get_type(pointer) }
    /// The name of the type, by which the nodes of extensions are known.
    var typeName: String { cmark_node_get_type_string(pointer).map { String(cString: $0) } ?? "" }
    /// The text of the node.
    ///
    /// The parser has replaced zeros in it.
    var literal: [UInt8] {
        guard var next = cmark_node_get_literal(pointer) else { return [] }
        var bytes: [UInt8] = []
        while next.pointee != 0 {
            bytes.append(UInt8(bitPattern: next.pointee))
            next += 1
        }
        // The parser cuts a reference over two lines to a note that is none at some byte, also within a character.
        return String(validating: bytes, as: UTF8.self) == nil
            ? Array(String(decoding: bytes, as: UTF8.self).utf8) : bytes
    }
    /// A block of code between fences, not by its indent.
    var isFenced: Bool {
        var (length, offset, sign): (Int32, Int32, CChar) = (0, 0, 0)
        return cmark_node_get_fenced(pointer, &length, &offset, &sign) != 0
    }
    /// Lines and columns count from 1, columns in bytes.
    var startLine: Int { Int(cmark_node_get_start_line(pointer)) }
    var startColumn: Int { Int(cmark_node_get_start_column(pointer)) }
    var endLine: Int { Int(cmark_node_get_end_line(pointer)) }

    var firstChild: MarkdownNode? { cmark_node_first_child(pointer).map { MarkdownNode(pointer: $0) } }
    var next: MarkdownNode? { cmark_node_next(pointer).map { MarkdownNode(pointer: $0) } }
    var previous: MarkdownNode? { cmark_node_previous(pointer).map { MarkdownNode(pointer: $0) } }
}
