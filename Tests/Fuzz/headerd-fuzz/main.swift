// SPDX-License-Identifier: MIT
//
// libFuzzer over the readers of Tests/Fuzz/FuzzTargets. Tests/Fuzz/run builds and starts it.
//
//     headerd-fuzz list                    the targets
//     headerd-fuzz seeds TARGET FOLDER     writes FOLDER/TARGET/… and FOLDER/TARGET.dict
//     headerd-fuzz run TARGET OPTION…      libFuzzer's options; at the end one line with what was read

import CFuzzer
import Foundation
import FuzzTargets
import Synchronization

/// Ends with a reason.
func fail(_ reason: String) -> Never {
  try? FileHandle.standardError.write(contentsOf: Data("headerd-fuzz: \(reason)\n".utf8))
  exit(64)
}

let arguments = CommandLine.arguments
guard arguments.count > 1 else { fail("give list, seeds or run") }

func target(named name: String) -> any FuzzTarget {
  guard let type = FuzzTargets.all.first(where: { $0.name == name }) else {
    fail("there is no target \(name); there are \(FuzzTargets.all.map { $0.name }.joined(separator: ", "))")
  }
  do {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent().path
    return try type.init(FuzzTargets.plugins(inFolder: folder))
  } catch {
    fail("\(name): \(error)")
  }
}

/// A word as libFuzzer's dictionaries have it.
func quoted(_ word: String) -> String {
  let letters = word.utf8.map { byte in
    (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
      ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
  return "\"\(letters.joined())\""
}

func writeSeeds(_ name: String, to folder: String) throws {
  let target = target(named: name)
  let place = URL(fileURLWithPath: folder).appendingPathComponent(name)
  try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  for (index, seed) in try target.seeds().enumerated() {
    try Data(seed).write(to: place.appendingPathComponent("seed-\(index)"))
  }
  let words = target.words.filter { !$0.isEmpty && $0.utf8.count < 60 }
  let text = words.map { quoted($0) + "\n" }.joined()
  try Data(text.utf8).write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(name).dict"))
}

/// What was read so far: libFuzzer's callback has no context.
nonisolated(unsafe) private var present: (any FuzzTarget)?
let messages = Atomic(0)
let inputs = Atomic(0)
let begin = ContinuousClock.now

func run(_ name: String, _ options: [String]) -> Never {
  unsafe present = target(named: name)
  atexit {
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    let count = messages.load(ordering: .relaxed)
    let rate = Int(Double(count) / max(0.001, seconds))
    let line =
      "read \(count) messages in \(inputs.load(ordering: .relaxed)) inputs, \(Int(seconds)) seconds, \(rate) a second\n"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
  var texts: [UnsafeMutablePointer<CChar>?] = unsafe (["headerd-fuzz"] + options).map { unsafe strdup($0) }
  var count = Int32(unsafe texts.count)
  unsafe texts.append(nil)
  let status = unsafe texts.withUnsafeMutableBufferPointer { texts in
    var start = texts.baseAddress
    return unsafe LLVMFuzzerRunDriver(&count, &start) { bytes, size in
      guard let present = unsafe present else { return 0 }
      do throws(FuzzFinding) {
        let read = try present.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: size)))
        messages.add(read, ordering: .relaxed)
        inputs.add(1, ordering: .relaxed)
      } catch {
        fatalError("\(error)")
      }
      return 0
    }
  }
  exit(status)
}

switch arguments[1] {
case "list": print(FuzzTargets.all.map { $0.name }.joined(separator: " "))
case "seeds" where arguments.count == 4:
  do {
    try writeSeeds(arguments[2], to: arguments[3])
  } catch {
    fail("\(arguments[2]): \(error)")
  }
case "run" where arguments.count > 2: run(arguments[2], Array(arguments.dropFirst(3)))
default: fail("give list, seeds TARGET FOLDER, or run TARGET OPTION…")
}
