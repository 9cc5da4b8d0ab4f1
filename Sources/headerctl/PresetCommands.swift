// SPDX-License-Identifier: MIT
//
// `headerctl preset list`: the preset files, read as the daemon reads them.

internal import HeaderConfig
internal import HeaderCore
internal import Posix

func runPresetList(_ context: Context) -> Int32 {
  let shelf = PresetShelf(
    folders: context.presetFolders, names: { (try? names(inFolder: $0)) ?? [] }, read: { try? contents(ofFile: $0) })
  for problem in shelf.problems { context.console.complain("\(problem)") }
  return context.show(shelf.presets.map(\.value), nothing: "no presets", ["PRESET", "BEHAVIOR", "WHAT IT DOES"]) {
    [$0.text("preset"), $0.text("behavior"), $0.text("summary")]
  }
}
