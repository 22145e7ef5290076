// SPDX-License-Identifier: Apache-2.0

/// A libtool archive (`.la`): a text that names the module to open.
///
/// It is resolved to a file that can be checked, before anything is opened.
enum LibtoolArchive {
    /// Returns the paths where the module may be, in the order in which libltdl would try them.
    static func candidates(_ text: [UInt8], folder: String) -> [String] {
        var values: [Substring: Substring] = [:]
        for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            let value = line[line.index(after: equals)...].drop { $0 == "'" || $0 == "\"" }
            values[line[..<equals]] = value.prefix { $0 != "'" && $0 != "\"" }
        }
        guard let name = values["dlname"], !name.isEmpty else { return [] }
        var places: [String] = []
        if values["installed"] == "yes", let library = values["libdir"], !library.isEmpty {
            places.append("\(library)/\(name)")
        }
        return places + ["\(folder)/.libs/\(name)", "\(folder)/\(name)"]
    }
}
