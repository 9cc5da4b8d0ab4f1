// SPDX-License-Identifier: MIT
//
// Every command, option and argument of headerctl, for parsing, help, completions and the man page's test.

internal import CommandLineKit
internal import HeaderCore

/// Exit statuses, as the help and the man page tell them.
enum ExitStatus {
  static let done: Int32 = 0
  static let refused: Int32 = 1
  static let usage: Int32 = 2
  static let noDaemon: Int32 = 3
}

/// What a subscriber may miss.
enum SubscriptionMode: String, CaseIterable, Sendable { case every, latest }

enum Words {
  static let socket = Option(
    "socket", "PATH", .file, "The daemon's socket; else HEADERD_SOCKET, else the user's own place.")
  static let json = Flag("json", "Print JSON, one value a line, for programs.")

  static let header = Positional("HEADER", .text, "The header's name.")
  static let glob = Positional(
    "GLOB", .text, "Names or globs: * within a part of a name, ** across parts.", .rest(atLeast: 1))
  static let match = Positional("GLOB", .text, "Only headers that match; all if absent.", .optional)
  static let recording = Positional("FILE", .file, "A recording; \"-\" is stdin.")
  static let plugin = Positional("PLUGIN", .text, "The plugin's name: its file without lib and .so.")
  static let somePlugin = Positional("PLUGIN", .text, "A plugin's or a behavior's name; all if absent.", .optional)
  static let count = Option("count", "N", .integer(in: 1 ... .max), "End after so many.")
  static let seconds = Option("for", "SECONDS", .number(in: 0...1e9), "End after so many seconds.")

  static let source = Positional(
    "FILE", .file, "Events, one JSON object a line, or a recording; \"-\", or nothing, is stdin.", .optional)
  static let speed = Option("speed", "N", .number(in: 0.001...1000), "So many times faster than it happened.")
  static let fast = Flag("fast", "As fast as the daemon takes them, whatever their times.")
  static let mode = Option(
    "mode", "MODE", ValueType<SubscriptionMode>.choice, "every state in order (the default), or only the latest.")
  static let maxRate = Option(
    "max-rate", "N", .number(in: 0.001...1e6),
    "At most so many states a second and header; what comes sooner is gathered.")
  static let fields = Option(
    "fields", "PARTS", .text, "Only these parts of a state, with commas between: drawers.navBar,values.progress.",
    repeats: true)
  static let resumeFrom = Option(
    "resume-from", "HEADER:EPOCH:SEQ", .text, "Begin behind the last state seen of a header, instead of a snapshot.",
    repeats: true)
  static let resumable = Flag("resumable", "Let the daemon keep what comes, so that --resume-from finds it later.")
  static let calls = Flag("calls", "With the delegates that were asked.")
  static let routine = Flag("routine", "With routine notices.")
  static let output = Option("output", "FILE", .file, "Where the recording goes, also as -o; stdout if absent.")
  static let plugins = Option(
    "plugins", "FOLDER", .file, "Look for plugins here first; then HEADERD_PLUGIN_PATH and the installed ones.",
    repeats: true)
  static let offline = Flag("offline", "Look at the plugin files themselves, without a daemon.")
  static let newPlugin = Positional("NAME", .text, "The plugin's and its behavior's name, in UpperCamelCase.")
  static let language = Option(
    "language", "LANGUAGE", ValueType<SkeletonLanguage>.choice, "The language; swift if absent.")
  static let into = Option("into", "FOLDER", .file, "Where to write it; a folder of the plugin's name if absent.")
  static let force = Flag("force", "Also if headers use it: its delegates are then passed over.")

  // header open, configure, call
  static let description = Positional(
    "HEADER", .text, "A JSON file with a description, \"-\" for stdin, or a new header's name with the options below.")
  static let replace = Flag("replace", "Close the header of that name first, if there is one.")
  static let behavior = Option("behavior", "NAME", .text, "A behavior of the chain of delegates.", repeats: true)
  static let option = Option("option", "NAME=VALUE", .text, "An option of the behavior named last.", repeats: true)
  static let drawer = Option(
    "drawer", "NAME:HEIGHT", .text, "A drawer, the first one at the fixed edge.", repeats: true)
  static let viewport = Option("viewport", "WxH", .text, "The scroll view's size in points; 375x667.")
  static let content = Option("content", "HEIGHT", .number(in: 0...1e9), "The content's height in points; 4000.")
  static let inset = Option("inset", "TOP", .number(in: -1e9...1e9), "The content's top inset in points; 0.")
  static let statusBar = Option("status-bar", "HEIGHT", .number(in: 0...1e9), "The status bar's height in points; 0.")
  static let frames = Option(
    "frames", "SOURCE", ValueType<FrameChoice>.choice, "Where frames come from: live, events or manual.")
  static let changes = Positional("JSON", .text, "What to change, as header.configure takes it; \"-\" is stdin.")
  static let call = Positional("NAME", .text, "The call's name, such as expand.")
  static let arguments = Positional("JSON", .text, "The call's arguments, an object; none if absent.", .optional)
  static let delegate = Option(
    "delegate", "NAME", .text, "Which delegate to ask; the first one that knows the name if absent.")
  // delegate
  static let newBehavior = Positional("BEHAVIOR", .text, "A behavior that a loaded plugin offers.")
  static let member = Positional("DELEGATE", .text, "The delegate's name in the chain.")
  static let place = Positional("PLACE", .integer(in: 0...32_767), "Its place in the chain as it is then, from 0.")
  static let name = Option(
    "name", "NAME", .text, "The delegate's name; the behavior's in lowerCamelCase if absent.")
  static let at = Option("at", "PLACE", .integer(in: 0...32_767), "Its place in the chain, from 0; the end if absent.")
  static let delegateOption = Option(
    "option", "NAME=VALUE", .text, "An option of the behavior.", repeats: true)

  static let script = Positional(
    "FILE", .file, "A recording to stream; the one that comes with headerd if absent.", .optional)

  enum FrameChoice: String, CaseIterable, Sendable { case live, events, manual }
}

func headerctlProgram() -> Program {
  let root = Command(
    "headerctl", "Talks to headerd, which owns the state of collapsing headers, and runs recordings without it.",
    discussion: """
      Exit status: 0 done; 1 refused, or a difference was found; 2 the command line is wrong; 3 no daemon, or it went away.

      Errors go to stderr; with --json they go to stdout too, as the protocol's error object.
      """,
    options: [Words.socket, Words.json],
    commands: [
      Command("status", "Tell what the daemon is and does."),
      Command("ping", "Measure how long an answer takes.", options: [Words.count]),
      headerCommands(), delegateCommands(), streamCommand(), subscribeCommand(), watchCommand(), pluginCommands(),
      recordCommand(), replayCommand(), verifyCommand(), doctorCommand(), demoCommand(),
    ])
  return Program(root, version: headerdVersion) { nearest(to: $0, in: $1) }
}

private func headerCommands() -> Command {
  Command(
    "header", "Opens headers, closes them, looks into them.",
    commands: [
      Command("list", "List the open headers.", positionals: [Words.match]),
      Command(
        "open", "Open a header, or attach to the one that is open.",
        discussion: """
          The description is that of headerd-protocol(7), in JSON. Or give a name and the most common keys as options:

          headerctl header open main --behavior ShyNavBar --option expansionResistance=100 --drawer navBar:44 --drawer \
          extension:40 --content 4000 --inset 64 --status-bar 20

          An option's value is read as JSON where it is JSON, else as text.
          """,
        options: [
          Words.replace, Words.behavior, Words.option, Words.drawer, Words.viewport, Words.content, Words.inset,
          Words.statusBar, Words.frames,
        ],
        positionals: [Words.description]),
      Command("close", "Close a header; its subscribers are told.", positionals: [Words.header]),
      Command("get", "Show a header: its state, its environment, its description.", positionals: [Words.header]),
      Command(
        "configure", "Change a header's drawers, scroll views, environment or frames.",
        positionals: [Words.header, Words.changes]),
      Command(
        "call", "Call a function of a behavior.", options: [Words.delegate],
        positionals: [Words.header, Words.call, Words.arguments]),
    ])
}

private func delegateCommands() -> Command {
  Command(
    "delegate", "Changes the chain of delegates of a header while it lives.",
    commands: [
      Command("list", "List a header's chain, first asked first.", positionals: [Words.header]),
      Command(
        "add", "Let a behavior join the chain.",
        discussion: """
          Two that move the same drawer are a conflict, unless one has the option yields:

          headerctl delegate add main StretchyHeader --option yields=true --at 0
          """,
        options: [Words.name, Words.delegateOption, Words.at], positionals: [Words.header, Words.newBehavior]),
      Command(
        "remove", "Let a delegate leave the chain; what it moved stays where it is.",
        positionals: [Words.header, Words.member]),
      Command(
        "move", "Give a delegate another place in the chain.", positionals: [Words.header, Words.member, Words.place]),
      Command(
        "configure", "Set options of a delegate, all or nothing.", options: [Words.delegateOption],
        positionals: [Words.header, Words.member]),
    ])
}

private func streamCommand() -> Command {
  Command(
    "stream", "Send scroll events to a header.",
    discussion: """
      Events are sent at the pace of their times, the first one at once; events without a time are sent as they come. \
      What is wrong with an event is told with its line, and the others go on. With --json each answer is printed. At \
      the end comes a summary.
      """,
    options: [Words.speed, Words.fast], positionals: [Words.header, Words.source])
}

private func subscribeCommand() -> Command {
  Command(
    "subscribe", "Print the states of headers as they come, one JSON object a line.",
    discussion: """
      The first line of a header is a snapshot. Gaps and closed headers are told on stderr, with --json on stdout.

      --max-rate goes with --mode latest, and means it where no mode is given: states that come sooner are gathered, the \
      last one always arrives. --resume-from takes epoch and seq of the last line seen; what cannot be told any more is \
      told as a gap.
      """,
    options: [
      Words.mode, Words.count, Words.seconds, Words.calls, Words.routine, Words.maxRate, Words.fields, Words.resumeFrom,
      Words.resumable,
    ],
    positionals: [Words.glob])
}

private func watchCommand() -> Command {
  Command(
    "watch", "Draw a header live in the terminal.",
    discussion: """
      Drawers, content and values, redrawn in place until Ctrl-C or until the header is closed. Where stdout is no \
      terminal, or with --json, states are printed one a line instead.
      """,
    options: [Words.seconds, Words.count], positionals: [Words.header])
}

private func pluginCommands() -> Command {
  Command(
    "plugin", "Lists plugins, loads them, reloads them, begins new ones.",
    commands: [
      Command("list", "List plugins and their behaviors.", options: [Words.offline, Words.plugins]),
      Command(
        "info", "Show what plugins offer: each option with type, unit, default, range and meaning.",
        options: [Words.offline, Words.plugins], positionals: [Words.somePlugin]),
      Command("load", "Load a plugin from the configured folders.", positionals: [Words.plugin]),
      Command("unload", "Forget a plugin.", options: [Words.force], positionals: [Words.plugin]),
      Command(
        "reload", "Load a plugin's file anew; live headers go on with the new code.", positionals: [Words.plugin]),
      Command(
        "new", "Begin a plugin: write one that builds, loads and moves a header.",
        discussion: """
          The folder holds all that the plugin needs: the behavior with one option, a Makefile, a README with the commands \
          to build, load and use it, and copies of the plugin contract and, for Swift, of HeaderPluginKit. It builds \
          anywhere. A folder that has something in it is left as it is.

          headerctl plugin new SlideAway --language c --into ~/slide-away
          """,
        options: [Words.language, Words.into], positionals: [Words.newPlugin]),
    ])
}

private func recordCommand() -> Command {
  Command(
    "record", "Write down what happens to a header.",
    discussion: """
      A header-recording/1 file: the description, then each event with the states that came of it. It ends at Ctrl-C, \
      when the header is closed, or after --for or --count; it is whole at any time. 'headerctl verify' replays it.
      """,
    options: [Words.output, Words.seconds, Words.count], positionals: [Words.header])
}

private func replayCommand() -> Command {
  Command(
    "replay", "Run a recording through engine and plugins, without a daemon.",
    discussion: """
      Prints the states, one a line; on a terminal, without --json, it draws the run as text, one character a frame. \
      Reads header-recording/1, as 'headerctl record' writes it.
      """,
    options: [Words.plugins], positionals: [Words.recording])
}

private func verifyCommand() -> Command {
  Command(
    "verify", "Replay a recording and compare every state.",
    discussion: """
      Everything but the epoch must be the same, byte for byte. Each difference is printed with its step, field, what \
      was expected and what came; the exit status is then 1.
      """,
    options: [Words.plugins], positionals: [Words.recording])
}

private func doctorCommand() -> Command {
  Command(
    "doctor", "Find out why a header does not move.",
    discussion:
      "Looks at the header, then listens to its events for a while. The exit status is 1 if something is wrong.",
    options: [Words.seconds], positionals: [Words.header])
}

private func demoCommand() -> Command {
  Command(
    "demo", "Open a header, scroll it, show it move.",
    discussion: """
      Opens the header that the recording describes (ShyNavBar over a bar of 44 and an extension of 40 points), streams \
      its scroll (a drag, a fling, a bounce at the top, and back), draws it live, and ends with a summary. Where stdout \
      is no terminal it runs fast and prints the states, one JSON object a line.
      """,
    options: [Words.speed, Words.fast], positionals: [Words.script])
}
