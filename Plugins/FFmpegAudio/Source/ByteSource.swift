// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineSDK

/// The bytes of one track, in the way that libavformat requests them.
///
/// It is a class because libavformat holds a pointer to it. It is used on the engine's thread only.
class ByteSource {
    let host: Host
    /// The name for messages: a file name, or an address without secrets.
    let name: String
    /// The failure of the source, which libavformat would report as a mere end of file.
    var failure: EngineFailure?
    /// `true` if reading ends as soon as the host asks for it, even where it does not have to wait.
    ///
    /// It is on while a call reads much: opening, seeking and measuring.
    var obeysInterrupt = true

    var size: Int64? { nil }
    var isSeekable: Bool { false }
    /// `true` if the session delivers the same bytes when it is asked again.
    var canReopen: Bool { true }

    init(host: Host, name: String) {
        self.host = host
        self.name = name
    }

    /// Reads at most `count` bytes; returns an AVERROR code on failure and at the end.
    func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 { CFF_ERROR_EOF }

    /// Seeks to a byte; returns its position or an AVERROR code.
    func seek(to position: Int64) -> Int64 { Int64(CFF_ERROR_UNSEEKABLE) }
}
