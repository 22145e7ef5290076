// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import MediaPlayback
import PlaybackCore

/// The renders that are under way.
struct RenderJobs {
    /// Each is a process of an engine that takes all it gets of a core.
    static let most = 8

    private struct Job {
        /// nil: it is about to begin.
        var task: Task<Void, Never>?
        /// Whom it ends with; nil: nobody stays with it.
        var client: ClientID?
    }

    private var jobs: [Int: Job] = [:]
    private var last = 0

    var tasks: [Task<Void, Never>] { jobs.values.compactMap(\.task) }

    func tasks(with client: ClientID) -> [Task<Void, Never>] {
        jobs.values.filter { $0.client == client }.compactMap(\.task)
    }

    /// Makes room for one; throws 75 if there are too many.
    mutating func begin() throws(PlaybackError) -> Int {
        guard jobs.count < Self.most else {
            throw PlaybackError(
                code: 75, message: "\(jobs.count) renders are under way; try again when one of them is done")
        }
        last += 1
        jobs[last] = Job()
        return last
    }

    mutating func set(_ number: Int, _ task: Task<Void, Never>, with client: ClientID?) {
        jobs[number] = Job(task: task, client: client)
    }

    mutating func end(_ number: Int) { jobs[number] = nil }
}
