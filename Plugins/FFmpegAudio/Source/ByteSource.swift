// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineSDK

/// Bytes of one track, as libavformat asks for them.
///
/// A class because libavformat holds a pointer to it. The engine's thread only.
class ByteSource {
    let host: Host
    /// For messages: a file name, or an address without secrets.
    let name: String
    /// What went wrong below, which libavformat would tell as a mere end of file.
    var failure: EngineFailure?
    /// Whether reading ends as soon as the host says so, also where it does not have to wait.
    ///
    /// On while a call reads much: opening, seeking and measuring.
    var obeysInterrupt = true

    var size: Int64? { nil }
    var isSeekable: Bool { false }
    /// Whether the same bytes come again if the session is asked once more.
    var canReopen: Bool { true }

    init(host: Host, name: String) {
        self.host = host
        self.name = name
    }

    /// Reads at most `count` bytes; an AVERROR code on failure and at the end.
    func read(into buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int32 { CFF_ERROR_EOF }

    /// Goes to a byte; its position or an AVERROR code.
    func seek(to position: Int64) -> Int64 { Int64(CFF_ERROR_UNSEEKABLE) }
}
