// SPDX-License-Identifier: MIT
//
// What is JSON and what is not, with the exact place and words for what is not.

import HeaderModel
import HeaderWire
import Testing

/// A text and the tree it stands for.
struct ValidRow: Sendable {
  var text: String
  var value: Value

  init(_ text: String, _ value: Value) {
    self.text = text
    self.value = value
  }
}

/// Bytes that are no JSON and the message about them.
struct InvalidRow: Sendable {
  var bytes: [UInt8]
  var message: String

  init(_ text: String, _ message: String) { self.init(Array(text.utf8), message) }

  init(_ bytes: [UInt8], _ message: String) {
    self.bytes = bytes
    self.message = message
  }
}

@Suite struct JSONReaderTests {
  static let valid: [ValidRow] = [
    ValidRow("null", .null),
    ValidRow(" true ", true),
    ValidRow("\t\r\nfalse\n", false),
    ValidRow("0", 0),
    ValidRow("-0", 0),
    ValidRow("12", 12),
    ValidRow("-12.5", -12.5),
    ValidRow("0.1", 0.1),
    ValidRow("1e3", 1000),
    ValidRow("1E+3", 1000),
    ValidRow("25e-2", 0.25),
    ValidRow("0e999999999999999999999", 0),
    ValidRow("1e-999999999999999999999", 0),
    ValidRow("0.30000000000000004", 0.30000000000000004),
    ValidRow("9007199254740993", 9007199254740992),
    ValidRow("123456789012345678901234567890", 123456789012345678901234567890.0),
    ValidRow("12345678901234567890.5", 12345678901234567890.5),
    ValidRow("1234567890.1234567890123456789", 1234567890.1234567890123456789),
    ValidRow("0.12345678901234567890123", 0.12345678901234567890123),
    ValidRow("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    ValidRow("5e-324", .number(.leastNonzeroMagnitude)),
    ValidRow("\"\"", ""),
    ValidRow("\"plain text of more than fifteen bytes\"", "plain text of more than fifteen bytes"),
    ValidRow(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    ValidRow(#""\u0041\u00e9\u20AC\u0000""#, "Aé€\0"),
    ValidRow(#""\ud83d\uDE00!""#, "😀!"),
    ValidRow("\"é€😀\u{7F}\"", "é€😀\u{7F}"),
    ValidRow("[]", []),
    ValidRow("[ ]", []),
    ValidRow("[1,\"a\" , null,[[]]]", [1, "a", nil, [[]]]),
    ValidRow("{}", [:]),
    ValidRow("{ }", [:]),
    ValidRow(#"{"a":1,"b":{"a":2}, "c" : [ {} ] }"#, ["a": 1, "b": ["a": 2], "c": [[:]]]),
    ValidRow(#"{"":0,"é":1,"\u0065":2,"E":3}"#, ["": 0, "é": 1, "e": 2, "E": 3]),
    ValidRow(#"{"ab":0,"a":1,"abc":2,"b":3,"ba":4}"#, ["ab": 0, "a": 1, "abc": 2, "b": 3, "ba": 4]),
  ]

  @Test(arguments: valid) func reads(_ row: ValidRow) throws {
    #expect(try document(row.text) == row.value)
    try reading(Array(row.text.utf8)) { (reader) throws(JSONError) in
      _ = try reader.skipValue()
      try reader.finish()
    }
  }

  static let invalid: [InvalidRow] = [
    InvalidRow("", "column 1: expected a value, found the end of the line"),
    InvalidRow("  ", "column 3: expected a value, found the end of the line"),
    InvalidRow("nul", "column 4: expected 'null', found the end of the line"),
    InvalidRow("trve", "column 3: expected 'true', found 'v'"),
    InvalidRow("False", "column 1: expected a value, found 'F'"),
    InvalidRow("falsy", "column 5: expected 'false', found 'y'"),
    InvalidRow("NaN", "column 1: expected a value, found 'N'"),
    InvalidRow("nulll", "column 5: expected the end of the line, found 'l'"),
    InvalidRow("1 2", "column 3: expected the end of the line, found '2'"),
    InvalidRow("+1", "column 1: expected a value, found '+'"),
    InvalidRow(".5", "column 1: expected a value, found '.'"),
    InvalidRow("-", "column 2: expected a digit, found the end of the line"),
    InvalidRow("-x", "column 2: expected a digit, found 'x'"),
    // The bytes before 0 and behind 9 are no digits.
    InvalidRow("-:", "column 2: expected a digit, found ':'"),
    InvalidRow("-/", "column 2: expected a digit, found '/'"),
    InvalidRow("0:", "column 2: expected the end of the line, found ':'"),
    InvalidRow("1.:", "column 3: expected a digit, found ':'"),
    InvalidRow("1e5:", "column 4: expected the end of the line, found ':'"),
    InvalidRow("1e:", "column 3: expected a digit, found ':'"),
    InvalidRow("01", "column 1: a number may not begin with 0 and go on with digits"),
    InvalidRow("-012", "column 2: a number may not begin with 0 and go on with digits"),
    InvalidRow("1.", "column 3: expected a digit, found the end of the line"),
    InvalidRow("1.e5", "column 3: expected a digit, found 'e'"),
    InvalidRow("1e", "column 3: expected a digit, found the end of the line"),
    InvalidRow("1e+ ", "column 4: expected a digit, found ' '"),
    InvalidRow("[1e309]", "column 2: number out of range"),
    InvalidRow("-1e999999999999999999999", "column 1: number out of range"),
    InvalidRow("0x10", "column 2: expected the end of the line, found 'x'"),
    InvalidRow("\"", "column 1: the string has no closing '\"'"),
    InvalidRow("[\"abcdefghijk", "column 2: the string has no closing '\"'"),
    InvalidRow("\"abc\\", "column 1: the string has no closing '\"'"),
    InvalidRow("\"a\tb\"", "column 3: a string holds the control character byte 0x09; write it as an escape"),
    InvalidRow(#""\x""#, "column 2: unknown escape: '\\' before 'x'"),
    InvalidRow(#""\u12g4""#, "column 6: expected a hexadecimal digit, found 'g'"),
    InvalidRow(#""\u12"#, "column 6: expected a hexadecimal digit, found the end of the line"),
    InvalidRow(#""\ud83d""#, "column 2: lone surrogate \\uD83D"),
    InvalidRow(#""a\ud83d\u0041""#, "column 3: lone surrogate \\uD83D"),
    InvalidRow(#""\uDE00\ud83d""#, "column 2: lone surrogate \\uDE00"),
    InvalidRow([0x22, 0x80, 0x22], "column 2: invalid UTF-8 at byte 0x80"),
    InvalidRow([0x22, 0x61, 0xC3, 0x22], "column 3: invalid UTF-8 at byte 0xC3"),
    InvalidRow([0x22, 0xC0, 0xAF, 0x22], "column 2: invalid UTF-8 at byte 0xC0"),
    InvalidRow([0x22, 0xE0, 0x9F, 0xBF, 0x22], "column 2: invalid UTF-8 at byte 0xE0"),
    InvalidRow([0x22, 0xED, 0xA0, 0x80, 0x22], "column 2: invalid UTF-8 at byte 0xED"),
    InvalidRow([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "column 2: invalid UTF-8 at byte 0xF4"),
    InvalidRow([0x22, 0xF0, 0x9F, 0x98], "column 2: invalid UTF-8 at byte 0xF0"),
    InvalidRow([0xEF, 0xBB, 0xBF, 0x31], "column 1: expected a value, found byte 0xEF"),
    InvalidRow("[", "column 2: expected a value or ']', found the end of the line"),
    InvalidRow("[1", "column 3: expected ',' or ']' after an element, found the end of the line"),
    InvalidRow("[1,]", "column 4: expected a value, found ']'"),
    InvalidRow("[,1]", "column 2: expected a value or ']', found ','"),
    InvalidRow("[1 2]", "column 4: expected ',' or ']' after an element, found '2'"),
    InvalidRow("[1}", "column 3: expected ',' or ']' after an element, found '}'"),
    InvalidRow("]", "column 1: expected a value, found ']'"),
    InvalidRow("{", "column 2: expected a member name or '}', found the end of the line"),
    InvalidRow("{a:1}", "column 2: expected a member name or '}', found 'a'"),
    InvalidRow("{'a':1}", "column 2: expected a member name or '}', found '''"),
    InvalidRow(#"{"a""#, "column 5: expected ':' after a member name, found the end of the line"),
    InvalidRow(#"{"a",1}"#, "column 5: expected ':' after a member name, found ','"),
    InvalidRow(#"{"a":}"#, "column 6: expected a value, found '}'"),
    InvalidRow(#"{"a":1,}"#, "column 8: expected a member name, found '}'"),
    InvalidRow(#"{"a":1 "b":2}"#, "column 8: expected ',' or '}' after a member, found '\"'"),
    InvalidRow(#"{"a":1]"#, "column 7: expected ',' or '}' after a member, found ']'"),
    InvalidRow(#"{"a":1}}"#, "column 8: expected the end of the line, found '}'"),
    InvalidRow(#"{"a":1,"b":2,"a":3}"#, "column 14: the object already has a member \"a\""),
    InvalidRow(#"{"a":1,"\u0061":3}"#, "column 8: the object already has a member \"a\""),
    InvalidRow(#"{"\u0061":1,"a":3}"#, "column 13: the object already has a member \"a\""),
    InvalidRow(#"{"é":1,"e\u0301":3}"#, "column 9: the object already has a member \"e\u{301}\""),
    InvalidRow("{\"é\":1,\"e\u{301}\":3}", "column 9: the object already has a member \"e\u{301}\""),
    InvalidRow(#"[{"":1,"":3}]"#, "column 8: the object already has a member \"\""),
    InvalidRow("[1] // one", "column 5: expected the end of the line, found '/'"),
    InvalidRow("[1]\0", "column 4: expected the end of the line, found byte 0x00"),
  ]

  @Test(arguments: invalid) func refuses(_ row: InvalidRow) {
    let error = #expect(throws: JSONError.self) { try document(row.bytes) }
    #expect(error?.message == row.message)
    let skipping = #expect(throws: JSONError.self) {
      try reading(row.bytes) { (reader) throws(JSONError) in
        _ = try reader.skipValue()
        try reader.finish()
      }
    }
    #expect(skipping == error)
  }

  @Test func duplicatesAmongManyNames() throws {
    let names = (0..<5000).map { "\"name\($0)\":\($0)" }
    #expect(throws: Never.self) { try document("{" + names.joined(separator: ",") + "}") }
    for count in [1, 15, 16, 17, 18, 5000] {
      for again in [0, count / 2, count - 1] {
        let text = "{" + (names.prefix(count) + [names[again]]).joined(separator: ",") + "}"
        let error = #expect(throws: JSONError.self) { try document(text) }
        #expect(error?.reason == "the object already has a member \"name\(again)\"")
      }
    }
  }

  @Test func nesting() throws {
    let deepest = JSONReader.maxNesting
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let inner = open == "[" ? "" : "1"
      let fits = String(repeating: open, count: deepest) + inner + String(repeating: close, count: deepest)
      #expect(throws: Never.self) { try document(fits) }
      let error = #expect(throws: JSONError.self) { try document(String(repeating: open, count: 100_000)) }
      #expect(error?.reason == "more than \(deepest) objects and arrays inside one another")
      #expect(error?.offset == deepest * open.utf8.count)
    }
    #expect(throws: Never.self) { try document("[" + String(repeating: "[],", count: 200) + "{}]") }
  }

  @Test func truncatedAnywhere() throws {
    let text = Array(
      #" {"a\u00e9":[1.25e-3,-0,"x😀y\ud83d\ude00long enough for words"],"n":{"t":true,"f":false}}"#
        .utf8)
    #expect(throws: Never.self) { try document(text) }
    for length in 0..<text.count {
      let error = #expect(throws: JSONError.self) { try document(Array(text.prefix(length))) }
      #expect((error?.offset ?? -1) <= length)
    }
  }

  @Test func oneByteChangedNeverCrashes() throws {
    let text = Array(#"{"a":[1.25,-0,"é\n😀"],"n":{"t":true,"f":false,"0":null}}"#.utf8)
    for at in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[at] = byte
        if let value = try? document(changed) {
          #expect(try document(written { $0.value(value) }) == value)
        }
      }
    }
  }

  // MARK: - Pulling

  @Test func pullsMembersIntoAStruct() throws {
    let line =
      #"{"method":"event","unread":[{"x":[]}],"par\u0061ms":{"time":1.5,"offset":{"x":0,"y":12.5}},"#
      + #""last":null}"#
    try reading(Array(line.utf8)) { (reader) throws(JSONError) in
      var method: String?
      var time: Double?
      var y: Double?
      var members = try reader.beginObject()
      while let name = try reader.nextName(in: &members) {
        switch name {
        case "method": method = try reader.string().string
        case "params":
          var params = try reader.beginObject()
          while let name = try reader.nextName(in: &params) {
            switch name {
            case "time": time = try reader.number()
            case "offset":
              var offset = try reader.beginObject()
              while let name = try reader.nextName(in: &offset) {
                if name == "y" { y = try reader.number() }
              }
            default: break
            }
          }
        case "last":
          let isNull = try reader.takeNull()
          #expect(isNull)
        default: break
        }
      }
      try reader.finish()
      #expect(method == "event")
      #expect(time == 1.5)
      #expect(y == 12.5)
    }
  }

  @Test func comesBackToASkippedValue() throws {
    try reading(Array(#"{"params":{"a":[1,"12px"]},"method":"m"}"#.utf8)) { (reader) throws(JSONError) in
      var members = try reader.beginObject()
      _ = try reader.nextName(in: &members)
      let range = try reader.skipValue()
      #expect(range == 10..<26)
      while try reader.nextName(in: &members) != nil {}
      try reader.finish()
      var later = reader.reader(over: range)
      let value = try later.value()
      try later.finish()
      #expect(value == ["a": [1, "12px"]])
    }
  }

  @Test func takesNullWhereThereIsOne() throws {
    try reading(Array("[null,7]".utf8)) { (reader) throws(JSONError) in
      var elements = try reader.beginArray()
      var (taken, numbers): ([Bool], [Double]) = ([], [])
      while try reader.nextElement(in: &elements) {
        taken.append(try reader.takeNull())
        if taken.last == false { numbers.append(try reader.number()) }
      }
      #expect(taken == [true, false] && numbers == [7])
    }
  }

  @Test func wrongTypesAreNoSyntaxErrors() throws {
    func message(_ text: String, _ body: (inout JSONReader) throws(JSONError) -> Void) -> String? {
      let error = #expect(throws: JSONError.self) { try reading(Array(text.utf8), body) }
      return error?.message
    }
    #expect(
      message(" \"12px\"") { (r) throws(JSONError) in _ = try r.number() }
        == "column 2: expected a number, found a string")
    #expect(
      message("1") { (r) throws(JSONError) in _ = try r.string() }
        == "column 1: expected a string, found a number")
    #expect(
      message("[]") { (r) throws(JSONError) in _ = try r.beginObject() }
        == "column 1: expected an object, found an array")
    #expect(
      message("{}") { (r) throws(JSONError) in _ = try r.beginArray() }
        == "column 1: expected an array, found an object")
    #expect(
      message("null") { (r) throws(JSONError) in _ = try r.bool() }
        == "column 1: expected true or false, found null")
  }

  @Test func namesCompareByText() throws {
    try reading(Array(#"["offset","off\u0073et","offsets","offsex","","ö"]"#.utf8)) { (reader) throws(JSONError) in
      var answers: [Bool] = []
      var elements = try reader.beginArray()
      while try reader.nextElement(in: &elements) { answers.append(try reader.string() == "offset") }
      #expect(answers == [true, true, false, false, false, false])
    }
  }

  /// Nothing of it is read, so there need not be so much memory.
  @Test func aTextOfFourGigabytesIsRefused() {
    let text: StaticString = "1"
    let error = #expect(throws: JSONError.self) {
      try unsafe JSONReader.document(UnsafeRawBufferPointer(start: text.utf8Start, count: 1 << 32))
    }
    #expect(error?.message == "column 1: a JSON text has less than 4 GiB")
  }
}
