// SPDX-License-Identifier: MIT
//
// What a plugin's process says that the plugin is: as it stands, or a right report that is spoiled. What must hold: what is taken
// can be listed and opened, and its defaults are right.

internal import HeaderCore
internal import HeaderModel
internal import HeaderTestKit
internal import HeaderTrace
internal import HeaderWire
internal import HeaderWorker
package import PluginHost

package final class ReportsTarget: FuzzTarget {
  package static let name = "reports"
  private let models: [Value]

  package init(_ plugins: PluginRegistry) throws {
    models = try plugins.plugins.map { plugin in
      try Value(json: PluginReport.encode(.success(plugin.described)))
    }
  }

  package func run(_ input: [UInt8]) throws(FuzzFinding) -> Int {
    var bytes = FuzzBytes(input)
    let text = input.first == UInt8(ascii: "{") ? input : Array(bytes.pick(models).spoiledText(&bytes).utf8)
    guard case .success(let report)? = PluginReport.decode(text) else { return 1 }
    let provider = MirrorProvider(report.behaviors)
    for behavior in report.behaviors {
      _ = behavior.asValue.json
      var description = HeaderDescription.bench
      description.delegates = [DelegateDescription(behavior: behavior.name)]
      do throws(HeaderError) {
        for option in behavior.options { try option.check(option.defaultValue, at: Path(option.name)) }
        let header = try Header(description, epoch: 1, provider: provider)
        _ = try header.save()
      } catch {
        throw FuzzFinding("\(behavior.name) was taken and is wrong: \(error.message)")
      }
    }
    return 1
  }

  package func seeds() throws -> [[UInt8]] { models.map(\.jsonBytes) + choices(64) }

  package var words: [String] {
    let texts = models.flatMap { $0.json.split(separator: "\"").map(String.init) }
    return Set(texts.filter { $0.first?.isLetter == true && $0.utf8.count < 40 }).sorted().map { "\"\($0)\":" }
      + Corpus.numbers + ["list of ", "\"refused\":"]
  }
}
