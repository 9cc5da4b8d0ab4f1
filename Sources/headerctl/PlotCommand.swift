// SPDX-License-Identifier: MIT
//
// `headerctl plot`: a recording as a picture. SVG is drawn here (HeaderTrace/Plot.swift); a PNG is the same picture through
// rsvg-convert, which is started for it and for nothing else.

internal import CommandLineKit
private import Glibc
internal import HeaderModel
internal import HeaderTrace
internal import Posix

func runPlot(_ context: Context) throws -> Int32 {
  let file = context.invocation.required(Words.recording)
  let output = context.invocation[Words.picturesFile] ?? "-"
  let name = output.split(separator: "/").last ?? ""
  guard output.hasPrefix("/dev/") || !name.contains(".") || [".svg", ".png"].contains(where: name.hasSuffix) else {
    throw CommandError.usage("option \"--output\": expected a name that ends in .svg or .png, got \"\(output)\"")
  }
  let recording = try context.recording(file)
  let registry = context.loadPlugins()
  guard let svg = try about(file, { try Plot(recording, provider: registry).svg }) else {
    throw CommandError.refused("\(file): there is nothing in it that could be drawn", name: "badRecording")
  }
  try write(output.hasSuffix(".png") ? png(of: svg) : Array(svg.utf8), to: output, context)
  return ExitStatus.done
}

private func write(_ bytes: [UInt8], to file: String, _ context: Context) throws {
  guard file != "-" else { return context.console.print(bytes: bytes) }
  do throws(SystemError) {
    let descriptor = try openFile(file, for: .replacing)
    defer { close(descriptor) }
    try writeAll(bytes, to: descriptor)
  } catch {
    throw CommandError.refused("\(file): \(error.text)", name: "noFile")
  }
}

/// The same picture in pixels. The program reads a file of its own, since it is given no stdin.
private func png(of svg: String) throws -> [UInt8] {
  let folders = (environmentValue("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
  guard let program = folders.map({ "\($0)/rsvg-convert" }).first(where: exists) else {
    throw CommandError.refused(
      "a PNG needs rsvg-convert, which is not installed (Debian: librsvg2-bin); -o FILE.svg needs nothing",
      name: "noProgram")
  }
  let end: ProgramEnd
  do throws(SystemError) {
    let file = try MemoryFile(Array(svg.utf8))
    end = try runProgram(program, [file.path], environment: [], seconds: 30, atMost: 64 << 20)
  } catch {
    throw CommandError.refused("\(program): \(error.text)", name: "noProgram")
  }
  guard end.reason == .exited(0), !end.output.isEmpty else {
    let said = String(decoding: end.errors, as: UTF8.self).split(separator: "\n").first.map { ": \($0)" } ?? ""
    throw CommandError.refused("rsvg-convert could not draw it: \(end.reason)\(said)", name: "noProgram")
  }
  return end.output
}
