// SPDX-License-Identifier: Apache-2.0

public import EngineABI

/// The C interface of an engine that is written in Swift.
public enum EngineModule {
    /// Returns the module for `rostrum_engine_entry`, or `nil` for a host of another major version.
    ///
    /// The loader calls the entry once per process. As the contract requires, the module stays valid for the life of
    /// the process.
    public static func export<E: Engine>(_ engine: E.Type, hostMajor: UInt32) -> UnsafePointer<rostrum_engine_module>? {
        guard hostMajor == UInt32(ROSTRUM_ABI_MAJOR) else { return nil }
        let module = UnsafeMutablePointer<rostrum_engine_module>.allocate(capacity: 1)
        module.initialize(to: rostrum_engine_module())
        module.pointee.size = UInt32(MemoryLayout<rostrum_engine_module>.size)
        module.pointee.abi_major = UInt16(ROSTRUM_ABI_MAJOR)
        module.pointee.abi_minor = UInt16(ROSTRUM_ABI_MINOR)
        module.pointee.id = lasting(E.id)
        module.pointee.version = lasting(E.version)
        module.pointee.functions = functions()
        factory = { host in
            do throws(EngineFailure) {
                return .success(EngineBox(try E(host: host), extensions: EngineExtensions(E.self)))
            } catch {
                return .failure(error)
            }
        }
        return UnsafePointer(module)
    }

    /// The function that creates the module's engine.
    ///
    /// The loader's call of the entry writes it once, before any engine exists. After that it is only read, on the
    /// engine's thread.
    nonisolated(unsafe) private static var factory: ((Host) -> Result<EngineBox, EngineFailure>)?

    private static func lasting(_ string: String) -> UnsafePointer<CChar> {
        let bytes = Array(string.utf8CString)
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        return UnsafePointer(copy.baseAddress.unsafelyUnwrapped)
    }

    private static func functions() -> rostrum_engine_functions {
        var functions = rostrum_engine_functions()
        functions.size = UInt32(MemoryLayout<rostrum_engine_functions>.size)
        functions.create = { host, engine in
            guard let host, let engine, let factory = EngineModule.factory else { return ROSTRUM_ERROR_ARGUMENT }
            switch factory(Host(host)) {
            case .success(let box):
                engine.pointee = OpaquePointer(Unmanaged.passRetained(box).toOpaque())
                return ROSTRUM_OK
            case .failure(let failure):
                return failure.code
            }
        }
        functions.destroy = { engine in
            guard let engine else { return }
            Unmanaged<EngineBox>.fromOpaque(UnsafeRawPointer(engine)).release()
        }
        functions.load = { engine, content in
            guard let content else { return ROSTRUM_ERROR_ARGUMENT }
            return EngineModule.call(engine) { (box) throws(EngineFailure) in try box.load(content.pointee) }
        }
        functions.unload = { engine in
            _ = EngineModule.call(engine) { (box) throws(EngineFailure) in box.unload() }
        }
        functions.media = { engine, media in
            guard let media else { return ROSTRUM_ERROR_ARGUMENT }
            return EngineModule.call(engine) { (box) throws(EngineFailure) in try box.describe(media) }
        }
        functions.track = { engine, index, track in
            guard let track else { return ROSTRUM_ERROR_ARGUMENT }
            return EngineModule.call(engine) { (box) throws(EngineFailure) in try box.describe(track: Int(index), track)
            }
        }
        functions.chapter = { engine, index, chapter in
            guard let chapter else { return ROSTRUM_ERROR_ARGUMENT }
            return EngineModule.call(engine) { (box) throws(EngineFailure) in
                try box.describe(chapter: Int(index), chapter)
            }
        }
        functions.render = { engine, block in
            guard let block else { return ROSTRUM_ERROR_ARGUMENT }
            return EngineModule.call(engine) { (box) throws(EngineFailure) in try box.render(block) }
        }
        functions.seek = { engine, track, position in
            EngineModule.call(engine) { (box) throws(EngineFailure) in
                try box.engine.seek(track: Int(track), position: position)
            }
        }
        functions.interrupt = { _ in
            // Nothing to do: an engine polls the host's flag through `Host.isInterrupted`.
        }
        functions.error_message = { engine in
            guard let engine else { return nil }
            return Unmanaged<EngineBox>.fromOpaque(UnsafeRawPointer(engine)).takeUnretainedValue().strings[.error]
        }
        functions.get_extension = { engine, id in
            guard let engine, let id else { return nil }
            let box = Unmanaged<EngineBox>.fromOpaque(UnsafeRawPointer(engine)).takeUnretainedValue()
            return box.extensions[String(cString: id)]
        }
        return functions
    }

    /// Runs one call of the contract and keeps the message of its failure.
    static func call(
        _ engine: OpaquePointer?, _ body: (EngineBox) throws(EngineFailure) -> Void
    ) -> rostrum_result {
        guard let engine else { return ROSTRUM_ERROR_ARGUMENT }
        let box = Unmanaged<EngineBox>.fromOpaque(UnsafeRawPointer(engine)).takeUnretainedValue()
        do throws(EngineFailure) {
            try body(box)
            return ROSTRUM_OK
        } catch {
            box.strings.set(.error, error.message)
            return error.code
        }
    }
}
