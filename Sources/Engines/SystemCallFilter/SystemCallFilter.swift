// SPDX-License-Identifier: Apache-2.0

import CSeccomp
public import EngineConfinement
import Glibc

/// A filter that refuses system calls that an engine never needs, for the rest of the process's life.
///
/// It lists what is denied instead of what is allowed, because engines bring libraries that nobody here has seen. A
/// refused call fails (`EPERM`), so that a library that probes continues without it.
public struct SystemCallFilter {
    /// A set of calls that are refused for one reason.
    struct Group {
        var reason: String
        var calls: [String]
    }

    /// A call that is refused if its arguments match.
    struct Rule {
        var call: String
        var code: Int32 = EPERM
        var when: [scmp_arg_cmp]
    }

    let confinement: Confinement
    /// The process that may be signalled: the engine's own.
    let process: UInt64
    /// The version of Landlock's interface, which also keeps files from being opened for writing; 0 without Landlock.
    let landlock: Int
    /// The numbers of the descriptors that are shared with the session.
    let handedOver: Range<Int32>
    /// `true` if files in memory may be made although they could be filled.
    let allowsMemoryFiles: Bool

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - handedOver: The numbers of the descriptors that are shared with the session.
    ///   - allowsMemoryFiles: Whether a process with `writes` may make files in memory. The conformance kit makes some in
    ///     the process that it checks.
    public init(
        _ confinement: Confinement, handedOver: Range<Int32> = 0..<0, allowsMemoryFiles: Bool = false,
        on kernel: KernelFeatures = .current
    ) {
        self.confinement = confinement
        self.handedOver = handedOver
        self.allowsMemoryFiles = allowsMemoryFiles
        process = UInt64(getpid())
        landlock = kernel.landlock
    }

    /// Loads the filter for all threads; requires `no_new_privs`.
    public func enforce() throws(ConfinementFailure) {
        // SCMP_ACT_ALLOW
        guard let filter = seccomp_init(0x7fff_0000) else { throw ConfinementFailure("seccomp_init", ENOMEM) }
        defer { seccomp_release(filter) }
        // SCMP_ACT_KILL_PROCESS: no program here uses the calls of another architecture.
        try check("seccomp_attr_set", seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, 0x8000_0000))
        try check("seccomp_attr_set", seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
        for call in Self.groups.flatMap(\.calls) + extraCalls { try deny(filter, Rule(call: call, when: [])) }
        // These are newer than libseccomp's table; their numbers are the same on every architecture.
        for number in Self.newer { try check("\(number)", add(filter, EPERM, number, [])) }
        for rule in rules { try deny(filter, rule) }
        try check("seccomp_load", seccomp_load(filter))
    }

    private func check(_ call: String, _ result: Int32) throws(ConfinementFailure) {
        if result < 0 { throw ConfinementFailure(call, -result) }
    }

    private func deny(_ filter: scmp_filter_ctx, _ rule: Rule) throws(ConfinementFailure) {
        let number = seccomp_syscall_resolve_name(rule.call)
        // A negative number means that this architecture, or this version of libseccomp, does not have the call.
        guard number >= 0 else { return }
        try check("seccomp rule for \(rule.call)", add(filter, rule.code, number, rule.when))
    }

    private func add(_ filter: scmp_filter_ctx, _ code: Int32, _ number: Int32, _ when: [scmp_arg_cmp]) -> Int32 {
        // SCMP_ACT_ERRNO
        seccomp_rule_add_array(filter, 0x0005_0000 | UInt32(code), number, UInt32(when.count), when)
    }
}
