// SPDX-License-Identifier: MIT
//
// Takes rights away from this process for good, before untrusted code runs in it: its memory, files and threads are bounded, it starts no
// process, reaches no other one and no network, and reads only files that were named.
//
//     bounds      RLIMIT_AS, RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_NPROC
//     files       landlock, as far as the kernel has it: what is read is named
//     system      seccomp: what is not on a list fails with EPERM, so that a plugin which tries can continue. What landlock
//                 has learned later, or a kernel without it lacks, is not on the list: nothing is written
//
// The order matters: seccomp takes away what the others need.

private import CLinux
private import CSeccomp
private import Glibc
public import Posix

/// The rights that a process keeps.
public struct Confinement: Sendable {
  /// Bytes of address space; nil: not bounded.
  public var memory: Int?
  /// Descriptors that it may have open.
  public var files: Int
  /// Files and folders that it may read; those that do not exist are skipped.
  public var readable: [String]

  /// Threads that it may have, where the kernel lets it count them.
  private static let threads = 64

  /// Creates the rights to keep; see the properties.
  public init(memory: Int?, files: Int, readable: [String]) {
    self.memory = memory
    self.files = files
    self.readable = readable
  }

  /// Which step of `enter` failed.
  public struct Failure: Error {
    /// The system call, or the step of libseccomp.
    public let step: String
    /// The error of the refused call.
    public let error: SystemError
  }

  /// Gives up everything else. Before a second thread is started.
  /// - Throws: what cannot be given up; the process should end then.
  public func enter() throws(Failure) {
    if let memory { try bound(RLIMIT_AS, "RLIMIT_AS", to: memory) }
    try bound(RLIMIT_CORE, "RLIMIT_CORE", to: 0)
    // No byte is added to any file, such as those in memory, which no other bound counts. A write fails with an error instead of a
    // signal.
    try bound(RLIMIT_FSIZE, "RLIMIT_FSIZE", to: 0)
    _ = signal(SIGXFSZ, SIG_IGN)
    try bound(RLIMIT_NOFILE, "RLIMIT_NOFILE", to: files)
    try boundThreads()
    guard linux_no_new_privileges() == 0 else { throw Failure(step: "PR_SET_NO_NEW_PRIVS", error: .last) }
    try restrictFiles()
    try allowCalls()
  }

  // MARK: - Bounds

  private func bound(_ what: __rlimit_resource, _ step: String, to most: Int) throws(Failure) {
    var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
    guard unsafe setrlimit(__rlimit_resource_t(what.rawValue), &limit) == 0 else {
      throw Failure(step: step, error: .last)
    }
  }

  /// A user's threads are counted over all of the user's processes, but for those in a user namespace of their own. Not every
  /// system lets a process have one, and of the superuser they are not counted: there is no bound here then.
  private func boundThreads() throws(Failure) {
    guard linux_own_user_namespace() == 0 else { return }
    // The capabilities in the new namespace are of no use behind the list of calls; dropping them is a second barrier.
    _ = linux_drop_capabilities()
    try bound(__RLIMIT_NPROC, "RLIMIT_NPROC", to: Self.threads)
  }

  // MARK: - Files

  /// What landlock calls an access, by its bit.
  private enum Access {
    static let execute: UInt64 = 1 << 0
    static let readFile: UInt64 = 1 << 2
    static let readFolder: UInt64 = 1 << 3

    /// All rights that a version knows: 13 at first, then moving between folders, truncating, and devices' own commands.
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

  /// Calls that are allowed with any arguments: those of the C library, the loader, Swift's runtime and its threads. Names that a machine
  /// or libseccomp does not know are skipped.
  private static let allowed = [
    // Memory.
    "brk", "mmap", "munmap", "mremap", "mprotect", "madvise", "mincore", "mseal", "map_shadow_stack",
    // Threads, and waiting for them.
    "exit", "exit_group", "futex", "futex_wait", "futex_wake", "futex_requeue", "futex_waitv", "set_robust_list",
    "set_tid_address", "rseq", "arch_prctl", "sched_yield", "sched_getaffinity", "sched_getparam",
    "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
    // Its own signals.
    "rt_sigaction", "rt_sigprocmask", "rt_sigpending", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait",
    "sigaltstack", "pause", "restart_syscall",
    // Time and chance.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "getrandom",
    // Open files, and reading more.
    "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "lseek", "close", "close_range", "dup", "dup2",
    "dup3", "fstat", "newfstatat", "stat", "lstat", "statx", "fstatfs", "statfs", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getdents", "getdents64", "getcwd",
    // Waiting for open files, as libdispatch does.
    "poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "epoll_pwait2", "eventfd2", "timerfd_create", "timerfd_settime", "timerfd_gettime",
    // Facts about the process and its machine.
    "getpid", "gettid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "geteuid", "getgid", "getegid",
    "getgroups", "getrusage", "getrlimit", "uname", "sysinfo", "getcpu", "times",
  ]

  private func allowCalls() throws(Failure) {
    guard let filter = unsafe seccomp_init(seccomp_refuse(EPERM)) else {
      throw Failure(step: "seccomp_init", error: SystemError(code: ENOMEM))
    }
    defer { unsafe seccomp_release(filter) }
    let rules = unsafe Rules(filter: filter)
    // Calls of another kind than the machine's own, of which the list says nothing.
    let answer = unsafe seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, seccomp_end_process)
    guard answer == 0 else { throw Failure(step: "seccomp_attr_set", error: SystemError(code: -answer)) }
    for name in Self.allowed { try rules.allow(name) }
    // Files are read, and none is made, emptied or written: a landlock before its third version knows nothing of emptying.
    let changing = UInt64(O_ACCMODE | O_CREAT | O_TRUNC) | linux_open_unnamed
    try rules.allow("open", where: [.bits(1, changing, are: 0)])
    try rules.allow("openat", where: [.bits(2, changing, are: 0)])
    // Threads can be made, processes cannot. Without clone3 the C library uses clone, whose flags the filter can read.
    try rules.refuse("clone3", error: ENOSYS)
    try rules.allow("clone", where: [.bits(0, linux_clone_thread, are: linux_clone_thread)])
    // abort() and raise() signal the process itself.
    let process = UInt64(getpid())
    try rules.allow("kill", where: [.number(0, is: process)])
    try rules.allow("tgkill", where: [.number(0, is: process)])
    // Its own limits may be read.
    try rules.allow("prlimit64", where: [.number(0, is: 0), .word(2, is: 0)])
    // Copies of descriptors and their flags, but nothing that sends signals when there is something to read, or reports on other processes.
    for command in [F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL] {
      try rules.allow("fcntl", where: [.number(1, is: UInt64(command))])
    }
    try rules.allow(
      "fcntl", where: [.number(1, is: UInt64(F_SETFL)), .bits(2, linux_open_asynchronous, are: 0)])
    // Whether it is a terminal, and how much there is to read.
    for command in [TCGETS, FIONREAD] { try rules.allow("ioctl", where: [.number(1, is: UInt64(command))]) }
    // The names of threads, and of memory.
    let nameOfMemory = 0x5356_4d41
    for option in [Int(PR_SET_NAME), Int(PR_GET_NAME), nameOfMemory] {
      try rules.allow("prctl", where: [.number(0, is: UInt64(option))])
    }
    let loaded = unsafe seccomp_load(filter)
    guard loaded == 0 else { throw Failure(step: "seccomp_load", error: SystemError(code: -loaded)) }
  }

  /// A condition on an argument of a call, by its number.
  private struct Condition {
    let comparison: scmp_arg_cmp

    /// Compares some bits of an argument.
    static func bits(_ argument: UInt32, _ mask: UInt64, are value: UInt64) -> Condition {
      Condition(
        comparison: scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value))
    }

    /// A number of 32 bits: the kernel does not look at those above.
    static func number(_ argument: UInt32, is value: UInt64) -> Condition { bits(argument, 0xffff_ffff, are: value) }

    /// All of it, such as a pointer.
    static func word(_ argument: UInt32, is value: UInt64) -> Condition { bits(argument, .max, are: value) }
  }

  /// Adds rules to a filter.
  @safe private struct Rules {
    let filter: scmp_filter_ctx

    /// - Parameter conditions: all of which must hold.
    func allow(_ name: String, where conditions: [Condition] = []) throws(Failure) {
      try add(name, seccomp_allow, conditions)
    }

    func refuse(_ name: String, error: Int32) throws(Failure) { try add(name, seccomp_refuse(error), []) }

    private func add(_ name: String, _ action: UInt32, _ conditions: [Condition]) throws(Failure) {
      let number = unsafe seccomp_syscall_resolve_name(name)
      guard number >= 0 else { return }
      let comparisons = conditions.map(\.comparison)
      let answer = unsafe seccomp_rule_add_array(filter, action, number, UInt32(comparisons.count), comparisons)
      guard answer == 0 else { throw Failure(step: "seccomp_rule_add \(name)", error: SystemError(code: -answer)) }
    }
  }
}
