// SPDX-License-Identifier: Apache-2.0

import CSeccomp
import EngineConfinement
import Glibc

extension SystemCallFilter {
    static let groups = [
        Group(
            reason: "an engine is one process, and no other program",
            calls: ["execve", "execveat", "fork", "vfork"]),
        Group(
            reason: "the memory and descriptors of other processes are theirs",
            calls: [
                "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
                "pidfd_open", "pidfd_getfd", "move_pages", "migrate_pages",
            ]),
        Group(
            reason:
                "other processes are not signalled, nor their priority changed; nor does the engine leave the group by"
                + " which the session ends it",
            calls: ["pidfd_send_signal", "tkill", "ioprio_set", "setpgid", "setsid"]),
        Group(
            reason:
                "files are changed in no way, also not those that the user may change (Landlock knows neither modes nor"
                + " times nor attributes)",
            calls: [
                "creat", "truncate", "truncate64", "unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir",
                "mkdirat", "rmdir", "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat", "chmod", "fchmod",
                "fchmodat", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat", "futimesat",
                "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
            ]),
        Group(
            reason: "folders of the listener are not watched",
            calls: ["inotify_init", "inotify_init1", "fanotify_init", "fanotify_mark", "name_to_handle_at"]),
        Group(
            reason: "memory of the whole machine or of other programs is not attached, and what is made is counted",
            calls: [
                "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop",
                "semctl", "semtimedop", "mq_open", "mq_unlink", "memfd_secret",
            ]),
        Group(
            reason: "the file system is what it is",
            calls: [
                "mount", "umount", "umount2", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "open_tree",
                "mount_setattr", "pivot_root", "chroot", "quotactl", "quotactl_fd", "swapon", "swapoff",
                "open_by_handle_at",
            ]),
        Group(
            reason: "large and often faulty parts of the kernel that decoding and speaking need nothing of",
            calls: [
                "bpf", "perf_event_open", "keyctl", "add_key", "request_key", "io_uring_setup", "io_uring_enter",
                "io_uring_register", "userfaultfd", "lookup_dcookie", "nfsservctl", "modify_ldt", "vm86", "vm86old",
            ]),
        Group(
            reason: "the machine belongs to its administrator",
            calls: [
                "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module",
                "query_module", "get_kernel_syms", "reboot", "settimeofday", "stime", "clock_settime",
                "clock_settime64", "adjtimex", "clock_adjtime", "clock_adjtime64", "sethostname", "setdomainname",
                "acct", "syslog", "_sysctl", "sysfs", "uselib", "vhangup", "iopl", "ioperm", "vserver",
            ]),
        Group(
            reason: "what it is, it stays",
            calls: [
                "setns", "unshare", "personality", "setuid", "setgid", "setreuid", "setregid", "setresuid",
                "setresgid", "setfsuid", "setfsgid", "setgroups", "capset",
            ]),
        Group(
            reason: "an engine is never a server, and takes no name that another program looks for",
            calls: ["bind", "listen", "accept", "accept4"]),
    ]

    /// The numbers of fchmodat2, setxattrat, removexattrat, open_tree_attr and file_setattr.
    static let newer: [Int32] = [452, 463, 466, 467, 469]

    /// The additional calls to refuse: `socket` without network.
    ///
    /// Socket pairs remain allowed, because a pair is only a pipe.
    var extraCalls: [String] { confinement.network ? [] : ["socket"] }

    private func low(_ argument: UInt32, is value: UInt64) -> scmp_arg_cmp {
        // The kernel takes an int, so the upper bits must not decide.
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: 0xffff_ffff, datum_b: value)
    }

    private func bits(_ argument: UInt32, _ mask: UInt64, are value: UInt64) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
    }

    private func argument(_ argument: UInt32, isNot value: UInt64) -> scmp_arg_cmp {
        scmp_arg_cmp(arg: argument, op: SCMP_CMP_NE, datum_a: value, datum_b: 0)
    }

    var rules: [Rule] {
        processRules + memoryRules + fileRules + pairRules + handedOverRules
            + (confinement.network ? networkRules : [])
    }

    private var processRules: [Rule] {
        var rules = [
            // CLONE_THREAD: without it the call would create a process. clone3 hides its flags in memory, and glibc
            // falls back to clone.
            Rule(call: "clone", when: [bits(0, 0x1_0000, are: 0)]),
            Rule(call: "clone3", code: ENOSYS, when: []),
            // An engine may signal only itself, as abort does.
            Rule(call: "kill", when: [argument(0, isNot: process)]),
            Rule(call: "tgkill", when: [argument(0, isNot: process)]),
            Rule(call: "rt_sigqueueinfo", when: [argument(0, isNot: process)]),
            Rule(call: "rt_tgsigqueueinfo", when: [argument(0, isNot: process)]),
            Rule(call: "setpriority", when: [argument(0, isNot: UInt64(PRIO_PROCESS.rawValue))]),
            Rule(call: "setpriority", when: [argument(1, isNot: 0)]),
            Rule(call: "prlimit64", when: [argument(0, isNot: 0)]),
            // PR_SET_PDEATHSIG: the engine's process must exit with its session.
            Rule(call: "prctl", when: [low(0, is: 1)]),
        ]
        for call in ["sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"] {
            rules.append(Rule(call: call, when: [argument(0, isNot: 0)]))
        }
        // Owners of descriptors get signals: F_SETOWN, F_SETSIG, F_SETOWN_EX; FIOSETOWN, SIOCSPGRP. Whoever holds a
        // lease on a file (F_SETLEASE) lets others wait who open it, and F_NOTIFY tells of a folder. TIOCSTI and TIOCLINUX
        // type into terminals.
        for command: UInt64 in [8, 10, 15, 1024, 1026] {
            rules.append(Rule(call: "fcntl", when: [low(1, is: command)]))
        }
        for request: UInt64 in [0x8901, 0x8902, 0x5412, 0x541c] {
            rules.append(Rule(call: "ioctl", when: [low(1, is: request)]))
        }
        return rules
    }

    /// The rules for socket pairs, because one of a pair of datagram sockets can still be connected to another
    /// program's.
    private var pairRules: [Rule] {
        [SOCK_DGRAM, SOCK_RAW].map { Rule(call: "socketpair", when: [bits(1, 0xf, are: UInt64($0.rawValue))]) }
    }

    /// The rules that keep the engine from making handed-over descriptors block (F_SETFL, FIONBIO) or giving them other
    /// numbers.
    ///
    /// Nothing in the session waits for these descriptors whatever their flags are; these rules are a second line of
    /// defence.
    private var handedOverRules: [Rule] {
        handedOver.flatMap { number -> [Rule] in
            let isShared = low(0, is: UInt64(number))
            let commands = [F_SETFL, F_DUPFD, F_DUPFD_CLOEXEC].map {
                Rule(call: "fcntl", when: [isShared, low(1, is: UInt64($0))])
            }
            return commands + [Rule(call: "ioctl", when: [isShared, low(1, is: 0x5421)])]
                + ["dup", "dup2", "dup3"].map { Rule(call: $0, when: [isShared]) }
        }
    }

    /// The rules for memory that the limit does not count.
    ///
    /// The limit counts only private memory, and it does not count what the kernel takes for a stack: maps that grow
    /// down. Shared maps of /dev/zero need it open for writing, so Landlock or else `fileRules` refuses those.
    private var memoryRules: [Rule] {
        let sharedAnonymous = UInt64(MAP_SHARED | MAP_ANONYMOUS)
        // Whoever may write a file could fill a file in memory, which no limit counts either.
        let files = confinement.writes && !allowsMemoryFiles ? [Rule(call: "memfd_create", when: [])] : []
        return files + [
            Rule(call: "mmap", when: [bits(3, sharedAnonymous, are: sharedAnonymous)]),
            Rule(call: "mmap", when: [bits(3, UInt64(MAP_GROWSDOWN), are: UInt64(MAP_GROWSDOWN))]),
            // MFD_HUGETLB: such files grow as they are mapped, which no limit sees.
            Rule(call: "memfd_create", when: [bits(1, 4, are: 4)]),
        ]
    }

    private var fileRules: [Rule] {
        // The flags of openat2 are in memory, which a filter cannot inspect.
        var rules = [Rule(call: "openat2", code: ENOSYS, when: [])]
        guard landlock < 3 else { return rules }
        for (call, flags) in [("open", UInt32(1)), ("openat", 2)] {
            // Landlock covers O_TRUNC only since version 3, and O_TRUNC empties even a file that is opened for reading.
            rules.append(Rule(call: call, code: EACCES, when: [bits(flags, UInt64(O_TRUNC), are: UInt64(O_TRUNC))]))
            guard landlock == 0 else { continue }
            // A filter cannot distinguish /dev/null from a file of the listener.
            for mode in [O_WRONLY, O_RDWR] {
                rules.append(Rule(call: call, code: EACCES, when: [bits(flags, UInt64(O_ACCMODE), are: UInt64(mode))]))
            }
            rules.append(Rule(call: call, code: EACCES, when: [bits(flags, UInt64(O_CREAT), are: UInt64(O_CREAT))]))
        }
        return rules
    }

    /// The rules that limit sockets to IP and to the routing messages by which the resolver asks for addresses.
    ///
    /// Nothing may lead to programs of this machine by a path, such as the session's own socket.
    private var networkRules: [Rule] {
        let (inet, inet6, netlink) = (UInt64(AF_INET), UInt64(AF_INET6), UInt64(AF_NETLINK))
        var rules = [
            Rule(
                call: "socket", code: EACCES,
                when: [scmp_arg_cmp(arg: 0, op: SCMP_CMP_GT, datum_a: netlink, datum_b: 0)]),
            Rule(call: "socket", code: EACCES, when: [low(0, is: netlink), argument(2, isNot: 0)]),
        ]
        for family in 0..<netlink where family != inet && family != inet6 {
            rules.append(Rule(call: "socket", code: EACCES, when: [low(0, is: family)]))
        }
        return rules
    }
}
