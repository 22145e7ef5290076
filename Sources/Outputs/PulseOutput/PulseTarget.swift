// SPDX-License-Identifier: Apache-2.0

/// The server and the sink of an output, with the properties of the sink that the server does not report.
struct PulseTarget: Sendable {
    /// The address of the server; `nil` for the one that the environment and client.conf specify.
    var server: String?
    /// The name of the sink; `nil` for the server's default.
    var sink: String?
    /// A value that replaces what the sink's driver reports, for tests.
    var rewinds: Bool?
    /// The time until the sink has what is written, in nanoseconds.
    var transit: Int64
}
