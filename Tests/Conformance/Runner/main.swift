// SPDX-License-Identifier: MIT
//
// conformance: runs recordings of the original libraries against the plugins as built, through dlopen and the C boundary.
// Prints each recording that fails with its first difference, and ends with `N passed, N failed`.

import ConformanceKit
import Glibc
import HeaderCore
import PluginHost

let usage = """
  usage: conformance [--plugins FOLDER] [--verbose] [FOLDER…]

  Runs every *.json recording under the folders (default: Tests/Conformance/Traces) against the plugins in the
  plugins' folder (default: where this program lies). Exit status: 0 all passed, 1 something failed or nothing was
  found, 2 usage.
  """

var pluginFolder = Files.ofThisProgram
var isVerbose = false
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
  case "--verbose": isVerbose = true
  case "--help":
    print(usage)
    exit(0)
  case _ where argument.hasPrefix("-"):
    print("conformance: there is no option \(argument)\n\n\(usage)")
    exit(2)
  default: folders.append(argument)
  }
}
if folders.isEmpty { folders = ["Tests/Conformance/Traces"] }

let plugins = PluginRegistry(folders: [pluginFolder])
let paths = folders.flatMap { Files.recordings(under: $0) }
var failed = 0
for path in paths {
  if let difference = Difference.first(in: path, plugins: plugins) {
    failed += 1
    print("\(path): \(difference)")
  } else if isVerbose {
    print("\(path): passed")
  }
}
if paths.isEmpty { print("conformance: no recording under \(folders.joined(separator: ", "))") }
print("\(paths.count - failed) passed, \(failed) failed")
exit(failed > 0 || paths.isEmpty ? 1 : 0)
