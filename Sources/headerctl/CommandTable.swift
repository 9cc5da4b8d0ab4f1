// SPDX-License-Identifier: MIT
//
// Every command, option and argument of headerctl, for parsing, help, completions and the man page's test.

internal import CommandLineKit
internal import HeaderModel
internal import Installation

func headerctlProgram() -> Program {
  let root = Command(
    "headerctl", "Controls headerd, the daemon that computes collapsing headers, and replays recordings without it.",
    discussion: """
      Exit status: 0 done; 1 refused, or a problem or a difference was found; 2 the command line is wrong; 3 there is no \
      daemon, or it went away.

      Errors go to stderr; with --json they also go to stdout, as the protocol's error object.

      Manual: headerctl(1), headerd(8), headerd-protocol(7); headerd-questions(7) leads from questions to answers.
      """,
    options: [Words.socket, Words.json],
    commands: everydayCommands() + positionCommands()
      + [headerCommands(), delegateCommands(), pluginCommands(), presetCommands()] + recordingCommands() + [
        journalCommands()
      ]
      + daemonCommands())
  return Program(root, version: headerdVersion) {
    nearest(to: $0, in: $1)
  } names: { kind, line, word in
    NameKind(rawValue: kind).map { liveNames(of: $0, line, word) } ?? []
  }
}

private func everydayCommands() -> [Command] {
  [
    demoCommand(),
    Command(
      "status", "Show the daemon's version, capabilities and counters.", example: "headerctl status",
      section: "Everyday"),
    watchCommand(), streamCommand(), subscribeCommand(), doctorCommand(), explainCommand(), benchFramesCommand(),
  ]
}

private func positionCommands() -> [Command] {
  [
    Command(
      "move", "Bring a header to a position.",
      discussion: """
        TO is expanded, collapsed, the name of a stop, or a progress from 0 to 1; DRAWER=POINTS gives a drawer a height, \
        DRAWER+POINTS shifts it off its edge. headerctl header get shows the stops.
        """,
      example: "headerctl move main collapsed --animated 0.3", section: "Position",
      options: [Words.animated, Words.spring], positionals: [Words.header, Words.target]),
    Command(
      "constrain", "Keep a header within bounds.",
      discussion: "Without --lease it holds until this command is interrupted.",
      example: "headerctl constrain main tour shown --lease 30", section: "Position",
      options: [Words.lease, Words.wish, Words.animated, Words.priority],
      positionals: [Words.header, Words.constraint, Words.permitted]),
    Command(
      "release", "End a constraint; the header goes back to where its behavior has it.",
      example: "headerctl release main tour", section: "Position", options: [Words.animated],
      positionals: [Words.header, Words.constraint]),
    Command(
      "reveal", "Have a part of the content seen: the header gives way, and says by how much to scroll.",
      example: "headerctl reveal main 480 44 --reason anchor", section: "Position",
      options: [Words.scrollView, Words.reason], positionals: [Words.header, Words.top, Words.length]),
  ]
}

private func daemonCommands() -> [Command] {
  [
    Command(
      "top", "Show what the daemon does at present, refreshed every second.",
      discussion: """
        Headers with their events and states a second and the commands that wait for them; plugins with their calls and \
        their share of a processor; subscribers with the bytes that wait for them and for how long the oldest state that \
        they have not read has waited. Those for whom that is more than a second are marked SLOW. Who has the role admin \
        for all headers sees every subscriber, others see themselves.
        """,
      example: "headerctl top --once", section: "Daemon", options: [Words.once, Words.interval, Words.rounds]),
    Command(
      "tap", "Print what happens to headers, one JSON object an event.",
      discussion: """
        Each line has the header, the event with its header time, what was decided about it, and the state that came of \
        it, whoever sent the event. It needs the role admin. A header that opens meanwhile is heard as soon as it shows; \
        as many headers are heard as there may be recordings (limits.traces).
        """,
      example: "headerctl tap 'app.**' --event didScroll --changes", section: "Daemon",
      options: [Words.event, Words.changes, Words.withoutStates, Words.printed, Words.seconds],
      positionals: [Words.glob]),
    Command(
      "dump", "Print the whole daemon as one JSON document.",
      discussion: """
        Version, limits, counters, plugins, and of each header its row, state, description and all that it remembers.
        """,
      example: "headerctl dump > daemon.json", section: "Daemon", positionals: [Words.match]),
    Command(
      "ping", "Measure how long the daemon takes to answer.", example: "headerctl ping --count 20", section: "Daemon",
      options: [Words.answers]),
    Command(
      "users", "Show what each user takes of the daemon, and may take.",
      discussion: """
        Connections, headers, subscriptions, bytes queued for slow readers, memory (an estimate) and events. Who has the \
        role admin for all headers sees everybody, others see themselves.
        """,
      example: "headerctl users", section: "Daemon"),
    Command(
      "socket", "Print the path of the daemon's socket.",
      discussion: "The path that every command would connect to. No daemon is needed.",
      example: "headerctl socket", section: "Daemon"),
  ]
}

private func headerCommands() -> Command {
  let openOptions: [any DeclaresOption] = [Words.replace, Words.chosenHeader] + QuickDescription.options
  return Command(
    "header", "Opens, closes, shows and changes headers.", section: "Headers",
    commands: [
      Command(
        "list", "List the open headers.",
        discussion: """
          With --realm those of all daemons of the realm, each with its owner and the least epoch that it has there. It is asked at \
          realm.sock beside the daemon's socket, where headerd-nats(8) listens; --socket names another place.
          """,
        example: "headerctl header list 'shop.*'", options: [Words.realm], positionals: [Words.match]),
      Command(
        "open", "Open a header, or attach to an open one with the same description.",
        discussion: """
          The description is a file in TOML, with [[header]] tables as in headerd.toml(5) or the keys of one header alone; or \
          in JSON, as headerd-headers(7) explains it, or a recording; or give a name and the most common keys as options. An \
          option's value is read as JSON where it is JSON, else as text; one that begins with [ or { must be JSON.
          """,
        example: """
          headerctl header open main --behavior ShyNavBar --drawer navBar:44 --drawer tabs:40 --inset 84
          headerctl header open main --behavior ShyNavBar --option expansionResistance=100 --drawer navBar:44
          headerctl header open shop.toml --header shop
          """,
        options: openOptions, positionals: [Words.description]),
      Command(
        "close", "Close a header; its subscribers are notified.", example: "headerctl header close main",
        positionals: [Words.header]),
      Command(
        "get", "Show a header's state and description.", example: "headerctl header get main",
        positionals: [Words.header]),
      Command(
        "configure", "Change a header's drawers, scroll views, environment or frames.",
        example: #"headerctl header configure main '{"environment":{"statusBarHeight":40}}'"#,
        positionals: [Words.header, Words.keys]),
      Command(
        "call", "Call a function of a behavior.", example: #"headerctl header call main expand '{"animated":false}'"#,
        options: [Words.delegate], positionals: [Words.header, Words.call, Words.arguments]),
    ])
}

private func delegateCommands() -> Command {
  Command(
    "delegate", "Changes the chain of delegates of an open header.", section: "Delegates",
    commands: [
      Command(
        "list", "List a header's delegates, in the order in which they are asked.",
        example: "headerctl delegate list main", positionals: [Words.header]),
      Command(
        "add", "Add a behavior to the chain.",
        discussion: "Two behaviors that move the same drawer are a conflict, unless one has the option yields.",
        example: "headerctl delegate add main StretchyHeader --option yields=true --at 0",
        options: [Words.name, Words.delegatePreset, Words.delegateOption, Words.at],
        positionals: [Words.header, Words.newBehavior]),
      Command(
        "remove", "Remove a delegate from the chain; what it moved stays where it is.",
        example: "headerctl delegate remove main stretchyHeader", positionals: [Words.header, Words.member]),
      Command(
        "move", "Move a delegate to another place in the chain.",
        example: "headerctl delegate move main stretchyHeader 0",
        positionals: [Words.header, Words.member, Words.place]),
      Command(
        "configure", "Set options of a delegate: all of them, or none if one is refused.",
        example: "headerctl delegate configure main shyNavBar --option expansionResistance=100",
        options: [Words.delegateOption], positionals: [Words.header, Words.member]),
      Command(
        "shadow", "Try other options, or another behavior, beside a delegate, without effect.",
        discussion: """
          The header runs once more with what is given; it gets the same events, nobody gets its states, and what differs is \
          counted. Without an option it says how things stand; 'headerctl top' does so, too.
          """,
        example: """
          headerctl delegate shadow main shyNavBar --option expansionResistance=100
          headerctl delegate shadow main shyNavBar
          """,
        options: [Words.delegateOption, Words.otherBehavior, Words.end], positionals: [Words.header, Words.member]),
      Command(
        "promote", "Make a delegate what its shadow was, and end the shadow.",
        example: "headerctl delegate promote main shyNavBar", positionals: [Words.header, Words.member]),
    ])
}

private func streamCommand() -> Command {
  Command(
    "stream", "Send scroll events to a header.",
    discussion: """
      Events are sent at the pace of their times, the first one at once; events without a time are sent as they come. \
      An error in an event is reported with its file and line, and the other events are still sent. With --json each \
      answer is printed. A summary comes at the end.
      """,
    example: "headerctl stream main events.jsonl --fast", section: "Everyday", options: [Words.speed, Words.fast],
    positionals: [Words.header, Words.source])
}

private func subscribeCommand() -> Command {
  Command(
    "subscribe", "Print the states of headers as they come, one JSON object a line.",
    discussion: """
      The first line of each header is a snapshot. Gaps and closed headers are reported on stderr, with --json on stdout. \
      A header that is not open yet is waited for.

      --max-rate needs --mode latest, which it selects by itself: states that come sooner are merged, and the last one \
      always arrives. --resume-from takes epoch and seq of the last line seen; states that are no longer kept are \
      reported as a gap.

      With --explain each state has an explanation: the event, who was asked, what each drawer was offered and took, \
      and the story in plain words, as headerctl explain tells it; events since the state before that made none are \
      among it, with the reason.
      """,
    example: """
      headerctl subscribe main --mode latest --fields drawers
      headerctl subscribe main --explain --fields values
      """, section: "Everyday",
    options: [
      Words.mode, Words.count, Words.seconds, Words.calls, Words.routine, Words.offsets, Words.explain, Words.maxRate,
      Words.fields, Words.grid, Words.resumeFrom, Words.resumable,
    ],
    positionals: [Words.glob])
}

private func watchCommand() -> Command {
  Command(
    "watch", "Draw a header live in the terminal.",
    discussion: """
      Drawers, content and values are redrawn in place until Ctrl-C or until the header is closed. If stdout is no \
      terminal, or with --json, states are printed instead, one a line.

      With --predict the drawing has in place of notices what the header will be at other offsets, what the state \
      before said of this one, and by how many points that was wrong. A line then has the state, predicted and error.
      """,
    example: "headerctl watch main --for 10", section: "Everyday",
    options: [Words.seconds, Words.count, Words.grid, Words.predict],
    positionals: [Words.header])
}

private func pluginCommands() -> Command {
  Command(
    "plugin", "Lists, loads, reloads and creates plugins.", section: "Plugins",
    commands: [
      Command(
        "list", "List plugins and their behaviors.", example: "headerctl plugin list --offline",
        options: [Words.offline, Words.plugins]),
      Command(
        "info", "Show the options, calls, values and notices of behaviors.", example: "headerctl plugin info ShyNavBar",
        options: [Words.offline, Words.plugins], positionals: [Words.somePlugin]),
      Command(
        "load", "Load a plugin from the configured folders.", example: "headerctl plugin load SlideAway",
        positionals: [Words.plugin]),
      Command(
        "unload", "Unload a plugin.", example: "headerctl plugin unload SlideAway --force", options: [Words.force],
        positionals: [Words.plugin]),
      Command(
        "reload", "Load a plugin's file again; open headers continue with the new code.",
        example: "headerctl plugin reload SlideAway", positionals: [Words.plugin]),
      Command(
        "new", "Create a plugin that builds, loads and moves a header.",
        discussion: """
          The folder holds all that the plugin needs: the behavior with one option, a Makefile, a README with the commands \
          to build, load and use it, and copies of the plugin contract and, for Swift, of HeaderPluginKit. It builds \
          anywhere. A folder that is not empty is refused.
          """,
        example: "headerctl plugin new SlideAway --language c --into ~/slide-away",
        options: [Words.language, Words.into], positionals: [Words.newPlugin]),
    ])
}

private func presetCommands() -> Command {
  Command(
    "preset", "Lists presets: options of behaviors under a name.", section: "Plugins",
    commands: [
      Command(
        "list", "List presets and what they do.",
        discussion: """
          The files are read as the daemon reads them, without one; folders of its config it does not know. With --json each \
          preset has its options too. A header uses one with "preset" beside "behavior", and its own options on top.
          """,
        example: "headerctl preset list --json", options: [Words.presets])
    ])
}

private func recordingCommands() -> [Command] {
  [
    Command(
      "record", "Record what happens to a header.",
      discussion: """
        Writes a header-recording/1 file: the description, then each event with the states that came of it. Recording \
        stops at Ctrl-C, when the header is closed, or after --for or --count; the file is valid at any time. \
        'headerctl verify' replays it.
        """,
      example: "headerctl record main -o seen.jsonl --for 30", section: "Recordings",
      options: [Words.output, Words.seconds, Words.count], positionals: [Words.header]),
    Command(
      "replay", "Replay a recording without a daemon, and print its states.",
      discussion: """
        Prints the states, one a line; on a terminal, without --json, it draws the run as text, one character a frame. \
        Reads header-recording/1, as 'headerctl record' writes it.

        With --step each line of stdin is a command: Enter or n goes to the next event, b back, n COUNT and b COUNT as \
        many, c to the next that made a state, g STEP to any, q ends.
        """,
      example: "headerctl replay seen.jsonl --step", section: "Recordings", options: [Words.step, Words.plugins],
      positionals: [Words.recording]),
    Command(
      "plot", "Draw a recording: offset, drawers and values over time.",
      discussion: """
        The picture is SVG, or PNG where FILE ends in .png, which needs rsvg-convert (Debian: librsvg2-bin); other endings \
        than .svg and .png are refused. The same recording makes the same picture.
        """,
      example: "headerctl plot seen.jsonl -o seen.svg", section: "Recordings",
      options: [Words.picturesFile, Words.plugins], positionals: [Words.recording]),
    Command(
      "verify", "Replay a recording and compare every state.",
      discussion: """
        Everything but the epoch must be the same, byte for byte. Each difference is printed with its step, its field, \
        the expected value and the value found; the exit status is then 1. A state that is one too many or too few \
        shifts the numbers of all that follow, which are no differences of their own.
        """,
      example: "headerctl verify seen.jsonl", section: "Recordings", options: [Words.plugins],
      positionals: [Words.recording]),
  ]
}

private func doctorCommand() -> Command {
  Command(
    "doctor", "Find out why a header does not move.",
    discussion: """
      Looks at the header, listens to its events for a while, and prints each problem with what to do about it. The exit \
      status is 1 if there is a problem.
      """,
    example: "headerctl doctor main --for 10", section: "Everyday", options: [Words.listening],
    positionals: [Words.header])
}

private func explainCommand() -> Command {
  Command(
    "explain", "Tell why a header moved, or did not.",
    discussion: """
      Prints the last movement as a short story: the event, who was asked, what each drawer was offered and took, what cut \
      it, what else was written, and why no state was sent if none was. Where nothing has moved the header, it is the story \
      of the content's last movement. The daemon keeps explanations of the last 64 events from the first time that somebody \
      asks; so the first time this waits for a movement. With --json it prints the ledger that the story is made from.
      """,
    example: """
      headerctl explain main
      headerctl explain --recording seen.jsonl --all
      """,
    section: "Everyday", options: [Words.explained, Words.all, Words.off, Words.seconds, Words.plugins],
    positionals: [Words.someHeader])
}

private func demoCommand() -> Command {
  Command(
    "demo", "Open a header, scroll it and show it moving.",
    discussion: """
      Opens the header that the recording describes (ShyNavBar over a bar of 44 and an extension of 40 points), sends its \
      scroll events (a drag, a fling, a bounce at the top, and back), draws it live, and prints a summary. If stdout is \
      no terminal it runs fast and prints the states, one JSON object a line. With --picture no daemon is needed.
      """,
    example: "headerctl demo --speed 2", section: "Everyday", options: [Words.speed, Words.fast, Words.picture],
    positionals: [Words.script])
}

private func benchFramesCommand() -> Command {
  Command(
    "bench-frames", "Measure in how many frames a header and its content are apart on this machine.",
    discussion: """
      Opens the header that the recording describes and sends its scroll events at their pace; each is a frame that is drawn at once. Prints \
      how long states take to come, and in how many frames the header is more than a point from where it is decided to be, \
      drawn by the last state that has come, and by what that state says of the frame's offset.
      """,
    example: "headerctl bench-frames --speed 2", section: "Everyday", options: [Words.speed],
    positionals: [Words.script])
}
