// SPDX-License-Identifier: Apache-2.0

import HTTPExchange

/// The reason why a download does not go on.
public struct DownloadFault: Error, Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The network or the server is away; it is tried again.
        case away
        /// The server has no such item or file.
        case gone
        /// The server does not permit it.
        case refused
        /// The disk is full, or would be.
        case full
        /// The folder cannot be written or read.
        case disk
        /// The file has another length than it should have.
        case length
        /// The file is complete, and does not play.
        case unplayable
        /// The item cannot be downloaded at all.
        case unsupported
        case cancelled
    }

    public var reason: Reason
    /// One line that says what failed, on what, and what to do.
    public var message: String
    /// The time that the server asks for before the next attempt.
    public var pause: Duration?

    public init(_ reason: Reason, _ message: String, pause: Duration? = nil) {
        self.reason = reason
        self.message = message
        self.pause = pause
    }

    init(_ failure: HTTPFailure, _ name: String) {
        let reason: Reason =
            switch failure.reason {
            case .network, .timedOut, .unavailable: .away
            case .cancelled: .cancelled
            case .output: failure.isFull ? .full : .disk
            case .tooLarge: .length
            case .address, .redirect, .privateAddress, .certificate: .refused
            }
        self.init(reason, "\(name): \(failure.message)")
    }

    /// Creates the fault that a status stands for; `nil` if it is none.
    init?(status answer: HTTPAnswer, _ name: String) {
        switch answer.status {
        case 200...299: return nil
        case 401, 403: self.init(.refused, "\(name): the server refuses it (\(answer.status)); log in again")
        case 404, 410: self.init(.gone, "\(name): the server has no such file (\(answer.status))")
        case 408, 425, 429, 500...599:
            let seconds = answer.value("Retry-After").flatMap { Int($0) }.map { min(max($0, 1), 3600) }
            self.init(
                .away, "\(name): the server answers \(answer.status)", pause: seconds.map { .seconds($0) })
        default: self.init(.refused, "\(name): the server answers \(answer.status)")
        }
    }
}
