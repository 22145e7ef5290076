// SPDX-License-Identifier: Apache-2.0

/// The part of a folder in which books may have changed.
///
/// All are URIs of files and folders.
public struct ChangedPart: Sendable, Hashable {
    public let root: String
    /// The folders whose own files changed.
    public let folders: Set<String>
    /// The folders in which anything may have changed.
    public let trees: Set<String>
    /// The folders whose own files still change.
    public let unsettledFolders: Set<String>
    /// The folders in which anything still changes, and the files that are being written.
    public let unsettledTrees: Set<String>
    /// The folders that lead to what changed, and to what still changes.
    private let leading: (changed: Set<String>, unsettled: Set<String>)

    public init(
        root: String, folders: Set<String> = [], trees: Set<String> = [], unsettledFolders: Set<String> = [],
        unsettledTrees: Set<String> = []
    ) {
        self.root = root
        self.folders = folders
        self.trees = trees
        self.unsettledFolders = unsettledFolders
        self.unsettledTrees = unsettledTrees
        leading = (Self.leading(to: folders.union(trees)), Self.leading(to: unsettledFolders.union(unsettledTrees)))
    }

    public static func == (one: Self, other: Self) -> Bool {
        one.root == other.root && one.folders == other.folders && one.trees == other.trees
            && one.unsettledFolders == other.unsettledFolders && one.unsettledTrees == other.unsettledTrees
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(root)
        hasher.combine(folders)
        hasher.combine(trees)
    }

    /// Returns whether a book at a URI may have changed.
    public func mayHaveChanged(_ uri: String) -> Bool {
        leading.changed.contains(uri) || Self.touches(uri, folders, trees)
    }

    /// Returns whether a book at a URI still changes.
    public func isUnsettled(_ uri: String) -> Bool {
        leading.unsettled.contains(uri) || Self.touches(uri, unsettledFolders, unsettledTrees)
    }

    private static func touches(_ uri: String, _ folders: Set<String>, _ trees: Set<String>) -> Bool {
        if folders.contains(uri) || trees.contains(uri) { return true }
        guard let folder = Self.folder(of: uri) else { return false }
        if folders.contains(folder) { return true }
        var next: String? = folder
        while let folder = next {
            if trees.contains(folder) { return true }
            next = Self.folder(of: folder)
        }
        return false
    }

    private static func leading(to uris: Set<String>) -> Set<String> {
        var leading: Set<String> = []
        for uri in uris {
            var next: String? = uri
            while let folder = next, leading.insert(folder).inserted { next = Self.folder(of: folder) }
        }
        return leading
    }

    /// Returns the folder of a file URI; `nil` for the root and what is no path.
    private static func folder(of uri: String) -> String? {
        let scheme = "file://"
        guard uri.hasPrefix(scheme), let slash = uri.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let folder = uri[..<slash]
        if folder.utf8.count > scheme.utf8.count { return String(folder) }
        return uri.utf8.count > scheme.utf8.count + 1 ? scheme + "/" : nil
    }
}
