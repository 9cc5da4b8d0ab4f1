// SPDX-License-Identifier: MIT

internal import HeaderWire

/// A binary client's connection: lines are written to it, frames leave.
final class FrameStream: LineStream {
  private let stream: any LineStream
  private var translator: FrameTranslator

  init(_ stream: any LineStream, _ handles: any HeaderHandles) {
    self.stream = stream
    translator = FrameTranslator(handles)
    stream.write(FrameTranslator.opening)
  }

  func write(_ bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0A) { stream.write(translator.frames(of: Array(line))) }
  }

  /// Sends the error of a frame.
  func refuse(_ refusal: EnvelopeRefusal) { stream.write(translator.frames(of: refusal)) }

  var queuedBytes: Int { stream.queuedBytes }
  func setReading(_ isOn: Bool) { stream.setReading(isOn) }
  func close() { stream.close() }
}

/// The numbers of headers for binary clients of this bridge; a name keeps its number for ever.
final class Handles: HeaderHandles {
  private var numbers: [String: Int] = [:]
  private var names: [String] = []

  func handle(of header: String) -> Int {
    if let number = numbers[header] { return number }
    names.append(header)
    numbers[header] = names.count
    return names.count
  }

  func header(with handle: Int) -> String? { names.indices.contains(handle - 1) ? names[handle - 1] : nil }
}
