// SPDX-License-Identifier: MIT
//
// The hint for misspelled names.

import HeaderModel
import Testing

@Test(arguments: [
  ("sokcet", "socket"), ("linebytes", "lineBytes"), ("line_bytes", "lineBytes"), ("strem", "stream"), ("x", nil),
  ("", nil), ("lis", "list"), ("replay", "replay"), ("completely-different", nil), ("go", "to"),
])
func hints(_ name: String, _ expected: String?) {
  #expect(nearest(to: name, in: ["socket", "lineBytes", "stream", "list", "replay", "a", "to"]) == expected)
}

/// Who abbreviates, or writes out, means the name with all the letters, and not one that is nearer by edits.
@Test(arguments: [
  ("minHeight", "minimumHeight"), ("minheight", "minimumHeight"), ("hight", "height"), ("heigth", "height"),
  ("maxHeight", "maximumHeight"), ("bkgdColor", "backgroundColor"), ("delegatesList", "delegates"),
  ("dele", "delegates"),
  ("delgates", "delegates"), ("stickiness", nil), ("mt", nil), ("mht", nil),
])
func abbreviations(_ name: String, _ expected: String?) {
  let names = ["height", "maximumHeight", "minimumHeight", "backgroundColor", "delegates", "sticky"]
  #expect(nearest(to: name, in: names) == expected)
}

@Test func ofTwoLongFormsTheShorter() {
  #expect(nearest(to: "config", in: ["configuration", "configure"]) == "configure")
  #expect(nearest(to: "minimumHeight", in: ["height", "minHeight"]) == "minHeight")
}

@Test func ofEquallyNearNamesTheFirst() {
  #expect(nearest(to: "cat", in: ["bat", "hat", "car"]) == "bat")
  #expect(nearest(to: "cat", in: ["bat", "cart", "cat"]) == "cat")
  #expect(nearest(to: "cat", in: []) == nil)
}
