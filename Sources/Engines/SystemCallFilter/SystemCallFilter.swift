// SPDX-License-Identifier: Apache-2.0

import CSeccomp
public import EngineConfinement
import Glibc

/// The system calls that an engine never needs, refused for the rest of the process's life.
///
/// A list of what is denied, not of what is allowed: engines bring libraries that nobody here has seen. Refused calls
/// fail (EPERM), since libraries probe, and go on without.
public struct SystemCallFilter {
    /// Calls that are refused for one reason.
    struct Group {
        var reason: String
        var calls: [String]
    }

    /// Calls that are refused if an argument says so.
    struct Rule {
        var call: String
        var code: Int32 = EPERM
        var when: [scmp_arg_cmp]
    }

    let confinement: Confinement
    /// Whose signals are its own affair.
    let process: UInt64
    /// What else keeps files from being opened for writing: a version of Landlock's interface; 0: nothing.
    let landlock: Int
    /// Descriptors that are shared with the session, by their numbers.
    let handedOver: Range<Int32>

    public init(
        _ confinement: Confinement, handedOver: Range<Int32> = 0..<0, on kernel: KernelFeatures = .current
    ) {
        self.confinement = confinement
        self.handedOver = handedOver
        process = UInt64(getpid())
        landlock = kernel.landlock
    }

    /// Loads it, for all threads.
    ///
    /// Needs no_new_privs.
    public func enforce() throws(ConfinementFailure) {
        // SCMP_ACT_ALLOW
        guard let filter = seccomp_init(0x7fff_0000) else { throw ConfinementFailure("seccomp_init", ENOMEM) }
        defer { seccomp_release(filter) }
        // Calls of another architecture are nobody's here: SCMP_ACT_KILL_PROCESS.
        try check("seccomp_attr_set", seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, 0x8000_0000))
        try check("seccomp_attr_set", seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
        for call in Self.groups.flatMap(\.calls) + extraCalls { try deny(filter, Rule(call: call, when: [])) }
        // Newer than libseccomp's table: the numbers are the same on every architecture.
        for number in Self.newer { try check("\(number)", add(filter, EPERM, number, [])) }
        for rule in rules { try deny(filter, rule) }
        try check("seccomp_load", seccomp_load(filter))
    }

    private func check(_ call: String, _ result: Int32) throws(ConfinementFailure) {
        if result < 0 { throw ConfinementFailure(call, -result) }
    }

    private func deny(_ filter: scmp_filter_ctx, _ rule: Rule) throws(ConfinementFailure) {
        let number = seccomp_syscall_resolve_name(rule.call)
        // Below zero: not a call of this architecture, or of this version of libseccomp.
        guard number >= 0 else { return }
        try check("seccomp rule for \(rule.call)", add(filter, rule.code, number, rule.when))
    }

    private func add(_ filter: scmp_filter_ctx, _ code: Int32, _ number: Int32, _ when: [scmp_arg_cmp]) -> Int32 {
        // SCMP_ACT_ERRNO
        seccomp_rule_add_array(filter, 0x0005_0000 | UInt32(code), number, UInt32(when.count), when)
    }
}
