// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EngineCatalog
import EngineConfinement
import EngineConformance
import EngineTransport
import Glibc
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// The command that `rostrum engines check` starts.
///
/// It runs no session, but this program knows the catalog and the cases. Each case runs in a process of the runner, as
/// an engine of the session does. The command prints one ``EngineCheckLine`` per line.
struct CheckEngineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-engine", abstract: "Started by rostrum engines check.", shouldDisplay: false)

    @Argument(help: .hidden)
    var folder: String?
    @Option(name: .customLong("case"), help: .hidden)
    var names: [String] = []
    @Option(help: .hidden)
    var content: String?
    @Option(help: .hidden)
    var deadline: Double?
    /// The time in seconds for all cases together, unless the author sets a deadline for each.
    @Option(help: .hidden)
    var total = RunBudget.seconds
    @Flag(help: .hidden)
    var list = false

    func run() throws {
        do throws(SessionError) {
            if list {
                for check in ConformanceCase.all { try print(.known(name: check.name, about: check.about)) }
            } else {
                try check()
            }
        } catch {
            try print(.failed(error))
            throw ExitCode(error.code.rawValue)
        }
    }

    private func check() throws(SessionError) {
        let (engine, confinement) = try engine()
        for name in names where !ConformanceCase.all.contains(where: { $0.name == name }) {
            throw SessionError(.usage, "no such case: \(name); see `rostrum engines check --list`")
        }
        try print(.engine(engine.id))
        let run = ConformanceRun(
            engine, runner: ProgramFolder.beside("rostrum-engine-runner"), options: confinement.arguments,
            deadline: deadline)
        var budget = ConformanceRun.budget(seconds: total)
        for check in ConformanceCase.all where names.isEmpty || names.contains(check.name) {
            let result: CaseResult
            do throws(SystemError) {
                result = try deadline == nil ? run.run(check, within: &budget) : run.run(check)
            } catch {
                throw SessionError(.defect, "cannot run the case \(check.name): \(error)")
            }
            try print(.result(.init(result)))
        }
    }

    /// Returns the engine as the session would find it in its folders, with all permissions that its manifest requests.
    private func engine() throws(SessionError) -> (EngineDescription, Confinement) {
        let named = folder ?? ""
        guard let path = resolve(named) else {
            throw SessionError(.notFound, "no such folder: \(named); give an engine's folder, ID.engine")
        }
        let parent = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let entries = EngineCatalog(SearchPath(folders: [parent.isEmpty ? "/" : parent])).entries()
        guard let entry = entries.first(where: { $0.engine.path == path }) else {
            throw SessionError(.badContent, "\(named) is not an engine: give a folder ID.engine with a manifest.json")
        }
        guard entry.engine.state == .available, let module = entry.module else {
            throw SessionError(
                entry.engine.state == .refused ? .notPermitted : .badContent,
                "cannot check \(named): \(entry.engine.reason ?? "\(entry.engine.state)")")
        }
        var file: String?
        if let content {
            file = resolve(content)
            guard let file, access(file, R_OK) == 0 else {
                throw SessionError(.notFound, "no such file: \(content); give one that the engine plays")
            }
        }
        var confinement = entry.confinement
        confinement.network = entry.permissions.contains(Permission.network)
        confinement.writes = entry.permissions.contains(Permission.writes)
        confinement.voices = entry.permissions.contains(Permission.voices)
        let description = EngineDescription(
            id: entry.engine.id.rawValue, module: module, kinds: entry.engine.kinds.map(\.rawValue),
            extensions: entry.engine.extensions, content: file)
        return (description, confinement)
    }

    private func resolve(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private func print(_ line: EngineCheckLine) throws(SessionError) {
        var rest = try JSONLine.encode(line)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw SessionError(.io, "cannot write the results") }
            rest = rest.dropFirst(written)
        }
    }
}

extension EngineCheck.Result {
    /// Creates a result; programs know five results, so a case that was not started is reported as `hung`.
    fileprivate init(_ result: CaseResult) {
        let isRun = result.outcome != .notRun
        self.init(
            name: result.name, result: (isRun ? result.outcome : .hung).rawValue, detail: result.detail,
            notRun: isRun ? nil : true)
    }
}
