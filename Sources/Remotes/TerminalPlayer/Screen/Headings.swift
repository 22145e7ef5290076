// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

extension Status.Item {
    /// The title, or else the name of the file, and the author.
    public var heading: String { author.map { "\(shownTitle) - \($0)" } ?? shownTitle }

    /// The title, or else the name of the file.
    var shownTitle: String { title ?? uri.split(separator: "/").last.map(String.init) ?? uri }
}

extension Status.Chapter {
    /// The number from 1 and the title: `3/12 The Title`.
    public var heading: String { "\(index &+ 1)/\(count)" + (title.map { " \($0)" } ?? "") }
}
