// SPDX-License-Identifier: Apache-2.0

/// A file that is being written beside its place.
public struct FileDraft: Sendable, Hashable {
    /// The path; `nil` for a file without a name, of which nothing is left if the session is killed.
    public var path: String?
    /// The empty file, opened for reading and writing.
    public var descriptor: SharedDescriptor

    public init(path: String?, descriptor: SharedDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }
}

/// Keeps the files of clips, and puts exports where the listener wants them.
///
/// A file with its final name is complete. Calls block no thread of the caller, and have a deadline.
public protocol ClipFileStore: Sendable {
    /// Returns the path of a clip's file.
    func path(of name: String) -> String

    /// Begins a file in the folder of clips.
    func begin() async throws(PlaceStoreError) -> FileDraft

    /// Puts a finished file on the disk under a name of its own that begins with the clip's id.
    ///
    /// - Returns: The name.
    func finish(_ draft: FileDraft, of id: String, extension: String) async throws(PlaceStoreError) -> String

    /// Returns the names of the finished files, and removes what a killed session was writing, here and elsewhere.
    func names() async throws(PlaceStoreError) -> Set<String>

    /// Returns `true` if the file is there.
    func has(_ name: String) async -> Bool

    func remove(_ name: String) async

    /// The path of the folder for files that no clip has.
    var lost: String { get }

    /// Moves a file that no clip has into ``lost``; returns `false` if it is not there any more.
    func setAside(_ name: String) async throws(PlaceStoreError) -> Bool

    /// Brings a file back from ``lost``; returns `false` if it is not there.
    func bringBack(_ name: String) async -> Bool

    /// Begins a file beside the path that it is to have.
    func begin(beside path: String) async throws(PlaceStoreError) -> FileDraft

    /// Gives a finished file its path.
    ///
    /// - Parameter replaces: `false` to leave a file that has the path, and to take a free name beside it.
    /// - Returns: The path.
    func finish(_ draft: FileDraft, as path: String, replaces: Bool) async throws(PlaceStoreError) -> String

    /// Removes a file that is not to be finished.
    func discard(_ draft: FileDraft) async

    /// Removes all files that are not finished, since the session ends.
    func discardAll() async
}
