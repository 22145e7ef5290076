// SPDX-License-Identifier: Apache-2.0

import Glibc
import PiperVoices
import SessionProtocol

/// The folder of the listener's voices, and of the library that speaks them.
struct VoiceInstallation {
    let folder: String

    init() throws(VoiceFailure) {
        do throws(SessionError) {
            folder = try UserFolders.current().data + "/voices"
        } catch {
            throw VoiceFailure(error.message, error.code.rawValue)
        }
    }

    var voices: [PiperVoice] { PiperVoice.installed(in: folder) }

    var hasRuntime: Bool {
        PublishedPackage.runtime.files.allSatisfy { access("\(runtime)/\($0.name)", R_OK) == 0 }
    }

    private var runtime: String { "\(folder)/runtime/\(PublishedPackage.runtimeVersion)" }

    /// Keeps other commands from changing the folder until this program ends.
    func lock() throws(VoiceFailure) {
        try makeFolder(folder)
        let path = folder + "/.lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .disk("\(path): \(String(cString: strerror(errno)))") }
        // It is never closed: the end of the program gives the lock back.
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            throw .busy("another `rostrum voices` is changing \(folder); try again when it is done")
        }
    }

    /// Installs the library, unless it is there.
    func installRuntime() throws(VoiceFailure) {
        guard !hasRuntime else { return }
        var machine = utsname()
        uname(&machine)
        let architecture = withUnsafeBytes(of: &machine.machine) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard architecture == PublishedPackage.runtimeArchitecture else {
            throw .unavailable(
                "the library for neural voices is published for \(PublishedPackage.runtimeArchitecture), and this machine is \(architecture)"
            )
        }
        try withDraft { draft throws(VoiceFailure) in
            try PackageDownload(package: .runtime, folder: draft, title: "sherpa-onnx").run()
            try makeFolder("\(folder)/runtime")
            // What a broken installation left.
            Self.remove(runtime)
            try name(draft, runtime)
        }
    }

    func install(_ voice: PublishedVoice) throws(VoiceFailure) -> PiperVoice {
        try withDraft { draft throws(VoiceFailure) in
            try PackageDownload(package: voice.package, folder: draft, title: voice.name).run()
            // What is left of a voice that is damaged makes room for it.
            if PiperVoice.isName(voice.name) { Self.remove("\(folder)/\(voice.name)") }
            // What was examined is what comes, so that the list says the same before and after.
            return try prepare(
                "\(draft)/\(voice.model)", "\(draft)/\(voice.config)", voice.name, license: voice.license)
        }
    }

    /// Adds a voice of Piper from a folder with `NAME.onnx` and `NAME.onnx.json`.
    func add(_ source: String) throws(VoiceFailure) -> PiperVoice {
        guard let listing = opendir(source) else {
            throw .missing("\(source): \(String(cString: strerror(errno))); give the folder of a Piper voice")
        }
        defer { closedir(listing) }
        var models: [String] = []
        while let item = readdir(listing) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".onnx"), access("\(source)/\(name).json", R_OK) == 0 { models.append(name) }
        }
        guard let model = models.first, models.count == 1 else {
            throw .data(
                models.isEmpty
                    ? "\(source): no Piper voice in it: a file NAME.onnx with NAME.onnx.json beside it"
                    : "\(source): \(models.count) voices in it; give a folder with one")
        }
        try makeFolder(folder)
        let card = Self.text("\(source)/MODEL_CARD")
        return try prepare(
            "\(source)/\(model)", "\(source)/\(model).json", String(model.dropLast(5)),
            license: card.flatMap(PiperVoice.license(inModelCard:)))
    }

    func remove(_ name: String) throws(VoiceFailure) {
        guard PiperVoice.isName(name), access("\(folder)/\(name)", F_OK) == 0 else {
            throw .missing("\(name): no such voice; see `rostrum voices`")
        }
        Self.remove("\(folder)/\(name)")
        guard access("\(folder)/\(name)", F_OK) != 0 else {
            throw .disk("\(folder)/\(name): it cannot be removed as a whole; check its permissions")
        }
    }

    private func prepare(
        _ model: String, _ config: String, _ name: String, license: String?
    ) throws(VoiceFailure) -> PiperVoice {
        do throws(PiperVoiceFailure) {
            return try PiperVoice.prepare(model: model, config: config, into: "\(folder)/\(name)", license: license)
        } catch {
            if case .file = error { throw .disk("\(error)") }
            throw .data("\(error)")
        }
    }

    // MARK: Folders

    private func withDraft<T>(_ body: (String) throws(VoiceFailure) -> T) throws(VoiceFailure) -> T {
        try makeFolder(folder)
        removeAbandoned()
        let draft = "\(folder)/.draft.\(getpid())"
        Self.remove(draft)
        try makeFolder(draft)
        defer { Self.remove(draft) }
        return try body(draft)
    }

    /// Removes the drafts of installations that were killed.
    private func removeAbandoned() {
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        while let item = readdir(listing) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(".draft."), let process = pid_t(name.dropFirst(7)) else { continue }
            if kill(process, 0) != 0, errno == ESRCH { Self.remove("\(folder)/\(name)") }
        }
    }

    private func makeFolder(_ path: String) throws(VoiceFailure) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else {
                throw .disk("\(made): \(String(cString: strerror(errno)))")
            }
        }
    }

    private func name(_ draft: String, _ path: String) throws(VoiceFailure) {
        guard rename(draft, path) == 0 else { throw .disk("\(path): \(String(cString: strerror(errno)))") }
    }

    /// Removes the files of a folder, and the folder; what is no file stays.
    private static func remove(_ path: String) {
        if let listing = opendir(path) {
            while let item = readdir(listing) {
                let name = withUnsafeBytes(of: &item.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { unlink("\(path)/\(name)") }
            }
            closedir(listing)
        }
        rmdir(path)
    }

    private static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
