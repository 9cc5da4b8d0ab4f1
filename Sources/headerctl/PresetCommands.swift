// SPDX-License-Identifier: MIT
//
// `headerctl preset list`: the preset files, read as the daemon reads them.

internal import HeaderConfig
internal import HeaderModel
internal import Installation
internal import Posix

func runPresetList(_ context: Context) -> Int32 {
  let shelf = PresetShelf(
    folders: context.presetFolders, names: { (try? names(inFolder: $0)) ?? [] },
    read: { try? contents(ofRegularFile: $0, atMost: Config.largestFile, followsLinks: true) })
  for problem in shelf.problems { context.console.complain("\(problem)") }
  let folders = context.presetFolders
  let nothing =
    folders.isEmpty
    ? "no presets: there is no folder to look in; name one by --presets or HEADERD_PRESET_PATH"
    : "no presets in \(folders.joined(separator: ", "))"
  return context.show(shelf.presets.map(\.value), nothing: nothing, ["PRESET", "BEHAVIOR", "WHAT IT DOES"]) {
    [$0.text("preset"), $0.text("behavior"), $0.text("summary")]
  }
}
