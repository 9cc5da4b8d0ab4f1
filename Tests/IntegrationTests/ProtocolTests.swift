// SPDX-License-Identifier: MIT
//
// The protocol (headerd-protocol(7)) as it is spoken: examples of all that this daemon understands, sent over a real
// socket and answered as written; what is for later answered `unsupported`. Golden/protocol.txt is the whole
// conversation.

import DaemonTestKit
import Testing

@Suite struct ProtocolTests {
  @Test func isSpokenAsWritten() throws {
    let daemon = try RunningDaemon()
    try holdConversations("protocol.txt", with: daemon, atLeast: 20)
  }
}
