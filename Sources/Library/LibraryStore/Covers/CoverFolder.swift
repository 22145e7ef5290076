// SPDX-License-Identifier: Apache-2.0

import CNettle
import Glibc
import MediaPlayback

/// The folder of pictures that were embedded in audio files.
///
/// Each picture is one file, which is named by the hash of its content: the same picture in a thousand books is one
/// file. All calls block.
struct CoverFolder: Sendable {
    let path: String

    /// The file extension for each media type.
    private static let endings = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp",
        "image/tiff": "tif", "image/avif": "avif",
    ]

    /// Returns `true` if the path is that of a file directly in this folder.
    func holds(_ file: String) -> Bool {
        file.utf8.starts(with: (path + "/").utf8)
            && !file.utf8.dropFirst(path.utf8.count + 1).contains(UInt8(ascii: "/"))
    }

    /// Returns the path of the file for a picture, whether or not the file exists yet.
    func file(of picture: CoverPicture) throws(PlaceStoreError) -> String {
        guard let ending = Self.endings[picture.mediaType] else {
            throw PlaceStoreError(.refused, "a picture of the type \(picture.mediaType) is not kept")
        }
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        picture.bytes.withUnsafeBufferPointer { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        let name = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(path)/\(name).\(ending)"
    }

    /// Writes a picture, and returns once it is on the disk.
    ///
    /// A file with its final name is complete, or does not exist.
    func write(_ picture: CoverPicture, to file: String) throws(PlaceStoreError) {
        var status = stat()
        if lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == picture.bytes.count {
            return
        }
        try makeFolder()
        let draft = "\(file).\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(errno) }
        var code = Self.write(picture.bytes, to: descriptor)
        if code == 0, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        if code == 0, rename(draft, file) != 0 { code = errno }
        guard code == 0 else {
            unlink(draft)
            throw failure(code)
        }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    func remove(_ file: String) {
        if holds(file) { unlink(file) }
    }

    /// Writes all the bytes.
    ///
    /// - Returns: 0, or the `errno` of the write that failed.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            written += count
        }
        return 0
    }

    private func makeFolder() throws(PlaceStoreError) {
        var folder = ""
        for part in path.split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(errno) }
        }
    }

    private func failure(_ code: Int32) -> PlaceStoreError {
        let isFull = code == ENOSPC || code == EDQUOT
        let why = isFull ? "the disk is full; make room" : String(cString: strerror(code))
        return PlaceStoreError(isFull ? .diskFull : .unavailable, "cannot save a picture in \(path): \(why)")
    }
}
