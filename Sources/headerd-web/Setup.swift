// SPDX-License-Identifier: MIT
//
// A config made ready: everything that can be wrong with it is found here, before anything is opened.

internal import BridgeProgram
internal import HeaderConfig
internal import HeaderModel
internal import Posix

/// The checked settings of the process.
struct Setup {
  var config: WebConfig
  let address: InternetAddress
  /// The path of the daemon's socket.
  let socket: String
  /// The folder of files; nil: none are served.
  let pages: String?
  /// A token that was made at the start, since the config admits no page.
  let madeToken: String?

  init(_ config: WebConfig, socket: String?) throws(StartupError) {
    self.config = config
    guard let address = InternetAddress(config.listen.address) else {
      throw StartupError(
        message: "listen.address: expected a numeric address, such as \"127.0.0.1\" or \"::1\", got "
          + "\"\(config.listen.address)\"")
    }
    self.address = address
    self.socket = try Self.socket(socket, config)
    pages = try Self.pages(config)
    for file in [config.listen.certificate, config.listen.privateKey] {
      if let file, !isReadable(file) { throw StartupError(message: "\(file): \(SystemError.last.text)") }
    }
    if config.tokens.isEmpty, config.access.anonymous.isEmpty {
      let token = try Self.makeToken()
      self.config.tokens = [.init(name: "made at the start", token: token, roles: WebConfig.Role.allCases)]
      madeToken = token
    } else {
      madeToken = nil
    }
  }

  private static func socket(_ option: String?, _ config: WebConfig) throws(StartupError) -> String {
    let path = daemonSocket(option: option, configured: config.daemon.socket)
    guard path.utf8.count <= maxSocketPath else {
      throw StartupError(message: "the daemon's socket: \(path) has more than \(maxSocketPath) bytes")
    }
    return path
  }

  /// The playground lies beside the program as installed, and in the sources that it was built from.
  private static func pages(_ config: WebConfig) throws(StartupError) -> String? {
    guard config.pages.serve else { return nil }
    if let folder = config.pages.folder {
      guard exists("\(folder)/index.html") else { throw StartupError(message: "\(folder) has no index.html") }
      return folder
    }
    let program = target(ofLink: "/proc/self/exe") ?? ""
    for (part, folder) in [("/bin/", "/share/headerd/web"), ("/.build/", "/Sources/Clients/Playground")] {
      guard let place = program.indices.last(where: { program[$0...].hasPrefix(part) }) else { continue }
      let found = String(program[..<place]) + folder
      if exists("\(found)/index.html") { return found }
    }
    return nil
  }

  /// 32 letters, digits and signs: 192 random bits.
  private static func makeToken() throws(StartupError) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    return String(decoding: try randomBytes().prefix(32).map { letters[Int($0) % letters.count] }, as: UTF8.self)
  }
}
