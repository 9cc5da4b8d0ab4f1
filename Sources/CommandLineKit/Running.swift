// SPDX-License-Identifier: MIT
//
// Runs a program with its command line, and ends it.

extension Program {
  /// Runs a command line: prints the text that it asks for, or performs its command.
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - write: takes messages for stderr.
  ///   - perform: performs the command, and returns the exit status.
  /// - Returns: the exit status: 2 for a command line that is not understood, 1 for any other error.
  public func run(
    _ arguments: [String], write: (String) -> Void, perform: (Invocation) throws -> Int32
  ) -> Int32 {
    do {
      switch try parse(arguments) {
      case .print(let text):
        print(text, terminator: text.hasSuffix("\n") ? "" : "\n")
        return 0
      case .run(let invocation): return try perform(invocation)
      }
    } catch let error as UsageError {
      write(complaint("\(error)\n\(error.hint)"))
      return 2
    } catch {
      write(complaint("\(error)"))
      return 1
    }
  }

  /// Sentences as lines that begin with the program's name.
  public func complaint(_ text: String) -> String {
    let name = "\(root.name): "
    return text.split(separator: "\n")
      .map { $0.hasPrefix(name) || $0.hasPrefix("see ") ? "\($0)\n" : "\(name)\($0)\n" }.joined()
  }
}
