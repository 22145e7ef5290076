// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import MediaPlayback
import PlaybackCore

/// The renders under way.
struct RenderJobs {
    /// The maximum number of renders, each of which is an engine's process that uses as much of a core as it can.
    static let most = 8

    private struct Job {
        /// The task; `nil` until it starts.
        var task: Task<Void, Never>?
        /// The client with which the render ends; `nil` if none is attached.
        var client: ClientID?
    }

    private var jobs: [Int: Job] = [:]
    private var last = 0

    var tasks: [Task<Void, Never>] { jobs.values.compactMap(\.task) }

    func tasks(with client: ClientID) -> [Task<Void, Never>] {
        jobs.values.filter { $0.client == client }.compactMap(\.task)
    }

    /// Reserves a place for a render and returns its number; throws `busy` if there are too many.
    mutating func begin() throws(PlaybackError) -> Int {
        guard jobs.count < Self.most else {
            throw PlaybackError(
                .busy, message: "\(jobs.count) renders are under way; try again when one of them is done")
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
