// SPDX-License-Identifier: MIT
//
// Clients of other users: the kernel says whose a connection is, so another process has to make it. Only root can start those;
// elsewhere the tests that want them are skipped.

internal import Foundation

/// Processes of other users that have connections to a daemon.
public final class OtherUser {
  /// Why there can be none here; nil: there can.
  public static let missing: String? = {
    if geteuid() != 0 { return "only root can be other users" }
    return Toolchain.find("python3") == nil ? "there is no python3" : nil
  }()

  private let process: ChildProcess
  private var lastID = 0
  private var read = 0

  /// Becomes the user once python has what it needs, which may lie where others may not look. Passes on lines in both directions. Given a number of connections, says first which of them were refused.
  private static let script = """
    import json, os, socket, sys, threading
    path, held, user = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    def connect():
        end = socket.socket(socket.AF_UNIX)
        end.connect(path)
        return end
    def refused(end):
        try:
            end.sendall(b'{"id":0,"method":"ping"}\\n')
        except OSError:
            pass
        try:
            return b'"error"' in end.makefile("rb").readline()
        except OSError:
            return True
    def storm(count):
        refusals = 0
        for _ in range(count):
            end = connect()
            refusals += refused(end)
            end.close()
        return refusals
    ends = [connect() for _ in range(held)]
    print(json.dumps({"id": 0, "refused": sum([refused(end) for end in ends])}), flush=True)
    if len(sys.argv) > 4:
        print(json.dumps({"id": 1, "refused": storm(int(sys.argv[4]))}), flush=True)
    ends.append(connect())
    def out():
        while bytes := ends[-1].recv(65536):
            sys.stdout.buffer.write(bytes)
            sys.stdout.buffer.flush()
        print('{"id":-1}', flush=True)
    threading.Thread(target=out, daemon=True).start()
    for line in sys.stdin:
        ends[-1].sendall(line.encode())
    """

  /// Connects as a user.
  /// - Parameters:
  ///   - held: further connections that are only held.
  ///   - storm: further ones that come and go one after the other, before its own.
  public init(_ user: Int, _ daemon: RunningDaemon, held: Int = 0, storm: Int? = nil) throws {
    guard let python = Toolchain.find("python3") else { throw TestFailure("there is no python3") }
    process = try ChildProcess(
      python,
      ["-c", Self.script, daemon.socket, "\(held)", "\(user)"] + (storm.map { ["\($0)"] } ?? []),
      environment: inherited, input: .written)
  }

  /// Of the connections that it holds, how many were refused.
  public func refusedOfHeld() throws -> Int { try line { $0["id"].int == 0 }["refused"].int ?? -1 }

  /// Of those that came and went, how many were refused.
  public func refusedOfStorm() throws -> Int { try line { $0["id"].int == 1 }["refused"].int ?? -1 }

  /// Sends a request and gives its answer.
  public func request(_ method: String, _ params: String = "{}") throws -> JSON {
    lastID += 1
    let id = lastID + 100
    try process.write("{\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}\n")
    return try line { $0["id"].int == id || $0["id"].int == -1 }
  }

  /// All whole lines that came so far and were not answers looked for.
  public func notifications() throws -> [JSON] { try lines().filter { !$0["method"].isAbsent } }

  private func line(where test: (JSON) -> Bool) throws -> JSON {
    var found: JSON?
    let isThere = try process.waitForOutput("an answer") { _ in
      found = try? lines().first(where: test)
      return found != nil
    }
    guard isThere, let found else { throw TestFailure("it ended: \(process.errors)") }
    return found
  }

  private func lines() throws -> [JSON] {
    try process.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { try JSON(String($0)) }
  }
}
