// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import EngineABI
import EngineLoader
public import EngineTransport
import Glibc

/// A host for one engine behind a socket; it works the same in a process of its own and on threads of the session.
public struct EngineHost: Sendable {
    private let module: String
    private let id: String
    private let socket: MessageSocket

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - module: The path of the engine's module.
    ///   - id: The ID in the engine's manifest.
    public init(module: String, id: String, socket: MessageSocket) {
        self.module = module
        self.id = id
        self.socket = socket
    }

    /// Serves the session until it asks the engine to quit or closes its end of the socket.
    ///
    /// The calling thread receives messages and does nothing else; the engine has a thread of its own. The call returns
    /// when the engine is gone, or, if it is still in a call, `grace` milliseconds after it should have ended.
    public func serve(grace: Int32 = 800) {
        guard case .message(let bytes, let descriptors) = socket.receive(waiting: true),
            case .hello(HostMessage.version, let capacity)? = try? HostMessage(decoding: bytes[...]),
            descriptors.count == RingMemory.handedOverCount, let ended = try? EventDescriptor(),
            let inbox = try? HostInbox()
        else { return }
        let started = HostThread.start("engine") { [self] in
            host(inbox, descriptors, Int(capacity))
            ended.signal()
        }
        guard started else { return }
        takeMessages(inbox, room: WakeSocket(descriptors[3]))
        inbox.close()
        var entry = pollfd(fd: ended.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, grace)
    }

    private func host(_ inbox: HostInbox, _ descriptors: [OwnedDescriptor], _ capacity: Int) {
        do throws(WireFailure) {
            let writer: RingWriter
            let module: LoadedModule
            do throws(SystemError) {
                writer = try RingWriter(
                    ring: descriptors[0], readerPage: descriptors[1], readable: EventDescriptor(descriptors[2]),
                    capacity: capacity)
            } catch {
                throw WireFailure(code: EngineNumber.misbehaved, message: "no ring: \(error)")
            }
            do throws(ModuleFailure) {
                module = try LoadedModule(path: self.module, expectedID: id)
            } catch {
                throw WireFailure(code: EngineNumber.unavailable, message: error.message)
            }
            let engine = try EngineInstance(module, inbox: inbox, socket: socket)
            let ready = EngineMessage.Ready(
                abiMajor: module.abiMajor, abiMinor: module.abiMinor, id: module.id, version: module.version,
                rates: engine.rates)
            _ = socket.send(EngineMessage.ready(ready).encoded(), waiting: true)
            EngineThread(engine: engine, inbox: inbox, socket: socket, writer: writer).run()
        } catch {
            _ = socket.send(EngineMessage.unusable(error).encoded(), waiting: true)
        }
    }

    private func takeMessages(_ inbox: HostInbox, room: WakeSocket) {
        while true {
            var entries = [socket.descriptor, room.descriptor].map {
                pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0)
            }
            _ = gnu_poll(&entries, 2, -1)
            if entries[1].revents != 0, room.drain() { inbox.roomCame() }
            guard entries[0].revents != 0 else { continue }
            guard case .message(let bytes, let descriptors) = socket.receive(waiting: true) else { return }
            guard let message = try? HostMessage(decoding: bytes[...]) else { return }
            let command: HostCommand
            switch message {
            case .hello, .quit: return
            case .source(let request, let source):
                inbox.deliver(source, descriptors, request: request)
                continue
            case .load(let request, let load): command = .load(request: request, load)
            case .seek(let request, let generation, let track, let position):
                command = .seek(request: request, generation: generation, track: track, position: position)
            case .setRate(let request, let rate): command = .setRate(request: request, rate)
            case .setRange(let request, let range): command = .setRange(request: request, range)
            case .measure(let request, let track): command = .measure(request: request, track: track)
            case .measureLater(let request, let track): command = .measureLater(request: request, track: track)
            case .cover(let request, let track): command = .cover(request: request, track: track)
            case .cut(let request, let cut):
                guard descriptors.count == (cut.hasCover ? 2 : 1) else { return }
                command = .cut(request: request, cut, descriptors)
            case .peaks(let request, let track, let framesPerPeak, let first, let count):
                command = .peaks(
                    request: request, track: track, framesPerPeak: framesPerPeak, first: first, count: count)
            case .describeAll(let request): command = .describeAll(request: request)
            case .voices(let request): command = .voices(request: request)
            case .unload(let request): command = .unload(request: request)
            case .ping(let request): command = .ping(request: request)
            }
            for dropped in inbox.post(command) {
                let answer = EngineMessage.failed(request: dropped.request, EngineInstance.interrupted)
                _ = socket.send(answer.encoded(), waiting: true)
            }
        }
    }
}
