// SPDX-License-Identifier: Apache-2.0

/// The properties of `org.mpris.MediaPlayer2`, which never change.
enum RootProperties {
    /// The media types of the recordings and texts that the bundled engines read.
    static let mediaTypes = [
        "audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/opus", "audio/wav", "audio/webm",
        "audio/x-flac", "audio/x-m4a", "audio/x-m4b", "audio/x-mpegurl", "audio/x-vorbis+ogg", "audio/x-wav",
        "text/plain",
    ]

    static func value(of property: String) -> BusValue? {
        switch property {
        case "CanQuit": .bool(true)
        case "CanRaise": .bool(false)
        case "HasTrackList": .bool(true)
        case "Identity": .string("Rostrum")
        case "DesktopEntry": .string("rostrum")
        case "SupportedUriSchemes": .strings(["file", "http", "https"])
        case "SupportedMimeTypes": .strings(mediaTypes)
        default: nil
        }
    }
}
