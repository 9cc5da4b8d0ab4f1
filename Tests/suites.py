# SPDX-License-Identifier: MIT
"""Which suites see a change of which folder, and how they are built: for `make quick`, `make check` and the mutation tests."""
import os

SWIFT = os.environ.get("SWIFT", "swift")
# Programs and tests at once, as they are shipped.
BUILD = [
    SWIFT, "build", "-c", "release", "--build-tests", "--explicit-target-dependency-import-check", "error",
    "-debug-info-format", "none"]  # fmt: skip

# Folder: the suites, as an expression over their names. A folder that is a target of its own stands before the one around it.
SEEN_BY = {
    "Sources/HeaderModel": r"^(HeaderModelTests|HeaderCoreTests|HeaderInsightTests)\.",
    "Sources/HeaderCore": r"^(HeaderCoreTests\.|ScreenTests\.Walk)",
    "Sources/HeaderInsight": r"^(HeaderInsightTests\.|HeaderHostTests\.Worker|HeaderctlTests\.Shadow|GatewayTests\.Schema|PluginTests\.ScreenFindings|ScreenTests\.Ahead|FanoutTests\.Predict)",
    "Sources/Installation": r"^(InstallationTests|HeaderDaemonTests)\.",
    "Sources/HeaderWire": r"^HeaderWireTests\.",
    "Sources/CHeaderWire": r"^HeaderWireTests\.",
    "Plugins/CollapsingHeader/Laws": r"^(CollapsingLawsTests\.|ScreenTests\.Walk|PluginTests\.(CollapsingHeader|Feature|ScreenFindings|ShippedPreset))",
    "Plugins/CollapsingHeader": r"^(ScreenTests\.Walk|PluginTests\.(CollapsingHeader|Feature|ScreenFindings|ShippedPreset))",
    "Plugins/FlexibleHeader": r"^(ScreenTests\.Walk|PluginTests\.FlexibleHeader(?!Properties))",
    "Plugins/FlexibleHeightBar": r"^(ScreenTests\.Walk|PluginTests\.(FlexibleHeightBar|Safari)(?!Properties))",
    "Plugins/Keyframes": r"^(ScreenTests\.Walk|PluginTests\.Keyframes)",
    "Plugins/ShyNavBar": r"^(ScreenTests\.Walk|PluginTests\.ShyNavBar)",
    "Plugins/StretchyHeader": r"^(ScreenTests\.Walk|PluginTests\.StretchyHeader)",
    "Plugins/Examples": r"^ExamplesTests\.",
    "Sources/HeaderMotion": r"^(CollapsingLawsTests|HeaderCoreTests)\.",
    "Sources/HeaderLayoutAttributes": r"^HeaderLayoutAttributesTests\.",
    "Sources/Fanout": r"^(FanoutTests|HeaderServiceTests)\.",
    "Sources/HeaderHost": r"^((HeaderHostTests|ShardsTests|HeaderServiceTests)\.|SimulationTests\.FoundTests|IntegrationTests\.(Journal|Position|Worker)Tests)",
    "Sources/Gateway": r"^(GatewayTests|HeaderServiceTests)\.",
    "Sources/Shards": r"^ShardsTests\.",
    "Sources/HeaderService": r"^(HeaderServiceTests|FanoutTests|GatewayTests|HeaderHostTests|ShardsTests)\.",
    "Sources/HeaderPluginKit": r"^(ScreenTests\.Walk|PluginTests\.(Keyframes|ShyNavBar|StretchyHeader))",
    "Sources/PluginHost": r"^PluginHostTests\.",
    "Sources/CHeaderPlugin": r"^PluginHostTests\.",
    "Sources/HeaderWorker": r"^HeaderWorkerTests\.",
    "Sources/Confinement": r"^IntegrationTests\.WorkerTests",
    "Sources/headerd-worker": r"^IntegrationTests\.WorkerTests",
    "Sources/HeaderJournal": r"^HeaderJournalTests\.",
    "Sources/HeaderDaemon": r"^(HeaderDaemonTests\.|IntegrationTests\.(Life|Epoch|Config|Ending|Journal)Tests)",
    "Sources/headerd": r"^IntegrationTests\.(Life|Config)Tests",
    "Sources/HeaderConfig": r"^HeaderConfigTests\.",
    "Sources/CToml": r"^HeaderConfigTests\.",
    "Sources/HeaderTrace": r"^HeaderTraceTests\.",
    "Sources/HeaderClient": r"^HeaderClientTests\.",
    "Sources/headerctl": r"^HeaderctlTests\.",
    "Sources/CTemplates": r"^ExamplesTests\.",
    "Sources/CommandLineKit": r"^(CommandLineKitTests\.|HeaderctlTests\.Help)",
    "Sources/EventLoop": r"^EventLoopTests\.",
    "Sources/CUV": r"^EventLoopTests\.",
    "Sources/Posix": r"^(PosixTests\.|HeaderDaemonTests\.)",
    "Sources/CLinux": r"^(PosixTests\.|HeaderDaemonTests\.)",
    "Sources/Locks": r"^LocksTests\.",
    "Sources/Realm": r"^RealmTests\.",
    "Sources/NatsBridge": r"^(NatsBridgeTests|RealmTests)\.",
    "Sources/Nats": r"^NatsTests\.",
    "Sources/WebBridge": r"^WebBridgeTests\.",
    "config/presets": r"^PluginTests\.ShippedPreset",
    "config/man": r"^(IntegrationTests\.PluginManual|HeaderConfigTests\.Reference|HeaderctlTests\.Manual)",
    "Tests/PluginTests": r"^PluginTests\.",
    "Tests/CollapsingLawsTests": r"^CollapsingLawsTests\.",
    "Tests/Conformance": r"^(ConformanceTests\.|PluginTests\.Neighbor)",
    "Tests/Fuzz": r"^FuzzTests\.",
    "Tests/ScreenTests": r"^ScreenTests\.",
    "Tests/Simulation": r"^SimulationTests\.",
    "Tests/IntegrationTests": r"^IntegrationTests\.",
}

# Suites that start programs, compilers or processes; all others only call functions.
STARTS_PROGRAMS = (
    r"^(PosixTests\.Program|NatsTests\.|(PluginHostTests|SimulationTests|HeaderClientTests|ExamplesTests|HeaderctlTests|HeaderDaemonTests|IntegrationTests)\.)"
)

# Tests that take longer than all others together.
HEAVY = "|".join([
    "nothingThatIsSentHurts", "nothingThatIsReadHurts", "sayTheSame", "nothingIsLost", "brokenBytesHurtNobodyElse",
    "a header saved at any step", "what is no saved header", "areRefusedOrLivedWith", "a spoiled state is refused",
    "bornAgain", "reloadedAfterEachEvent", "wholeIsTheSame", "twiceGivesTheSame", "aSaveAfterAny", "goesOnAfterEvery",
    "eplayIsIdentical",
])  # fmt: skip


def folder_of(path: str) -> str | None:
    """The row of the table that a file belongs to."""
    return next((folder for folder in SEEN_BY if path.startswith(folder + "/")), None)
