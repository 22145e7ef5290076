// SPDX-License-Identifier: Apache-2.0

/// Makes a small PDF: lines of text at places on pages.
struct PDFFixture {
    /// Words in a line.
    ///
    /// Lengths are in points; `y` grows upwards from the foot of a page of 612 by 792.
    struct Line {
        var x, y, size: Double
        var text: String
        var isBold = false
    }

    var pages: [[Line]] = []
    var outline: [String] = []
    var title: String?
    var isEncrypted = false

    var bytes: [UInt8] {
        var objects: [String] = []
        let kids = pages.indices.map { "\(5 + $0 * 2) 0 R" }.joined(separator: " ")
        let first = 5 + pages.count * 2
        objects.append("<< /Type /Catalog /Pages 2 0 R \(outline.isEmpty ? "" : "/Outlines \(first) 0 R") >>")
        objects.append("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>")
        objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
        objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>")
        for (index, page) in pages.enumerated() {
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents \(6 + index * 2) 0 R "
                    + "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>")
            let content = page.map { line in
                let text = line.text.replacing("\\", with: "\\\\").replacing("(", with: "\\(").replacing(
                    ")", with: "\\)")
                return "BT /\(line.isBold ? "F2" : "F1") \(line.size) Tf \(line.x) \(line.y) Td (\(text)) Tj ET\n"
            }.joined()
            objects.append("<< /Length \(content.utf8.count) >>\nstream\n\(content)endstream")
        }
        if !outline.isEmpty {
            objects.append("<< /Type /Outlines /First \(first + 1) 0 R /Last \(first + outline.count) 0 R >>")
            for (index, title) in outline.enumerated() {
                let next = index + 1 < outline.count ? "/Next \(first + 2 + index) 0 R" : ""
                let previous = index > 0 ? "/Prev \(first + index) 0 R" : ""
                objects.append("<< /Title (\(title)) /Parent \(first) 0 R \(next) \(previous) /Dest [5 0 R /Fit] >>")
            }
        }
        var trailer = "/Root 1 0 R"
        if let title {
            objects.append("<< /Title (\(title)) >>")
            trailer += " /Info \(objects.count) 0 R"
        }
        if isEncrypted {
            let key = String(repeating: "ab", count: 32)
            objects.append("<< /Filter /Standard /V 1 /R 2 /O <\(key)> /U <\(key)> /P -4 >>")
            trailer += " /Encrypt \(objects.count) 0 R /ID [<00> <00>]"
        }
        return Self.file(objects, trailer)
    }

    private static func file(_ objects: [String], _ trailer: String) -> [UInt8] {
        var file = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.utf8.count)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = file.utf8.count
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            file += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        file += "trailer\n<< /Size \(objects.count + 1) \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(file.utf8)
    }

    /// Sets lines below one another.
    static func column(_ lines: [String], x: Double, y: Double, size: Double = 10, pitch: Double = 12) -> [Line] {
        lines.enumerated().map { Line(x: x, y: y - Double($0) * pitch, size: size, text: $1) }
    }
}
