// SPDX-License-Identifier: MIT

import Clocks
import Fanout
import HeaderConfig
import HeaderTestKit
import Testing
import WebBridge

@Suite struct AdmissionTests {
  static func admission(anonymous: [WebConfig.Role] = [], isSecure: Bool = false) -> Admission {
    var config = WebConfig()
    config.access.origins = ["https://App.example.org"]
    config.access.anonymous = anonymous
    config.tokens = [
      .init(name: "screens", token: "0123456789abcdef", roles: [.subscribe]),
      .init(name: "app", token: "0123456789abcdefg", roles: [.publish, .tune]),
    ]
    return Admission(config, ports: [80, 8470], isSecure: isSecure)
  }

  @Test(arguments: [
    "http://localhost:8470", "http://127.0.0.1:8470", "http://[::1]:8470", "http://localhost",
    "HTTPS://app.example.org", nil,
  ]) func originsThatMay(_ origin: String?) throws {
    #expect(try Self.admission().roles(origin: origin, token: "0123456789abcdef").roles == .subscribe)
  }

  @Test(arguments: [
    "https://localhost:8470", "http://localhost:8471", "http://localhost.example.org:8470", "null", "",
    "http://app.example.org",
    "https://app.example.org.evil.org", "http://127.0.0.1:8470/",
  ]) func originsThatMayNot(_ origin: String) {
    #expect(throws: Admission.Refusal.foreignOrigin(origin)) {
      try Self.admission(anonymous: [.subscribe]).roles(origin: origin, token: "0123456789abcdef")
    }
  }

  @Test func withTLSTheOriginsHaveIt() throws {
    #expect(throws: Admission.Refusal.self) {
      try Self.admission(isSecure: true).roles(origin: "http://localhost:8470", token: "0123456789abcdef")
    }
    _ = try Self.admission(isSecure: true).roles(origin: "https://localhost:8470", token: "0123456789abcdef")
  }

  @Test(arguments: WebConfig.Role.allCases) func aRoleOfTheConfigIsThatOfTheProtocol(_ role: WebConfig.Role) {
    #expect(Roles([role]).words == [role.rawValue])
  }

  @Test func tokens() throws {
    let admission = Self.admission()
    #expect(try admission.roles(origin: nil, token: "0123456789abcdefg").name == "app")
    for token in ["0123456789abcde", "0123456789abcdefgh", "0123456789abcdeg", "\u{0}"] {
      #expect(throws: Admission.Refusal.unknownToken) { try admission.roles(origin: nil, token: token) }
    }
    for token in [nil, ""] {
      #expect(throws: Admission.Refusal.tokenNeeded) { try admission.roles(origin: nil, token: token) }
      #expect(try Self.admission(anonymous: [.subscribe]).roles(origin: nil, token: token).roles == .subscribe)
    }
    // A token that is none is not the same as no token.
    #expect(throws: Admission.Refusal.unknownToken) {
      try Self.admission(anonymous: [.subscribe]).roles(origin: nil, token: "guessed")
    }
  }

  @Test func connections() {
    var limits = WebConfig().limits
    (limits.connections, limits.connectionsPerAddress) = (4, 3)
    var counts = ConnectionCounts(limits)
    let first = (0..<4).map { _ in counts.add("a") }
    #expect(first == [true, true, true, false])
    let (other, third) = (counts.add("b"), counts.add("c"))
    #expect(other && !third, "all are taken")
    counts.remove("nobody")
    counts.remove("a")
    #expect(counts.total == 3)
    let later = counts.add("c")
    #expect(later)
  }

  @Test func rates() {
    var allowance = MessageAllowance(perSecond: 10, now: 0)
    let first = (0..<10).map { _ in allowance.take(at: 0) }
    #expect(first.allSatisfy { $0 == 0 })
    // The eleventh waits for a tenth of a second, and the next one for as long again.
    let waits = [allowance.take(at: 0), allowance.take(at: 100_000_000)]
    #expect(waits.allSatisfy { abs($0 - 100_000_000) < 10 })
    // A page that was silent has a second's worth and no more.
    let later: MonotonicTime = 3_600_000_000_000
    let burst = (0..<11).map { _ in allowance.take(at: later) }
    #expect(burst.dropLast().allSatisfy { $0 == 0 } && burst[10] > 0)
    var free = MessageAllowance(perSecond: 0, now: 0)
    let all = (0..<1000).map { _ in free.take(at: 0) }
    #expect(all.allSatisfy { $0 == 0 })
  }
}
