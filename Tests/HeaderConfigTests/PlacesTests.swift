// SPDX-License-Identifier: MIT
//
// Which config file.

import HeaderConfig
import Testing

@Test func configFiles() {
  let all: (String) -> Bool = { _ in true }
  let none: (String) -> Bool = { _ in false }
  let xdg = ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]
  #expect(Config.path(option: "x.toml", environment: xdg, exists: none) == "x.toml")
  #expect(Config.path(option: nil, environment: xdg, exists: all) == "/c/headerd/headerd.toml")
  #expect(Config.path(option: nil, environment: ["HOME": "/h/"], exists: all) == "/h/.config/headerd/headerd.toml")
  #expect(Config.path(option: nil, environment: ["XDG_CONFIG_HOME": "c"], exists: all) == "/etc/headerd/headerd.toml")
  #expect(
    Config.path(option: nil, environment: xdg) { $0.hasPrefix("/etc") } == "/etc/headerd/headerd.toml")
  #expect(Config.path(option: nil, environment: xdg, exists: none) == nil)
}
