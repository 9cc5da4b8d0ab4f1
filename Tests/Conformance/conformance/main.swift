// SPDX-License-Identifier: MIT
//
// conformance: runs recordings of the original libraries against the plugins as built, through dlopen and the C boundary.
// Prints each recording that fails with its first difference, and ends with `N passed, N failed`.

import ConformanceKit
import Glibc
import HeaderModel
import PluginHost

let usage = """
  usage: conformance [--plugins FOLDER] [--presets FOLDER] [--verbose | --page] [FOLDER…]

  Runs every *.json recording under the folders (default: Tests/Conformance/Traces) against the plugins in the
  plugins' folder (default: where this program lies): header-trace/1, recorded from the original libraries, and neighbor-trace/1,
  from header systems of other platforms. Those of a system are counted, too. Exit status: 0 all passed, 1 something failed or
  nothing was found, 2 usage.

  --presets FOLDER  presets that neighbors are run with (default: config/presets)
  --page            prints the page of how the neighbors' recordings in the folder fare
  """

var pluginFolder = Files.ofThisProgram
var isVerbose = false
var isPage = false
var presetFolder = "config/presets"
var folders: [String] = []

var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--plugins":
    guard let folder = arguments.popFirst() else {
      print("conformance: --plugins needs a folder\n\n\(usage)")
      exit(2)
    }
    pluginFolder = folder
  case "--presets":
    guard let folder = arguments.popFirst() else {
      print("conformance: --presets needs a folder\n\n\(usage)")
      exit(2)
    }
    presetFolder = folder
  case "--verbose": isVerbose = true
  case "--page": isPage = true
  case "--help":
    print(usage)
    exit(0)
  case _ where argument.hasPrefix("-"):
    print("conformance: there is no option \(argument)\n\n\(usage)")
    exit(2)
  default: folders.append(argument)
  }
}
if folders.isEmpty { folders = [isPage ? "Tests/Conformance/Neighbors" : "Tests/Conformance/Traces"] }

let plugins = PluginRegistry(folders: [pluginFolder])
let found = presets(in: presetFolder)
for problem in found.problems { print("conformance: \(problem)") }
plugins.presets = found.presets
if isPage {
  print(NeighborPage(folder: folders[0], plugins: plugins).text, terminator: "")
  exit(0)
}
let paths = folders.flatMap { Files.recordings(under: $0) }
var failed = 0
var counts: [(folder: String, all: Int, passed: Int)] = []
for path in paths {
  let folder = path.split(separator: "/").dropLast().last.map(String.init) ?? "."
  if counts.last?.folder != folder { counts.append((folder, 0, 0)) }
  counts[counts.count - 1].all += 1
  if let difference = Difference.first(in: path, plugins: plugins) {
    failed += 1
    print("\(path): \(difference)")
  } else {
    counts[counts.count - 1].passed += 1
    if isVerbose { print("\(path): passed") }
  }
}
if paths.isEmpty { print("conformance: no recording under \(folders.joined(separator: ", "))") }
for count in counts where counts.count > 1 { print("\(count.folder): \(count.passed) of \(count.all)") }
print("\(paths.count - failed) passed, \(failed) failed")
exit(failed > 0 || paths.isEmpty ? 1 : 0)
