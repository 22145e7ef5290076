// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback

extension BookScanner {
    /// Returns the path of a folder that is there, with `..` resolved and with symbolic links kept.
    public func folder(_ item: String) async throws(ItemError) -> [UInt8] {
        let outcome = await run(within: Self.folderTime) { _ in
            Result { () throws(ItemError) in
                let path = try Self.path(item)
                guard case .folder = try FileProbe.look(at: path) else {
                    throw ItemError(.notAFile, "\(item): it is not a folder; name one")
                }
                return path
            }
        }
        return try (outcome ?? .failure(timedOut)).get()
    }

    /// Returns the URI of an absolute path, which need not be UTF-8.
    public static func uri(ofPath path: [UInt8]) -> String { ItemReader.fileURI(path) }

    /// Returns the path of a file URI; `nil` if it is none.
    public static func path(ofURI uri: String) -> [UInt8]? { bytes(ofFileURI: uri) }
}
