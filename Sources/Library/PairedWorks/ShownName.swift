// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The name of a file for a person.
enum ShownName {
    /// Returns the last part of a URI, decoded.
    static func of(_ uri: String) -> String {
        let last = uri.split(separator: "/").last.map(String.init) ?? uri
        return last.removingPercentEncoding ?? last
    }

    /// Returns the last part of a URI or path, decoded, without the ending.
    static func withoutEnding(_ uri: String) -> String {
        let name = of(uri)
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
