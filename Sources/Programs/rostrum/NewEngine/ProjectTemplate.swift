// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SessionProtocol

/// An example from which a new project is made.
struct ProjectTemplate {
    /// The name of the example.
    let name: EngineName
    private let folder: String
    /// Paths of an installed Rostrum in the example, and the actual paths of this one.
    private let places: [(example: String, actual: String)]

    /// Returns the template of the prefix that this program is installed in, or of the checkout that it was built in.
    static func installed(_ language: EngineLanguage) throws(SessionError) -> ProjectTemplate {
        let name = try EngineName(language.template)
        let beside = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex)) }
        guard let beside else { throw SessionError(.io, "cannot tell where this program is: /proc/self/exe") }
        let prefix = String(beside.prefix(upTo: beside.lastIndex(of: "/") ?? beside.startIndex))
        let shared = prefix + "/share/rostrum"
        if let found = resolved("\(shared)/templates/\(name.id)") {
            let places = [("/usr/local/share/rostrum/sdk", "\(shared)/sdk"), ("/usr/local/lib", "\(prefix)/lib")]
            return ProjectTemplate(name: name, folder: found, places: places)
        }
        guard let found = resolved("\(beside)/templates/\(name.id)"), let sdk = resolved("\(beside)/sdk") else {
            throw SessionError(
                .notFound, "\(shared)/templates/\(name.id): no such template; install Rostrum again (make install)")
        }
        return ProjectTemplate(name: name, folder: found, places: [("/usr/local/share/rostrum/sdk", sdk)])
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Writes the project into a folder that does not exist yet.
    func write(_ new: EngineName, to target: String) throws(SessionError) {
        guard mkdir(target, 0o755) == 0 else {
            throw SessionError(.cannotCreate, "cannot create \(target): \(String(cString: strerror(errno)))")
        }
        do throws(SessionError) {
            for file in try files() { try write(file, new, to: target) }
        } catch {
            // Half a project would only obstruct the next attempt.
            try? FileManager.default.removeItem(atPath: target)
            throw error
        }
    }

    /// Returns the files of the example, without what was built there.
    private func files() throws(SessionError) -> [String] {
        guard let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder) else { throw unreadable(folder) }
        return paths.sorted().filter { path in
            path.split(separator: "/").allSatisfy { !$0.hasPrefix(".") && $0 != "build" }
                && !isFolder("\(folder)/\(path)")
        }
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func write(_ file: String, _ new: EngineName, to target: String) throws(SessionError) {
        guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(file)") else {
            throw unreadable("\(folder)/\(file)")
        }
        let path = "\(target)/\(renamed(file, new))"
        let parent = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
        var text = renamed(String(decoding: bytes, as: UTF8.self), new)
        for place in places { text = text.replacing(place.example, with: place.actual) }
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            throw SessionError(.cannotCreate, "cannot create \(path): \(String(cString: strerror(errno)))")
        }
    }

    private func renamed(_ text: String, _ new: EngineName) -> String {
        text.replacing(name.type, with: new.type).replacing(name.id, with: new.id)
    }

    private func unreadable(_ path: String) -> SessionError {
        SessionError(.io, "cannot read the template \(path): \(String(cString: strerror(errno)))")
    }
}
