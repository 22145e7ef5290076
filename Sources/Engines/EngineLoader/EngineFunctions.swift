// SPDX-License-Identifier: Apache-2.0

public import EngineABI

/// The functions of an engine, all of which are present.
public struct EngineFunctions: Sendable {
    public typealias Engine = OpaquePointer

    public let create: @convention(c) (UnsafePointer<rostrum_host>?, UnsafeMutablePointer<Engine?>?) -> rostrum_result
    public let destroy: @convention(c) (Engine?) -> Void
    public let load: @convention(c) (Engine?, UnsafePointer<rostrum_content>?) -> rostrum_result
    public let unload: @convention(c) (Engine?) -> Void
    public let media: @convention(c) (Engine?, UnsafeMutablePointer<rostrum_media>?) -> rostrum_result
    public let track: @convention(c) (Engine?, UInt32, UnsafeMutablePointer<rostrum_track>?) -> rostrum_result
    public let chapter: @convention(c) (Engine?, UInt32, UnsafeMutablePointer<rostrum_chapter>?) -> rostrum_result
    public let render: @convention(c) (Engine?, UnsafeMutablePointer<rostrum_block>?) -> rostrum_result
    public let seek: @convention(c) (Engine?, UInt32, Int64) -> rostrum_result
    public let interrupt: @convention(c) (Engine?) -> Void
    public let errorMessage: @convention(c) (Engine?) -> UnsafePointer<CChar>?
    public let getExtension: @convention(c) (Engine?, UnsafePointer<CChar>?) -> UnsafeRawPointer?

    /// Creates the table, or returns `nil` if a function is missing.
    init?(_ functions: rostrum_engine_functions) {
        guard let create = functions.create, let destroy = functions.destroy, let load = functions.load,
            let unload = functions.unload, let media = functions.media, let track = functions.track,
            let chapter = functions.chapter, let render = functions.render, let seek = functions.seek,
            let interrupt = functions.interrupt, let errorMessage = functions.error_message,
            let getExtension = functions.get_extension
        else { return nil }
        self.create = create
        self.destroy = destroy
        self.load = load
        self.unload = unload
        self.media = media
        self.track = track
        self.chapter = chapter
        self.render = render
        self.seek = seek
        self.interrupt = interrupt
        self.errorMessage = errorMessage
        self.getExtension = getExtension
    }
}
