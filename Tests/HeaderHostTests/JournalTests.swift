// SPDX-License-Identifier: MIT
//
// What the host asks of the journal, with a disk in memory that is as fast as the test wants it.

import Clocks
import HeaderCore
import HeaderHost
import HeaderJournal
import HeaderModel
import HeaderService
import HeaderTestKit
import JournalTestKit
import ServiceTestKit
import Testing

/// Cannot be saved any more once its content was scrolled.
private final class Unsaved: ScrollDelegate {
  override func save(in header: Header) throws(DelegateFailure) -> SavedState {
    guard header.scrollViews[0].contentOffset.y <= 0 else { throw .refused("it is busy") }
    return try super.save(in: header)
  }
}

@Suite struct JournalTests {
  /// The records of a header that cannot be saved are copied, so that they do not keep all files since. A header that is closed
  /// makes room for those of others.
  @Test func whatIsCopiedOfAHeaderGoesWithIt() {
    let daemon = TestDaemon()
    daemon.plugins.kinds.append(.init(description: Bystander.description("Unsaved"), make: Unsaved.init))
    let disk = SimulatedDisk(SimulatedFolder())
    disk.finished = { [unowned daemon] in daemon.service.journalFinished($0, at: daemon.clock) }
    var settings = JournalSettings()
    (settings.segmentBytes, settings.budget) = (4_096, 16_384)
    let numbers = JournalNumbers(after: StoredJournal(), shards: 1)
    daemon.service.host.keep(ShardJournal(shard: 0, settings: settings, numbers: numbers, disk: disk), after: 0)
    let client = daemon.publisher()
    client.send(TestDaemon.open("stuck", behavior: "Unsaved"))
    client.send(TestDaemon.scroll("stuck", 1, 10))
    func copiedBytes() -> Double {
      client.send(#"{"id":1,"method":"stats"}"#).results.last?.at("journal.copiedBytes").number ?? .nan
    }
    var step = 0.0
    while copiedBytes() == 0, step < 5_000 {
      for _ in 0..<20 {
        step += 1
        client.send(TestDaemon.scroll("main", step, step))
      }
      daemon.clock += settings.interval
      daemon.service.tick(at: daemon.clock)
      daemon.service.endTurn()
      disk.finish()
    }
    #expect(copiedBytes() > 0)
    client.send(#"{"id":2,"method":"header.close","params":{"header":"stuck"}}"#)
    #expect(copiedBytes() == 0)
  }
}
