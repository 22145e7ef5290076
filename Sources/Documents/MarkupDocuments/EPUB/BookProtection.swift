// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// Tells whether a book is protected against being read.
enum BookProtection {
    /// The files that tell.
    static let files: Set<String> = [
        "META-INF/encryption.xml", "META-INF/rights.xml", "META-INF/license.lcpl", "META-INF/sinf.xml",
    ]

    /// Ways to hide fonts, which are not text.
    private static let fontAlgorithms = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"]

    /// - Throws: `.encrypted` by the name of the protection if any file with text is encrypted.
    static func check(_ files: [String: [UInt8]], isText: (String) -> Bool, limits: ReadingLimits) throws(DocumentError)
    {
        guard let encryption = files["META-INF/encryption.xml"] else { return }
        let tree = try XMLTree.parse(encryption, limits: limits).tree
        for data in tree.all("EncryptedData", in: tree.range) {
            let inside = tree.inside(data)
            let algorithm =
                tree.first("EncryptionMethod", in: inside).flatMap { tree.attribute("Algorithm", of: $0) } ?? ""
            if fontAlgorithms.contains(algorithm) { continue }
            guard let reference = tree.first("CipherReference", in: inside),
                let path = tree.attribute("URI", of: reference).flatMap({ MemberPath.normal(MemberPath.decoded($0)) })
            else { continue }
            if isText(path) {
                throw DocumentError(
                    .encrypted, "the book is encrypted (\(name(files))); get a copy without that protection")
            }
        }
    }

    private static func name(_ files: [String: [UInt8]]) -> String {
        if files["META-INF/license.lcpl"] != nil { return "Readium LCP" }
        if files["META-INF/sinf.xml"] != nil { return "Apple FairPlay" }
        let rights = files["META-INF/rights.xml"].map { String(decoding: $0.prefix(1 << 16), as: UTF8.self) }
        if let rights {
            if rights.contains("ns.adobe.com/adept") { return "Adobe ADEPT" }
            if rights.lowercased().contains("kobo") || rights.contains("kdrm") { return "Kobo" }
            if rights.contains("barnesandnoble") { return "Barnes & Noble" }
        }
        let encryption = String(decoding: (files["META-INF/encryption.xml"] ?? []).prefix(1 << 16), as: UTF8.self)
        if encryption.contains("readium.org/2014/01/lcp") { return "Readium LCP" }
        return encryption.contains("ns.adobe.com/adept") ? "Adobe ADEPT" : "unknown protection"
    }
}
