// swift-tools-version: 6.2
// The package, floor by floor (see README.md, "Where things are"): a target may import only what it names here.
import PackageDescription

/// Settings of every Swift target: language mode 6, memory safety spelled out, no warnings, explicit existentials.
let checked: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let strict = checked + [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

/// Tests are not optimized: that takes the compiler three times as long, and what they call is. What runs long in tests
/// (kits of tests, the simulation) is optimized like everything else. No module waits for theirs, so it is written by the job that compiles
/// them: one of its own would read all of them once more, a fifth of what they take.
let testing =
  checked + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

/// The same for what the daemon and the plugins are made of: two of Swift's libraries, and the three that those need, are
/// not even loaded: 1.3 MiB less of memory, and an earlier start.
let lean =
  strict + [
    .unsafeFlags([
      "-Xfrontend", "-disable-implicit-concurrency-module-import",
      "-Xfrontend", "-disable-implicit-string-processing-module-import",
    ])
  ]

/// For what every event passes through: no checks of exclusive access in release builds. With them an event of the
/// engine takes 2015 instructions in place of 519, one in the service 15145 in place of 4881 (headerd-bench). Debug builds, on
/// which `make test-long` runs all tests, check it everywhere. `@exclusivity(unchecked)` on the properties alone would mark every use of them
/// unsafe, and switch the checks off in debug builds too.
let withoutExclusivityChecks: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]
let unchecked = lean + withoutExclusivityChecks

/// The same for the engine, all of whose imports are public: as soon as one file of a module imports another one internally, the
/// compiler inlines nothing that has that one's types into a third module. An event in the service would take 5662 instructions.
let inlined = unchecked + [.unsafeFlags(["-disable-upcoming-feature", "InternalImportsByDefault"])]

/// A room under Sources.
func room(
  _ name: String, knows dependencies: [Target.Dependency] = [], exclude: [String] = [], settings: [SwiftSetting] = lean
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// A room's tests, in Tests/NAME.
func tests(_ name: String, of dependencies: [Target.Dependency], resources: [Resource]? = nil, exclude: [String] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, resources: resources,
    swiftSettings: testing)
}

/// A behavior plugin: a shared library whose one exported symbol is `header_plugin_entry`, and a page with its laws.
func plugin(
  _ name: String, path: String, knows dependencies: [Target.Dependency] = [], exclude: [String] = ["README.md"]
) -> Target {
  .target(
    name: name, dependencies: ["HeaderPluginKit"] + dependencies, path: path, exclude: exclude,
    swiftSettings: unchecked,
    linkerSettings: [.unsafeFlags(["-Xlinker", "--version-script=Sources/CHeaderPlugin/exported.map"])])
}

let package = Package(
  name: "headerd",
  products: [
    .executable(name: "headerd", targets: ["headerd"]),
    .executable(name: "headerctl", targets: ["headerctl"]),
    .executable(name: "headerd-worker", targets: ["headerd-worker"]),
    .executable(name: "headerd-web", targets: ["headerd-web"]),
    .executable(name: "headerd-nats", targets: ["headerd-nats"]),
    // For behaviors in packages of their own; `headerctl plugin new` writes one.
    .library(name: "HeaderPluginKit", targets: ["HeaderPluginKit"]),
    // For programs that publish or render; Sources/HeaderClient/README.md shows one of each.
    .library(name: "HeaderClient", targets: ["HeaderClient", "HeaderModel"]),
    .library(name: "ShyNavBar", type: .dynamic, targets: ["ShyNavBar"]),
    .library(name: "FlexibleHeader", type: .dynamic, targets: ["FlexibleHeader"]),
    .library(name: "StretchyHeader", type: .dynamic, targets: ["StretchyHeader"]),
    .library(name: "FlexibleHeightBar", type: .dynamic, targets: ["FlexibleHeightBar"]),
    .library(name: "Keyframes", type: .dynamic, targets: ["Keyframes"]),
    .library(name: "CollapsingHeader", type: .dynamic, targets: ["CollapsingHeader"]),
    .executable(name: "conformance", targets: ["conformance"]),
    .executable(name: "headerd-bench", targets: ["headerd-bench"]),
    .executable(name: "headerd-limit", targets: ["headerd-limit"]),
    .executable(name: "headerd-load", targets: ["headerd-load"]),
    .executable(name: "headerd-end-to-end", targets: ["headerd-end-to-end"]),
    .library(name: "OriginalDelegate", type: .dynamic, targets: ["OriginalDelegate"]),
    .library(name: "Careless", type: .dynamic, targets: ["Careless"]),
  ],
  targets: [
    // Floor 1: pure values, and the doors to C.
    .systemLibrary(name: "CUV", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
    .target(name: "CToml"),
    .systemLibrary(name: "CHeaderPlugin"),
    .systemLibrary(name: "CHeaderWire"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CWebSockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
    .systemLibrary(name: "CNats", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    // What Swift makes of rounding calls the C library's mathematics.
    .target(name: "HeaderModel", swiftSettings: unchecked, linkerSettings: [.linkedLibrary("m")]),
    .target(name: "HeaderMotion", swiftSettings: unchecked, linkerSettings: [.linkedLibrary("m")]),
    room("Installation"),
    room("Clocks"),
    room("Locks"),
    room("Posix", knows: ["CLinux", "Locks", "Clocks"]),
    room("CommandLineKit"),
    .target(name: "CTemplates", exclude: ["swift", "c", "rust", "README.md", "gitignore"]),

    // Floor 2.
    room("HeaderCore", knows: ["HeaderModel", "HeaderMotion"], settings: inlined),
    room("EventLoop", knows: ["CUV", "CLinux", "Locks", "Clocks"], settings: unchecked),
    room(
      "PluginHost", knows: ["Clocks", "CHeaderPlugin", "CLinux", "HeaderCore", "HeaderModel", "Posix", "Locks"],
      settings: unchecked),
    room("HeaderWire", knows: ["CHeaderWire", "HeaderModel"], settings: unchecked),
    room("HeaderPluginKit", knows: ["CHeaderPlugin"], settings: unchecked),
    room("Confinement", knows: ["CLinux", "CSeccomp", "Posix"]),

    // Floor 3.
    room("HeaderInsight", knows: ["HeaderCore", "HeaderModel"], settings: unchecked),
    room("WebSockets", knows: ["CWebSockets", "EventLoop", "Locks"], settings: unchecked),
    room("Nats", knows: ["CNats", "EventLoop"], settings: unchecked),
    room("HeaderJournal", knows: ["Clocks", "HeaderWire", "HeaderModel", "Locks", "CXXHash"], settings: unchecked),
    room(
      "HeaderWorker", knows: ["Clocks", "HeaderWire", "HeaderInsight", "HeaderCore", "HeaderModel"], settings: unchecked
    ),
    room("Fanout", knows: ["Clocks", "HeaderWire", "HeaderCore", "HeaderModel"], settings: unchecked),
    room(
      "HeaderHost",
      knows: [
        "Clocks", "Fanout", "HeaderJournal", "HeaderWorker", "HeaderWire", "HeaderInsight", "HeaderCore", "HeaderModel",
        "Locks",
      ],
      settings: unchecked),
    room("Shards", knows: ["Clocks", "HeaderHost", "Fanout", "HeaderWire", "HeaderCore", "HeaderModel"]),
    room(
      "Gateway",
      knows: [
        "Clocks", "Shards", "HeaderHost", "Fanout", "HeaderWire", "HeaderInsight", "HeaderModel", "Installation",
      ],
      settings: unchecked),
    room(
      "HeaderService",
      knows: ["Clocks", "Gateway", "Shards", "HeaderHost", "HeaderJournal", "Fanout", "HeaderWire", "HeaderModel"]),
    room("HeaderConfig", knows: ["HeaderModel", "CToml"]),
    room("HeaderLayoutAttributes", knows: ["HeaderPluginKit"], settings: unchecked),

    // Floor 4.
    room("HeaderTrace", knows: ["HeaderWire", "HeaderCore", "HeaderModel"]),
    room(
      "HeaderDaemon",
      knows: [
        "Clocks", "Fanout", "Gateway", "HeaderHost", "Shards", "HeaderService", "HeaderJournal", "HeaderConfig",
        "HeaderWorker",
        "HeaderCore", "HeaderModel", "Installation",
        "EventLoop", "PluginHost", "Posix", "Locks",
      ],
      settings: unchecked),
    plugin("ShyNavBar", path: "Plugins/ShyNavBar"),
    plugin("FlexibleHeader", path: "Plugins/FlexibleHeader"),
    plugin("StretchyHeader", path: "Plugins/StretchyHeader"),
    plugin("FlexibleHeightBar", path: "Plugins/FlexibleHeightBar", knows: ["HeaderLayoutAttributes"]),
    plugin("Keyframes", path: "Plugins/Keyframes", knows: ["HeaderLayoutAttributes"]),
    // The laws are pure: no header, no plugin; so that small chains can be checked exhaustively.
    .target(
      name: "CollapsingLaws", dependencies: ["HeaderMotion"], path: "Plugins/CollapsingHeader/Laws",
      swiftSettings: unchecked),
    plugin(
      "CollapsingHeader", path: "Plugins/CollapsingHeader", knows: ["CollapsingLaws", "HeaderMotion"],
      exclude: ["LAWS.md", "README.md", "Laws"]),

    room("Realm", knows: ["Clocks", "HeaderWire", "HeaderModel"]),
    room("NatsBridge", knows: ["Clocks", "Realm", "HeaderWire", "HeaderModel"], settings: unchecked),
    room("BridgeProgram", knows: ["HeaderConfig", "HeaderModel", "Installation", "EventLoop", "Posix"]),
    room("WebBridge", knows: ["Clocks", "HeaderConfig", "HeaderWire", "HeaderModel", "Fanout"]),

    // Floor 5.
    room(
      "HeaderClient", knows: ["Clocks", "HeaderTrace", "HeaderWire", "HeaderModel", "Installation", "Posix"],
      exclude: ["README.md"]),

    // Floor 6.
    .executableTarget(
      name: "headerd", dependencies: ["HeaderDaemon", "HeaderModel", "Installation", "Posix", "CommandLineKit"],
      swiftSettings: lean),
    .executableTarget(
      name: "headerd-worker",
      dependencies: ["Confinement", "HeaderWorker", "PluginHost", "HeaderCore", "HeaderModel", "Posix"],
      swiftSettings: lean),
    .executableTarget(
      name: "headerd-web",
      dependencies: [
        "Clocks", "BridgeProgram", "WebBridge", "WebSockets", "HeaderConfig", "HeaderModel", "Installation",
        "EventLoop",
        "Posix", "CommandLineKit",
      ],
      swiftSettings: unchecked),
    .executableTarget(
      name: "headerd-nats",
      dependencies: [
        "Clocks", "BridgeProgram", "NatsBridge", "Nats", "Realm", "HeaderConfig", "HeaderModel", "Installation",
        "EventLoop",
        "Posix", "CommandLineKit",
      ],
      swiftSettings: unchecked),
    .executableTarget(
      name: "headerctl",
      dependencies: [
        "HeaderClient", "HeaderTrace", "HeaderJournal", "HeaderWire", "HeaderCore", "HeaderModel", "Installation",
        "PluginHost", "CommandLineKit", "CTemplates", "Posix", "HeaderConfig",
      ],
      swiftSettings: testing),

    // Tests, one folder a room. HeaderTestKit: numbers from a seed, a plain header.
    .target(
      name: "HeaderTestKit", dependencies: ["HeaderCore", "HeaderModel"], path: "Tests/Support/HeaderTestKit",
      swiftSettings: strict),
    tests("HeaderModelTests", of: ["HeaderModel", "HeaderTestKit"]),
    tests("HeaderCoreTests", of: ["HeaderCore", "HeaderInsight", "HeaderModel", "HeaderTestKit"]),
    tests("HeaderInsightTests", of: ["HeaderInsight", "HeaderModel"]),
    tests("InstallationTests", of: ["Installation"]),
    tests("LocksTests", of: ["Locks"]),
    tests("PosixTests", of: ["Clocks", "Posix", "DaemonTestKit"]),
    tests("CommandLineKitTests", of: ["CommandLineKit"]),
    tests("EventLoopTests", of: ["Clocks", "EventLoop", "DaemonTestKit", "HeaderTestKit"]),
    tests("HeaderWireTests", of: ["HeaderWire", "CHeaderWire", "HeaderCore", "HeaderModel", "HeaderTestKit"]),
    tests(
      "PluginHostTests",
      of: [
        "PluginHost", "HeaderCore", "HeaderModel", "CHeaderPlugin", "HeaderPluginKit", "HeaderTestKit", "DaemonTestKit",
      ],
      exclude: ["ABI", "Golden"]),
    // A daemon in memory with a clock turned by hand, and clients of both encodings, for the rooms that the service consists of.
    .target(
      name: "ServiceTestKit",
      dependencies: [
        "Clocks", "Fanout", "Gateway", "HeaderJournal", "HeaderService", "HeaderHost", "HeaderWorker", "HeaderWire",
        "HeaderCore",
        "HeaderModel", "HeaderTestKit",
      ],
      path: "Tests/Support/ServiceTestKit", swiftSettings: testing),
    tests(
      "FanoutTests",
      of: ["Clocks", "Fanout", "HeaderService", "HeaderWire", "HeaderModel", "HeaderTestKit", "ServiceTestKit"]),
    tests(
      "GatewayTests",
      of: [
        "Clocks", "Fanout", "HeaderJournal", "HeaderService", "HeaderWire", "HeaderModel", "HeaderTestKit",
        "ServiceTestKit",
      ],
      exclude: ["Golden"]),
    tests(
      "HeaderHostTests",
      of: [
        "Clocks", "Fanout", "Gateway", "HeaderHost", "HeaderService", "HeaderWorker", "HeaderJournal", "HeaderWire",
        "HeaderCore",
        "HeaderModel",
        "HeaderTestKit", "ServiceTestKit", "JournalTestKit",
      ]),
    tests(
      "ShardsTests",
      of: [
        "Clocks", "Fanout", "Gateway", "HeaderHost", "Shards", "HeaderService", "HeaderWire", "HeaderModel",
        "HeaderTestKit",
        "ServiceTestKit",
      ]),
    tests(
      "HeaderServiceTests",
      of: [
        "Clocks", "Fanout", "HeaderJournal", "HeaderService", "HeaderWire", "HeaderCore", "HeaderModel",
        "HeaderTestKit",
        "ServiceTestKit", "PluginHost",
        "DaemonTestKit", "FuzzTargets", "WebBridge",
      ],
      exclude: ["Golden"]),
    tests(
      "HeaderWorkerTests",
      of: [
        "Clocks", "HeaderWorker", "HeaderCore", "HeaderModel", "PluginHost", "Posix", "HeaderTestKit", "DaemonTestKit",
      ]),
    // A folder of segments in memory, whose power can go.
    .target(
      name: "JournalTestKit", dependencies: ["Clocks", "HeaderJournal", "HeaderTestKit"],
      path: "Tests/Support/JournalTestKit",
      swiftSettings: strict),
    tests("HeaderJournalTests", of: ["Clocks", "HeaderJournal", "HeaderModel", "HeaderTestKit", "JournalTestKit"]),
    tests("HeaderConfigTests", of: ["HeaderConfig", "HeaderModel", "HeaderTestKit"]),
    tests(
      "HeaderLayoutAttributesTests", of: ["HeaderLayoutAttributes", "HeaderPluginKit", "HeaderWire", "HeaderModel"]),
    tests("HeaderTraceTests", of: ["HeaderTrace", "HeaderWire", "HeaderCore", "HeaderModel", "HeaderTestKit"]),

    tests("RealmTests", of: ["Clocks", "Realm", "HeaderTestKit"]),
    tests(
      "NatsBridgeTests",
      of: [
        "Clocks", "NatsBridge", "HeaderHost", "HeaderService", "Realm", "HeaderWire", "HeaderModel", "HeaderTestKit",
        "ServiceTestKit",
      ]),
    tests("NatsTests", of: ["Clocks", "Nats", "EventLoop", "DaemonTestKit"]),
    tests("WebBridgeTests", of: ["Clocks", "WebBridge", "Fanout", "HeaderConfig", "HeaderWire", "HeaderTestKit"]),

    // A behavior in Swift that asks for what is not there.
    plugin("Careless", path: "Tests/Support/Plugins/Careless", exclude: []),

    // Conformance: recordings of the original libraries, translated (ConformanceKit), against the plugins as built.
    .target(
      name: "OriginalDelegate", path: "Tests/Support/Plugins/OriginalDelegate",
      cSettings: [.headerSearchPath("../../../../Sources/CHeaderPlugin")],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--version-script=Sources/CHeaderPlugin/exported.map"])]),
    .target(
      name: "ConformanceKit",
      dependencies: ["HeaderConfig", "HeaderCore", "HeaderModel", "HeaderTestKit", "HeaderWire", "PluginHost"],
      path: "Tests/Conformance/ConformanceKit", swiftSettings: strict),
    .executableTarget(
      name: "conformance", dependencies: ["ConformanceKit", "HeaderModel", "PluginHost"],
      path: "Tests/Conformance/conformance", swiftSettings: strict),
    // The behaviors as built: one folder a plugin, and one for all of them together. It takes the compiler longest of all tests, and
    // SwiftPM begins with what is last in the alphabet: as BehaviorTests it was compiled alone at the end.
    .testTarget(
      name: "PluginTests",
      dependencies: [
        "ConformanceKit", "HeaderConfig", "HeaderTrace", "HeaderInsight", "HeaderCore", "HeaderModel", "HeaderTestKit",
        "PluginHost",
      ],
      path: "Tests/PluginTests", exclude: ["Position/Results"], swiftSettings: testing
    ),
    .testTarget(
      name: "ScreenTests",
      dependencies: [
        "ConformanceKit", "DaemonTestKit", "HeaderInsight", "HeaderCore", "HeaderModel", "HeaderTestKit", "HeaderWire",
        "PluginHost",
      ],
      path: "Tests/ScreenTests", exclude: ["Golden", "README.md"], swiftSettings: testing),
    .testTarget(
      name: "CollapsingLawsTests", dependencies: ["CollapsingLaws", "HeaderMotion", "HeaderTestKit"],
      path: "Tests/CollapsingLawsTests",
      swiftSettings: testing),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["ConformanceKit", "HeaderCore", "HeaderModel", "HeaderTestKit", "HeaderTrace", "PluginHost"],
      path: "Tests/Conformance/ConformanceTests", swiftSettings: testing),

    // Behaviors outside this package: the examples in other languages, and what `headerctl plugin new` writes.
    tests("ExamplesTests", of: ["PluginHost", "HeaderCore", "HeaderModel", "HeaderTestKit", "DaemonTestKit"]),

    // Readers of strangers' bytes as functions: for libFuzzer (Tests/Fuzz/README.md), and for a test in seconds.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Clocks", "Fanout", "Gateway", "HeaderService", "HeaderHost", "HeaderJournal", "HeaderWorker", "HeaderWire",
        "HeaderConfig", "HeaderTrace",
        "HeaderCore", "HeaderModel", "PluginHost", "CHeaderPlugin", "HeaderTestKit", "JournalTestKit",
      ],
      path: "Tests/Fuzz/FuzzTargets", swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "HeaderTestKit", "DaemonTestKit"], path: "Tests/Fuzz/FuzzTests",
      swiftSettings: testing),

    // The daemon as a whole: its shell, its decisions under a fake clock, and the real program on a real socket.
    .target(
      name: "DaemonTestKit", dependencies: ["CLinux"], path: "Tests/Support/DaemonTestKit", swiftSettings: strict),
    tests(
      "HeaderDaemonTests",
      of: [
        "Clocks", "Fanout", "HeaderDaemon", "HeaderConfig", "HeaderModel", "Installation", "HeaderService", "Posix",
        "DaemonTestKit",
      ]),
    .target(
      name: "Simulation",
      dependencies: [
        "Clocks", "Fanout", "Gateway", "Shards", "HeaderService", "HeaderHost", "HeaderJournal", "HeaderTrace",
        "HeaderWorker",
        "HeaderCore", "HeaderModel",
        "PluginHost", "HeaderTestKit", "DaemonTestKit", "JournalTestKit",
      ],
      path: "Tests/Simulation/Simulation", swiftSettings: strict),
    .executableTarget(
      name: "headerd-simulate", dependencies: ["Simulation", "CommandLineKit", "DaemonTestKit", "HeaderModel"],
      path: "Tests/Simulation/headerd-simulate", swiftSettings: strict),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "HeaderTestKit", "DaemonTestKit"],
      path: "Tests/Simulation/SimulationTests", exclude: ["Golden"], swiftSettings: testing),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "DaemonTestKit", "HeaderTestKit", "ConformanceKit", "PluginHost", "HeaderWire", "HeaderCore", "HeaderModel",
      ],
      path: "Tests/IntegrationTests", exclude: ["Clients", "Golden", "Plugins", "Preloaded"], swiftSettings: testing),

    // The client, and its program beside a real daemon.
    tests("HeaderClientTests", of: ["HeaderClient", "HeaderTrace", "HeaderModel"]),
    // Its part in Tests/Clients, where the clients of all languages follow one script.
    .executableTarget(
      name: "client-conformance", dependencies: ["HeaderClient", "HeaderTrace", "HeaderModel", "Installation"],
      path: "Tests/Clients/Swift", swiftSettings: strict),
    tests("HeaderctlTests", of: ["DaemonTestKit", "HeaderWire", "HeaderModel"], exclude: ["Golden"]),

    // What an event costs.
    .target(name: "CountedAllocations", path: "Tests/Benchmarks/CountedAllocations"),
    .executableTarget(
      name: "headerd-bench",
      dependencies: [
        "Clocks", "CountedAllocations", "Fanout", "Gateway", "HeaderHost", "HeaderService", "HeaderWorker",
        "HeaderWire",
        "HeaderCore", "HeaderModel", "PluginHost",
        "CommandLineKit",
      ],
      path: "Tests/Benchmarks/headerd-bench", swiftSettings: strict + withoutExclusivityChecks,
      // valgrind does not get through the debug information; the symbols stay.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]),
    // What a state costs from socket to socket: the limit, the load, and who lets them run.
    .executableTarget(
      name: "headerd-limit", dependencies: ["CUV"], path: "Tests/Benchmarks/headerd-limit",
      cSettings: [.headerSearchPath("../../../Sources/CHeaderWire"), .define("_GNU_SOURCE")],
      linkerSettings: [.linkedLibrary("uv")]),
    .executableTarget(
      name: "headerd-load", path: "Tests/Benchmarks/headerd-load",
      cSettings: [.headerSearchPath("../../../Sources/CHeaderWire"), .define("_GNU_SOURCE")]),
    .executableTarget(
      name: "headerd-end-to-end", dependencies: ["DaemonTestKit", "CommandLineKit"],
      path: "Tests/Benchmarks/headerd-end-to-end",
      exclude: ["relay.js"], swiftSettings: strict),
  ],
  cxxLanguageStandard: .cxx17
)

// libFuzzer's program, in builds of its own alone: it links with nothing but -sanitize=fuzzer.
if Context.environment["HEADERD_FUZZ"] == "1" {
  package.products.append(.executable(name: "headerd-fuzz", targets: ["headerd-fuzz"]))
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    .executableTarget(
      name: "headerd-fuzz", dependencies: ["FuzzTargets", "CFuzzer", "DaemonTestKit"], path: "Tests/Fuzz/headerd-fuzz",
      swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
  ]
}
