// SPDX-License-Identifier: Apache-2.0

/// A path as the kernel knows it, which need not be UTF-8.
public typealias WatchedPath = [UInt8]

/// A change below a watched folder.
public enum FolderChange: Sendable, Hashable {
    /// A file in the folder came, went or was written.
    case entries(of: WatchedPath)
    /// A folder came or went, and anything in it may have changed.
    case tree(WatchedPath)
    /// A file was created, and its writer still has it open.
    case opened(WatchedPath)
    /// A file is complete, or gone.
    case closed(WatchedPath)
}

/// The way in which a folder is watched.
public enum FolderState: Sendable, Hashable {
    case absent
    /// The kernel reports each change.
    case watched(folders: Int)
    /// The kernel reports only what this machine changes; the rest takes a scan now and then.
    case shared(folders: Int)
    /// The kernel reports nothing.
    case unwatched(FolderWatchFault)

    /// `true` if the folder has to be scanned now and then.
    public var needsScans: Bool {
        switch self {
        case .absent, .watched: false
        case .shared, .unwatched: true
        }
    }
}

/// The reason why the kernel does not report changes of a folder.
public enum FolderWatchFault: Sendable, Hashable {
    /// More folders than the kernel or the limit of this program allows.
    case tooManyFolders(limit: Int)
    /// The error number of the kernel.
    case system(Int32)
}

extension [UInt8] {
    /// Returns `true` if this path is the other one, or leads into it.
    func isIn(_ folder: WatchedPath) -> Bool {
        guard starts(with: folder) else { return false }
        return count == folder.count || folder.last == UInt8(ascii: "/") || self[folder.count] == UInt8(ascii: "/")
    }

    /// The folder that contains this path; `/` contains itself.
    var folder: WatchedPath {
        guard let slash = lastIndex(of: UInt8(ascii: "/")) else { return self }
        return slash == 0 ? [UInt8(ascii: "/")] : Array(self[..<slash])
    }

    /// Returns the path of a name in this folder.
    func child(_ name: some Sequence<UInt8>) -> WatchedPath {
        last == UInt8(ascii: "/") ? self + name : self + [UInt8(ascii: "/")] + name
    }

    /// Calls `body` with the path as the kernel takes it.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBytes { bytes in
            // Never empty, because of the zero.
            body(bytes.bindMemory(to: CChar.self).baseAddress.unsafelyUnwrapped)
        }
    }
}
