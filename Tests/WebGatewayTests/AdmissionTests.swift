// SPDX-License-Identifier: MIT

import Fanout
import HeaderConfig
import HeaderTestKit
import Testing
import WebGateway

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
    #expect((0..<4).map { _ in counts.add("a") } == [true, true, true, false])
    #expect(counts.add("b"))
    #expect(!counts.add("c"), "all are taken")
    counts.remove("nobody")
    counts.remove("a")
    #expect(counts.total == 3)
    #expect(counts.add("c"))
  }

  @Test func rates() {
    var allowance = MessageAllowance(perSecond: 10, now: 0)
    for _ in 0..<10 { #expect(allowance.take(at: 0) == 0) }
    // The eleventh waits for a tenth of a second, and the next one for as long again.
    #expect(abs(allowance.take(at: 0) - 100_000_000) < 10)
    #expect(abs(allowance.take(at: 100_000_000) - 100_000_000) < 10)
    // A page that was silent has a second's worth and no more.
    let later: Int64 = 3_600_000_000_000
    for _ in 0..<10 { #expect(allowance.take(at: later) == 0) }
    #expect(allowance.take(at: later) > 0)
    var free = MessageAllowance(perSecond: 0, now: 0)
    #expect((0..<1000).allSatisfy { _ in free.take(at: 0) == 0 })
  }
}
