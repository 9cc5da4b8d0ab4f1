// SPDX-License-Identifier: MIT
//
// Options and arguments that several commands of headerctl share, and the words for their values.

internal import CommandLineKit
internal import HeaderModel
internal import HeaderWire

/// Exit statuses, as documented in the help and the man page.
enum ExitStatus {
  static let done: Int32 = 0
  static let refused: Int32 = 1
  static let usage: Int32 = 2
  static let noDaemon: Int32 = 3
}

/// The states that a subscriber may miss.
enum SubscriptionMode: String, CaseIterable, Sendable { case every, latest }

/// The kinds of names that completion asks the daemon for (LiveNames.swift).
enum NameKind: String, Sendable {
  case header, delegate, behavior, plugin, pluginOrBehavior, call, option
  case preset, constraint, stop, permitted, part, event

  /// Any text, completed with the names of this kind.
  var text: ValueType<String> { .name(of: rawValue) }
}

enum Words {
  static let socket = Option(
    "socket", "PATH", .file, "The daemon's socket.", absent: "HEADERD_SOCKET, else this user's socket")
  static let json = Flag("json", "Print JSON, one value a line, for programs.")

  static let header = Positional("HEADER", NameKind.header.text, "The header's name.")
  static let glob = Positional(
    "GLOB", NameKind.header.text, "Names or globs: * matches within a part of a name, ** across parts.",
    .rest(atLeast: 1))
  static let realm = Flag("realm", "List the headers of all daemons of the realm, with their owners.")
  static let match = Positional(
    "GLOB", NameKind.header.text, "Only headers whose names match; without it all.", .optional)
  static let folder = Positional("FOLDER", .file, "The state folder of a daemon (state.directory of its config).")
  static let recording = Positional("FILE", .file, "A recording; \"-\" is standard input.")
  static let plugin = Positional("PLUGIN", NameKind.plugin.text, "The plugin's name: its file without lib and .so.")
  static let somePlugin = Positional(
    "PLUGIN", NameKind.pluginOrBehavior.text, "The name of a plugin or a behavior; without it all.", .optional)
  static let count = Option("count", "N", .integer(in: 1 ... .max), "Stop after this many states.", absent: "no limit")
  static let answers = Option("count", "N", .integer(in: 1 ... .max), "Stop after this many answers.", default: 5)
  static let seconds = Option(
    "for", "SECONDS", .number(in: 0...1e9), "Stop after this many seconds.", absent: "no limit")
  static let listening = Option(
    "for", "SECONDS", .number(in: 0...1e9), "Listen to the header's events for this many seconds.", default: 1)

  static let source = Positional(
    "FILE", .file, "Events, one JSON object a line, or a recording; \"-\" or no file is standard input.", .optional)
  static let speed = Option(
    "speed", "N", .number(in: 0.001...1000), "Play this many times faster than it was recorded.", default: 1)
  static let fast = Flag("fast", "Send events as fast as the daemon takes them, whatever their times.")
  static let mode = Option(
    "mode", "MODE", ValueType<SubscriptionMode>.choice,
    "Print every state in order, or only the latest one when this reader is slow.",
    absent: "every; latest with --max-rate")
  static let maxRate = Option(
    "max-rate", "N", .number(in: 0.001...1e6),
    "At most this many states a second and header; states that come sooner are merged.", absent: "no limit")
  static let fields = Option(
    "fields", "PARTS", NameKind.part.text,
    "Only these parts of a state, separated by commas: drawers.navBar,values.progress.",
    absent: "all", repeats: true)
  static let grid = Option(
    "grid", "POINTS", .number(in: Grid.units),
    "Round lengths to multiples of this, and leave out states that then are the same.", absent: "exact lengths")
  static let resumeFrom = Option(
    "resume-from", "HEADER:EPOCH:SEQ", .text, "Continue after this state of a header, instead of with a snapshot.",
    repeats: true)
  static let resumable = Flag("resumable", "Let the daemon keep states, so that --resume-from can continue later.")
  static let calls = Flag("calls", "Include which delegates were asked.")
  static let explain = Flag("explain", "Have each state say why it is there.")
  static let predict = Flag("predict", "Show how each state goes on, and how right the state before was.")
  static let offsets = Flag("offsets", "Include where the content alone moves.")
  static let routine = Flag("routine", "Include routine notices.")
  static let output = Option(
    "output", "FILE", .file, "Write the recording to this file; also -o.", absent: "standard output")
  static let picturesFile = Option(
    "output", "FILE", .file, "Write the picture to this file, as PNG if it ends in .png; also -o.",
    absent: "SVG to standard output")
  static let someHeader = Positional("HEADER", NameKind.header.text, "The header's name.", .optional)
  static let explained = Option(
    "recording", "FILE", .file, "Explain what happens in a recording, without a daemon.", absent: "a header")
  static let all = Flag("all", "Explain every event that is kept, not the last movement alone.")
  static let off = Flag("off", "Have the daemon keep no explanations of the header any more.")
  static let otherBehavior = Option(
    "behavior", "NAME", NameKind.behavior.text, "Another behavior in its place, such as that of a new build.",
    absent: "the same")
  static let end = Flag("end", "End the shadow.")
  static let step = Flag("step", "Go through it event by event, forwards and back, by commands on stdin.")
  static let once = Flag("once", "Print one report and stop.")
  static let interval = Option(
    "interval", "SECONDS", .number(in: 0.05...3600), "Seconds that a report is about.", default: 1)
  static let rounds = Option(
    "count", "N", .integer(in: 1 ... .max), "Stop after this many reports.", absent: "no limit")
  static let event = Option(
    "event", "KIND", NameKind.event.text, "Only events of this kind, such as didScroll, or changes such as configure.",
    absent: "all", repeats: true)
  static let changes = Flag("changes", "Only events that made a state.")
  static let withoutStates = Flag("no-states", "Leave the states out.")
  static let printed = Option("count", "N", .integer(in: 1 ... .max), "Stop after this many lines.", absent: "no limit")
  static let plugins = Option(
    "plugins", "FOLDER", .file,
    "Look for plugins in this folder first, before HEADERD_PLUGIN_PATH and the installed ones.",
    repeats: true)
  static let offline = Flag("offline", "Read the plugin files themselves, without a daemon.")
  static let presets = Option(
    "presets", "FOLDER", .file,
    "Look for presets in this folder first, before HEADERD_PRESET_PATH and the installed ones.",
    repeats: true)
  static let newPlugin = Positional("NAME", .text, "The name of the plugin and its behavior, in UpperCamelCase.")
  static let language = Option(
    "language", "LANGUAGE", ValueType<SkeletonLanguage>.choice, "The programming language.", default: .swift)
  static let into = Option(
    "into", "FOLDER", .file, "The folder to write it to.", absent: "a folder with the plugin's name")
  static let force = Flag("force", "Unload it even if headers use it; its delegates are then bypassed.")
  static let picture = Flag("picture", "Print the header expanded and collapsed, side by side, and stop.")

  // move, constrain, release
  static let target = Positional(
    "TO", NameKind.stop.text, "expanded, collapsed, a stop, a progress, DRAWER=HEIGHT or DRAWER+SHIFT.")
  static let constraint = Positional("NAME", NameKind.constraint.text, "The constraint's name.")
  static let permitted = Positional(
    "PERMITTED", NameKind.permitted.text, "shown, hidden, both, or FROM..TO in progress.")
  static let top = Positional("Y", .number(in: -1e9...1e9), "Where it begins in the content, in points.")
  static let length = Positional("HEIGHT", .number(in: 0...1e9), "How high it is, in points.")
  static let scrollView = Option(
    "scroll-view", "NAME", .text, "The scroll view whose content it is in.", absent: "the tracking one")
  static let reason = Option(
    "reason", "WHY", ValueType<Reveal.Reason>.choice, "Why it is to be seen.", default: .focus)
  static let animated = Option(
    "animated", "SECONDS", .number(in: 0...60), "Animate it for this many seconds.", absent: "at once")
  static let spring = Option(
    "spring", "DAMPING", .number(in: 0.001...1_000_000), "Animate it by a spring with this damping.", absent: "none")
  static let wish = Option("wish", "PROGRESS", .text, "Where the header shall go now: shown, hidden or a progress.")
  static let priority = Option(
    "priority", "N", .integer(in: -1000...1000), "Of two that contradict each other the greater one holds.", default: 0)
  static let lease = Option(
    "lease", "SECONDS", .number(in: 0...86_400), "Let it hold for so long; 0: until it is released.",
    absent: "until this command ends")

  // header open, configure, call
  static let description = Positional(
    "HEADER", .file,
    "A file with a description: a word with a slash, one that ends in .toml or .json, or a file that is there; \"-\" for "
      + "standard input; else the name of a new header.")
  static let chosenHeader = Option(
    "header", "NAME", .text, "The header to open of a TOML file that describes several.", absent: "the only one")
  static let replace = Flag("replace", "First close the header of that name, if it is open.")
  static let behavior = Option(
    "behavior", "NAME", NameKind.behavior.text, "Add a behavior to the chain of delegates.", repeats: true)
  static let option = Option(
    "option", "NAME=VALUE", NameKind.option.text, "Set an option of the last --behavior, wherever this stands.",
    repeats: true)
  static let preset = Option(
    "preset", "NAME", NameKind.preset.text, "Take the options of a preset for the last --behavior.", absent: "none")
  static let drawer = Option(
    "drawer", "NAME:HEIGHT", .text, "Add a drawer; the first one is at the fixed edge.", repeats: true)
  static let viewport = Option("viewport", "WxH", .text, "The scroll view's size in points.", default: "375x667")
  static let content = Option(
    "content", "HEIGHT", .number(in: 0...1e9), "The content's height in points.", default: 4000)
  static let inset = Option(
    "inset", "TOP", .number(in: -1e9...1e9), "The content's top inset in points.", absent: "0")
  static let statusBar = Option(
    "status-bar", "HEIGHT", .number(in: 0...1e9), "The status bar's height in points.", absent: "0")
  static let frames = Option(
    "frames", "SOURCE", ValueType<FrameChoice>.choice, "Where animation frames come from.", absent: "live")
  static let keys = Positional(
    "JSON", .text, "An object with what to change, as for header.configure; \"-\" is standard input.")
  static let call = Positional("NAME", NameKind.call.text, "The call's name, such as expand.")
  static let arguments = Positional(
    "JSON", .text, "The call's arguments, an object; \"-\" is standard input.", .optional)
  static let delegate = Option(
    "delegate", "NAME", NameKind.delegate.text, "The delegate to call.", absent: "the first one that knows the call")
  // delegate
  static let delegatePreset = Option(
    "preset", "NAME", NameKind.preset.text, "Take the options of a preset of the behavior.", absent: "none")
  static let newBehavior = Positional("BEHAVIOR", NameKind.behavior.text, "A behavior of a loaded plugin.")
  static let member = Positional("DELEGATE", NameKind.delegate.text, "The delegate's name in the chain.")
  static let place = Positional("PLACE", .integer(in: 0...32_767), "Its new place in the chain, from 0.")
  static let name = Option(
    "name", "NAME", .text, "The delegate's name.", absent: "the behavior's name in lowerCamelCase")
  static let at = Option("at", "PLACE", .integer(in: 0...32_767), "Its place in the chain, from 0.", absent: "the end")
  static let delegateOption = Option(
    "option", "NAME=VALUE", NameKind.option.text, "Set an option of the behavior.", repeats: true)

  static let script = Positional(
    "FILE", .file, "The recording to play; without it the one that comes with headerd.", .optional)

  enum FrameChoice: String, CaseIterable, Sendable { case live, events, manual }
}
