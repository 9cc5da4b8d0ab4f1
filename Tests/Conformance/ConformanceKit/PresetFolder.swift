// SPDX-License-Identifier: MIT

internal import HeaderConfig
public import HeaderModel

/// The presets in a folder, and a line for each file that cannot be read.
public func presets(in folder: String) -> (presets: [Preset], problems: [String]) {
  let shelf = PresetShelf(folders: [folder], names: Files.names(in:), read: Files.read)
  return (shelf.presets, shelf.problems.map(\.description))
}
