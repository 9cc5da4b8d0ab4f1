// SPDX-License-Identifier: MIT
//
// Takes rights away from this process for good, before code runs in it that nobody has looked at: its memory is bounded, no
// process is started, no other one is reached, no network, and of the files only those that are named are readable.
//
//     memory      RLIMIT_AS
//     system      seccomp: what is refused fails with EPERM, so that a plugin which tries goes on without it
//     files       landlock, as far as the kernel has it: nothing is written, and what is read is named
//
// The order matters: seccomp takes away what the others need.

private import CLinux
private import CSeccomp
private import Glibc
public import Posix

/// What a process keeps.
public struct Confinement: Sendable {
  /// Bytes of address space; nil: not bounded.
  public var memory: Int?
  /// Files and folders that it may read; those that do not exist are skipped.
  public var readable: [String]

  /// Rights that are left.
  public init(memory: Int?, readable: [String]) {
    self.memory = memory
    self.readable = readable
  }

  /// Which step of `enter` failed.
  public struct Failure: Error {
    /// The system call, or what libseccomp was asked.
    public let step: String
    /// Its error.
    public let error: SystemError
  }

  /// Gives up everything else. Before a second thread is started.
  /// - Throws: what cannot be given up; the process should end then.
  public func enter() throws(Failure) {
    try boundMemory()
    guard linux_no_new_privileges() == 0 else { throw Failure(step: "PR_SET_NO_NEW_PRIVS", error: .last) }
    try restrictFiles()
    try refuseCalls()
  }

  // MARK: - Memory

  private func boundMemory() throws(Failure) {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else {
      throw Failure(step: "RLIMIT_CORE", error: .last)
    }
    guard let memory else { return }
    var limit = rlimit(rlim_cur: rlim_t(memory), rlim_max: rlim_t(memory))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
      throw Failure(step: "RLIMIT_AS", error: .last)
    }
  }

  // MARK: - Files

  /// What landlock calls an access, by its bit.
  private enum Access {
    static let execute: UInt64 = 1 << 0
    static let readFile: UInt64 = 1 << 2
    static let readFolder: UInt64 = 1 << 3

    /// All that a version knows of: 13 at first, then moving between folders, truncating, and devices' own commands.
    static func all(of version: Int32) -> UInt64 {
      let bits: UInt64 = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13
      return 1 << bits - 1
    }
  }

  private func restrictFiles() throws(Failure) {
    let version = linux_landlock_version()
    // A kernel without it, or with it switched off.
    guard version >= 1 else { return }
    let ruleset = linux_landlock_ruleset(Access.all(of: version), version >= 4 ? 3 : 0, version >= 6 ? 3 : 0)
    guard ruleset >= 0 else { throw Failure(step: "landlock_create_ruleset", error: .last) }
    defer { close(ruleset) }
    for path in readable {
      let place = unsafe open(path, linux_open_path | O_CLOEXEC)
      guard place >= 0 else { continue }
      defer { close(place) }
      var status = stat()
      guard unsafe fstat(place, &status) == 0 else { throw Failure(step: "fstat", error: .last) }
      let folder = status.st_mode & S_IFMT == S_IFDIR ? Access.readFolder : 0
      guard linux_landlock_allow(ruleset, place, Access.execute | Access.readFile | folder) == 0 else {
        throw Failure(step: "landlock_add_rule", error: .last)
      }
    }
    guard linux_landlock_restrict(ruleset) == 0 else { throw Failure(step: "landlock_restrict_self", error: .last) }
  }

  // MARK: - System calls

  /// Those that are refused whatever they are given. Names that a machine or libseccomp does not know are skipped.
  private static let refused = [
    // Other processes.
    "fork", "vfork", "execve", "execveat", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "tkill", "setns",
    "unshare", "setpriority", "ioprio_set", "sched_setscheduler", "sched_setattr", "shmget", "shmat", "msgget",
    "semget", "mq_open",
    // The network, and sockets to anybody.
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
    // What files are, for landlock knows what is in them alone.
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "setxattr", "lsetxattr",
    "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "utime", "utimes", "utimensat", "futimesat", "chroot",
    "pivot_root", "mount", "umount2", "open_tree", "move_mount", "fsopen", "fsmount", "name_to_handle_at",
    "open_by_handle_at", "fanotify_init", "quotactl", "acct", "swapon", "swapoff",
    // The machine and the kernel.
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "userfaultfd", "keyctl",
    "add_key", "request_key", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot",
    "sethostname", "setdomainname", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "syslog", "iopl",
    "ioperm", "personality", "vhangup",
    // Who it is, and what it is bound by.
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid", "capset",
    "setrlimit", "setsid", "setpgid",
  ]

  private func refuseCalls() throws(Failure) {
    guard let filter = unsafe seccomp_init(seccomp_allow) else {
      throw Failure(step: "seccomp_init", error: SystemError(code: ENOMEM))
    }
    defer { unsafe seccomp_release(filter) }
    let rules = unsafe Rules(filter: filter)
    for name in Self.refused { try rules.refuse(name) }
    // Threads are made, processes are not; the C library then makes them by the call that can be told apart.
    try rules.refuse("clone3", error: ENOSYS)
    try rules.refuse("clone", where: (0, SCMP_CMP_MASKED_EQ, linux_clone_thread, 0))
    // abort() and raise() signal the process itself.
    try rules.refuse("kill", where: (0, SCMP_CMP_NE, UInt64(getpid()), 0))
    try rules.refuse("tgkill", where: (0, SCMP_CMP_NE, UInt64(getpid()), 0))
    // Limits may be read.
    try rules.refuse("prlimit64", where: (2, SCMP_CMP_NE, 0, 0))
    let answer = unsafe seccomp_load(filter)
    guard answer == 0 else { throw Failure(step: "seccomp_load", error: SystemError(code: -answer)) }
  }

  /// Adds rules to a filter.
  @safe private struct Rules {
    let filter: scmp_filter_ctx

    /// - Parameter condition: number of an argument, comparison, and its two operands; nil: always.
    func refuse(
      _ name: String, error: Int32 = EPERM, where condition: (UInt32, scmp_compare, UInt64, UInt64)? = nil
    ) throws(Failure) {
      let number = unsafe seccomp_syscall_resolve_name(name)
      guard number >= 0 else { return }
      var comparisons: [scmp_arg_cmp] = []
      if let (argument, comparison, first, second) = condition {
        comparisons.append(scmp_arg_cmp(arg: argument, op: comparison, datum_a: first, datum_b: second))
      }
      let answer = unsafe seccomp_rule_add_array(
        filter, seccomp_refuse(error), number, UInt32(comparisons.count), comparisons)
      guard answer == 0 else { throw Failure(step: "seccomp_rule_add \(name)", error: SystemError(code: -answer)) }
    }
  }
}
