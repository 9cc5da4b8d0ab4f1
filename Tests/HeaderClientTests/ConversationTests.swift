// SPDX-License-Identifier: MIT
//
// One side of the protocol as a state machine: what goes out, and what a line that comes in means.

import HeaderClient
import HeaderModel
import HeaderTrace
import Testing

@Suite struct ConversationTests {
  private func receive(_ conversation: inout Conversation, _ line: String) throws -> Incoming? {
    try conversation.receive(Array(line.utf8))
  }

  private func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }

  @Test func requestsHaveNumbersAndNoticesNone() {
    var conversation = Conversation()
    let (first, line) = conversation.request("header.list")
    #expect(first.value == 1 && text(line) == "{\"id\":1,\"method\":\"header.list\"}\n")
    let second = conversation.request("ping", ["a": "\u{1F600}\n"])
    #expect(second.number.value == 2 && first < second.number)
    #expect(text(second.line) == "{\"id\":2,\"method\":\"ping\",\"params\":{\"a\":\"\u{1F600}\\n\"}}\n")
    #expect(text(conversation.notice("event", ["x": 1])) == "{\"method\":\"event\",\"params\":{\"x\":1}}\n")
    #expect(conversation.unansweredCount == 2)
  }

  @Test func answersBelongToWhatWasAsked() throws {
    var conversation = Conversation()
    _ = conversation.request("a")
    let (second, _) = conversation.request("b")
    // In whatever order they come.
    let incoming = try receive(
      &conversation,
      #"{"jsonrpc":"2.0","id":2,"result":{"seq":3},"warnings":[{"field":"params.x","hint":"y?"},{"field":"params.z"}]}"#
    )
    guard case .answer(let answer)? = incoming else {
      return #expect(Bool(false), "no answer: \(String(describing: incoming))")
    }
    #expect(
      answer.number == second && answer.method == "b"
        && answer.warnings == ["unknown field params.x: y?", "unknown field params.z"])
    guard case .success(let result) = answer.result else { return #expect(Bool(false), "refused") }
    #expect(result == ["seq": 3] && conversation.unansweredCount == 1)
    // Twice is once too often.
    #expect(try receive(&conversation, #"{"id":2,"result":{}}"#) == nil)
    let refused = try receive(
      &conversation, #"{"id":1,"error":{"code":-32001,"message":"no","data":{"name":"headerNotFound","hint":"why"}}}"#)
    guard case .answer(let refusal)? = refused, case .failure(let error) = refusal.result else {
      return #expect(Bool(false), "no refusal")
    }
    #expect(error.code == -32001 && error.name == "headerNotFound" && error.description == "no (why)")
  }

  @Test func notificationsKeepTheirBytes() throws {
    var conversation = Conversation()
    let incoming = try receive(&conversation, #"{"jsonrpc":"2.0","method":"state","params":{"a":1e0, "b":[ ]}}"#)
    guard case .notification(let state)? = incoming else { return #expect(Bool(false), "none") }
    #expect(state.method == "state" && state.params["a"] == 1 && text(state.text) == #"{"a":1e0, "b":[ ]}"#)
    // One that nobody has heard of yet is for the caller to ignore; a request of the daemon's is not for us.
    guard case .notification(let news)? = try receive(&conversation, #"{"method":"news"}"#) else {
      return #expect(Bool(false), "none")
    }
    #expect(news.method == "news" && news.params == [:])
    #expect(try receive(&conversation, #"{"id":"d9","method":"delegate.ask","params":{}}"#) == nil)
  }

  @Test func pointsToResumeFromAreThoseOfTheLastStates() throws {
    var conversation = Conversation()
    var points = ResumePoints()
    for line in [
      #"{"method":"state","params":{"header":"b","epoch":7,"seq":1}}"#,
      #"{"method":"state","params":{"header":"a","epoch":7,"seq":4}}"#,
      #"{"method":"state","params":{"header":"b","epoch":7,"seq":2}}"#,
      #"{"method":"state","params":{"header":"c","epoch":7,"seq":1}}"#,
      #"{"method":"closed","params":{"header":"c","reason":"closed"}}"#,
    ] {
      guard case .notification(let notification)? = try receive(&conversation, line) else {
        return #expect(Bool(false), "none")
      }
      points.note(notification)
    }
    #expect(Value.record(points.record) == ["a": ["epoch": 7, "seq": 4], "b": ["epoch": 7, "seq": 2]])
  }

  @Test func whatCouldNotBeReadHasNoNumber() throws {
    var conversation = Conversation()
    let incoming = try receive(
      &conversation, #"{"id":null,"error":{"code":-32700,"message":"not JSON","data":{"name":"parseError"}}}"#)
    guard case .notification(let error)? = incoming else { return #expect(Bool(false), "none") }
    #expect(error.method == "error" && RemoteError(error.params).name == "parseError")
  }

  @Test func aGoodbyeIsKept() throws {
    var conversation = Conversation()
    #expect(conversation.goodbye == nil)
    _ = try receive(&conversation, #"{"method":"bye","params":{"reason":"draining"}}"#)
    #expect(
      conversation.goodbye == "draining"
        && "\(ClientError.ended(goodbye: conversation.goodbye))" == "the daemon ended the connection: draining")
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2", "[]", "{", "{\"id\":1}", "{\"id\":1,\"result\":nul}"])
  func whatIsNoProtocolIsSaid(_ line: String) {
    let error = #expect(throws: ClientError.self) {
      var conversation = Conversation()
      _ = conversation.request("ping")
      _ = try receive(&conversation, line)
    }
    guard case .badLine(_, let shown)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(shown == line && error?.description.hasPrefix("what answers is no headerd: ") == true)
  }
}

@Suite struct PacerTests {
  @Test func theFirstEventIsSentAtOnceAndTheOthersAfterIt() {
    var pacer = Pacer()
    #expect(pacer.delay(for: 100, now: 7) == 0)
    #expect(pacer.delay(for: 100.5, now: 7) == 0.5)
    #expect(pacer.delay(for: 100.5, now: 7.25) == 0.25)
    // A slow moment is caught up: the next delays count from the start, not from the last event.
    #expect(pacer.delay(for: 100.5, now: 9) == 0)
    #expect(pacer.delay(for: 103, now: 9) == 1)
    // What happened earlier is late already.
    #expect(pacer.delay(for: 99, now: 9) == 0)
  }

  @Test func eventsWithoutATimeDoNotWait() {
    var pacer = Pacer()
    #expect(pacer.delay(for: nil, now: 3) == 0)
    #expect(pacer.delay(for: 10, now: 5) == 0)
    #expect(pacer.delay(for: nil, now: 5) == 0)
    #expect(pacer.delay(for: 11, now: 5) == 1)
  }

  @Test func speedShortensDelays() {
    var (double, fast) = (Pacer(speed: 2), Pacer(speed: .infinity))
    _ = (double.delay(for: 0, now: 0), fast.delay(for: 0, now: 0))
    #expect(double.delay(for: 10, now: 1) == 4)
    #expect(fast.delay(for: 1e9, now: 0) == 0)
  }
}
