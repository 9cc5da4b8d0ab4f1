// SPDX-License-Identifier: MIT
//
// What a bridge makes of a binary client's frames, and of the lines that answer them. What must hold: the line of a frame is one
// line, of the frame's method; what is made of any line are whole frames.

internal import HeaderModel
internal import HeaderWire
package import PluginHost

/// Frames as lines where the first byte is even, else lines as frames.
package final class TranslationsTarget: FuzzTarget {
  package static let name = "translations"

  private static let limit = 4096

  package init(_ plugins: PluginRegistry) {}

  package func run(_ bytes: [UInt8]) throws(FuzzFinding) -> Int {
    guard let first = bytes.first else { return 0 }
    return first & 1 == 0 ? try lines(of: Array(bytes.dropFirst())) : try frames(of: bytes.dropFirst())
  }

  private func lines(of bytes: [UInt8]) throws(FuzzFinding) -> Int {
    let stream = FrameTranslator.opening + bytes
    let handles = FuzzHandles()
    var translator = FrameTranslator(handles)
    var splitter = MessageSplitter(limit: Self.limit)
    var (cursor, count) = (0, 0)
    try unsafe stream.span.bytes.withUnsafeBytes { (stream) throws(FuzzFinding) in
      while let message = unsafe try? splitter.next(in: stream, from: &cursor) {
        guard case .frame(let frame) = message else { continue }
        count += 1
        let line: [UInt8]
        do throws(EnvelopeRefusal) { line = try frame.line(handles, limit: Self.limit) } catch {
          try checkWhole(translator.frames(of: error))
          continue
        }
        try check(line, of: frame)
      }
    }
    return count
  }

  private func check(_ line: [UInt8], of frame: Frame) throws(FuzzFinding) {
    guard !line.contains(10) else { throw FuzzFinding("more than a line: \(line)") }
    guard let method = Command(frame: frame).method else { return }
    var decoder = CommandDecoder(limit: 2 * Self.limit)
    var read: RequestMethod?
    unsafe (line + [10]).span.bytes.withUnsafeBytes { line in
      var cursor = 0
      switch unsafe try? decoder.next(in: line, from: &cursor) {
      case .command: read = decoder.takeCommand()?.method
      case .scroll: read = decoder.scroll.command.method
      case .opening, nil: break
      }
    }
    guard read == method else { throw FuzzFinding("\(method) became \(String(describing: read)): \(line)") }
  }

  private func frames(of bytes: ArraySlice<UInt8>) throws(FuzzFinding) -> Int {
    var translator = FrameTranslator(FuzzHandles())
    var count = 0
    for line in bytes.split(separator: 10) {
      try checkWhole(translator.frames(of: Array(line)))
      count += 1
    }
    return count
  }

  private func checkWhole(_ frames: [UInt8]) throws(FuzzFinding) {
    var place = 0
    while place < frames.count {
      let size = frames[place...].prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, place + size <= frames.count else {
        throw FuzzFinding("a frame of \(size) bytes in \(frames.count) at \(place)")
      }
      place += size
    }
  }

  package func seeds() throws -> [[UInt8]] {
    let answers = try Corpus.goldenAnswers()
    // Those that have frames of their own, and one of the others.
    let methods: [RequestMethod] = [.hello, .ping, .headerOpen, .subscribe, .event, .headerClose]
    let framed = answers.flatMap { line in methods.map { Self.answered(line, "frame \($0.rawValue) 7 0") } }
    let told = (answers + framed + [answers.joined(separator: "\n"), Self.fullState]).map { [1] + Array($0.utf8) }
    return try Corpus.goldenFrames().map { [0] + $0 } + told
  }

  /// A state with all that one can have, and what may come behind it.
  private static let fullState = #"""
    {"method":"state","params":{"header":"main","epoch":7,"seq":2,"time":1.5,"snapshot":true,"framesActive":true,\#
    "drawers":[{"name":"navBar","frame":{"x":0,"y":-12,"width":320,"height":44},"alpha":0.5,"hidden":true,"translation":{"y":3}}],\#
    "scrollViews":{"content":{"contentOffset":{"y":12},"contentInset":{"top":44},"scrollIndicatorInsets":{"top":4},\#
    "correction":{"y":1},"frame":{"x":0,"y":0,"width":9,"height":9},"contentSize":{"width":1,"height":2}}},\#
    "trackingScrollView":"content","values":{"open":true,"ratio":0.5,"title":"a","none":null},\#
    "elements":[{"name":"title","drawer":"navBar","center":{"x":1,"y":2},"bounds":{"width":3,"height":4},"zIndex":2,\#
    "transform":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"cornerRadius":3,"alpha":0.2,"hidden":true}],\#
    "wants":{"prefersStatusBarHidden":true,"preferredStatusBarStyle":"light","additionalSafeAreaInset":{"top":1},\#
    "topLayoutGuideLength":3},"position":{"progress":0.5,"traveled":12,"travel":24,"permitted":[0,1],"motion":3,\#
    "constraints":[{"name":"tour"}],"obstruction":{"top":44}},"noticesLost":2,\#
    "notices":[{"name":"didHide","delegate":"a","arguments":{"x":1},"count":2,"routine":true}],\#
    "commands":[{"name":"setContentOffset","scrollView":"content","arguments":{"animated":true}}],\#
    "animations":[{"delegate":"a","duration":0.2,"delay":0.1,"curve":"spring","mass":1,"stiffness":2,"damping":3,"initialVelocity":4},\#
    {"delegate":"a","duration":0.2,"curve":"easeIn"},{"delegate":"a","curve":"easeOut"},{"delegate":"a","curve":"easeInOut"}],\#
    "calls":[{"delegate":"a","event":"didScroll","depth":1}],"explanation":{"seq":2,"story":["x"]},\#
    "ahead":{"offset":12,"reversible":true,"growing":[{"offset":20,"drawers":[{"name":"navBar","frame":{"y":-20},"alpha":0.2},\#
    {"name":"nobody"}],"scrollViews":{"content":{"contentInset":{"top":24}}},"values":{"ratio":1}},{"offset":40,"wants":{},\#
    "position":{"progress":1}}],"shrinking":[{"offset":0,"elements":[{"name":"title","drawer":"navBar","alpha":1}]}],"dragged":{"shrinking":[{"offset":0,"values":{"ratio":0}}]}}}}
    {"method":"gap","params":{"header":"main","epoch":7,"from":3,"to":4,"reason":"overflow"}}
    {"method":"closed","params":{"header":"main","epoch":7,"seq":4,"reason":"closed"}}
    {"method":"error","params":{"code":-32602,"message":"no","data":{"name":"invalidParams","field":"x"}}}
    {"method":"bye","params":{"reason":"draining"}}
    {"method":"ping"}
    {"id":null,"error":{"code":-32700,"message":"no"}}
    {"id":"frame event 7 0","result":{"results":[{"seq":2,"returned":{"y":1}},{"seq":3,"returned":true,"rewrittenBy":"a",\#
    "targetOffset":{"y":3}},{"seq":4,"consumed":{"y":1},"residual":{"y":2}}]},"warnings":[{"field":"x"}]}
    {"id":"frame hello 1","result":{"protocol":2,"roles":["publish","tune","nobody"],"connection":4,"time":1}}
    """#

  /// An answer to a frame.
  private static func answered(_ line: String, _ id: String) -> String {
    line.split(separator: #""id":1,"#, omittingEmptySubsequences: false).joined(separator: "\"id\":\"\(id)\",")
  }

  package var words: [String] {
    Corpus.wireWords + RequestMethod.allCases.map { #""id":"frame \#($0.rawValue) 7 0""# }
  }
}

/// Numbers of headers in the order of their coming.
private final class FuzzHandles: HeaderHandles {
  private var names = ["main"]

  func handle(of header: String) -> Int {
    if let place = names.firstIndex(of: header) { return place + 1 }
    names.append(header)
    return names.count
  }

  func header(with handle: Int) -> String? { names.indices.contains(handle - 1) ? names[handle - 1] : nil }
}
