# SPDX-License-Identifier: MIT
# Made by config/schema/bindings.py from config/schema/openrpc.json.
"""What clients and the daemon send each other, for type checkers: dicts with the members that they know."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

class WrittenPoint(TypedDict):
    # To the right (points).
    x: float
    # Downwards (points).
    y: float

class WrittenInsets(TypedDict):
    # From the upper edge (points).
    top: float
    # From the left edge (points).
    left: float
    # From the lower edge (points).
    bottom: float
    # From the right edge (points).
    right: float

class WrittenRect(TypedDict):
    # To the right (points).
    x: float
    # Downwards (points).
    y: float
    # To the right (points).
    width: float
    # Downwards (points).
    height: float

class _State(TypedDict):
    # The header's name.
    header: str
    # Which life of the header; never used twice, and a later one is larger.
    epoch: int
    # 1 after opening, one more for each state.
    seq: int
    # Header time of the event or frame that made it (seconds).
    time: float

class State(_State, total=False):
    # The first one of a subscription (false if absent).
    snapshot: Literal[True]
    # Whose events reach the delegates; the only one's if absent.
    trackingScrollView: Union[str, None]
    # A motion makes frames (false if absent).
    framesActive: Literal[True]
    # In chain order; an earlier one lies over a later one.
    drawers: List[StateDrawer]
    # Elements that a delegate has changed.
    elements: List[StateElement]
    # What the header wants of each, by name.
    scrollViews: Dict[str, StateScrollView]
    # What behaviors publish, by name.
    values: Dict[str, Union[float, str, bool, None]]
    # What the header asks of the application.
    wants: StateWants
    # Where the header is; of one that is constrained or was moved by call.
    position: StatePosition
    # In the order in which they fired.
    notices: List[Notice]
    # What the publisher is asked to do.
    commands: List[StateCommand]
    # How renderers get from what is on the screen to this state.
    animations: List[StateAnimation]
    # Delegates that were asked, in order.
    calls: List[StateCall]
    # Entries of these lists that a waiting state had no room for.
    noticesLost: int
    # Why it is there.
    explanation: Explanation
    # What the state becomes at other offsets of the tracking scroll view, where that is known.
    ahead: StateAhead

class _StateDrawer(TypedDict):
    # Its name.
    name: str
    # Where to draw it, in header space.
    frame: WrittenRect

class StateDrawer(_StateDrawer, total=False):
    # Opacity (1 if absent).
    alpha: float
    # It is not drawn (false if absent).
    hidden: Literal[True]
    # Order of drawing among the drawers (0 if absent).
    zIndex: int
    # How far it is drawn off its place; the frame has it already.
    translation: WrittenPoint

class _StateElement(TypedDict):
    # Its name.
    name: str
    # The drawer's name.
    drawer: str
    # Its center in the drawer.
    center: WrittenPoint
    # Its own coordinates.
    bounds: WrittenRect
    # Its frame in the drawer; null: the transform decides.
    frame: Union[WrittenRect, None]

class StateElement(_StateElement, total=False):
    # 16 numbers, m11 to m44 by rows.
    transform: List[float]
    # Opacity (1 if absent).
    alpha: float
    # It is not drawn (false if absent).
    hidden: Literal[True]
    # Order of drawing within the drawer (0 if absent).
    zIndex: float
    # Radius of its corners (points, 0 if absent).
    cornerRadius: float

class StateScrollViewContentSize(TypedDict):
    # To the right (points).
    width: float
    # Downwards (points).
    height: float

class _StateScrollView(TypedDict):
    # Where the content is, the header's own moves included.
    contentOffset: WrittenPoint
    # Space around the content.
    contentInset: WrittenInsets

class StateScrollView(_StateScrollView, total=False):
    # Insets of its scroll indicators; the content inset if absent.
    scrollIndicatorInsets: WrittenInsets
    # The content inset with the safe area.
    adjustedContentInset: WrittenInsets
    # Where it is; absent unless a behavior decides it.
    frame: WrittenRect
    # The size of its content; absent unless a behavior decides it.
    contentSize: StateScrollViewContentSize
    # The total of the header's own moves of the offset in this epoch.
    correction: WrittenPoint

class StateWants(TypedDict, total=False):
    # The status bar is not shown (false if absent).
    prefersStatusBarHidden: Literal[True]
    # What the status bar is drawn in.
    preferredStatusBarStyle: Literal["default", "lightContent", "darkContent"]
    # What the header adds to the safe area.
    additionalSafeAreaInset: WrittenInsets
    # Where content may begin (points).
    topLayoutGuideLength: float

class _StatePosition(TypedDict):
    # Share of the whole way: 0 is expanded, 1 is collapsed.
    progress: float
    # How far the drawers have gone (points).
    traveled: float
    # How far they can go (points).
    travel: float

class StatePosition(_StatePosition, total=False):
    # Number of the motion under way.
    motion: int
    # Least and greatest progress that is permitted.
    permitted: List[float]
    # Constraints of the header, the strongest first.
    constraints: List[Constraint]
    # How much of the tracking scroll view is covered at each edge.
    obstruction: WrittenInsets

class StateCommand(TypedDict):
    # The scroll view's name.
    scrollView: str
    # The action, such as `scrollBy`.
    name: str
    # Arguments by name.
    arguments: Dict[str, Any]

class _StateAnimation(TypedDict):
    # How long it takes (seconds).
    duration: float
    # How it runs.
    curve: Literal["linear", "easeIn", "easeOut", "easeInOut", "spring"]
    # The delegate that animates.
    delegate: str

class StateAnimation(_StateAnimation, total=False):
    # How long it waits (seconds, 0 if absent).
    delay: float
    # Mass of a spring.
    mass: float
    # Stiffness of a spring.
    stiffness: float
    # Damping of a spring.
    damping: float
    # Velocity that a spring begins with.
    initialVelocity: float

class StateCall(TypedDict):
    # The delegate's name.
    delegate: str
    # The event's kind.
    event: Literal["willBeginDragging", "didScroll", "willEndDragging", "didEndDragging", "willBeginDecelerating", "didEndDecelerating", "didEndScrollingAnimation", "shouldScrollToTop", "didScrollToTop", "didChangeAdjustedContentInset", "willScroll", "didOverscroll", "willFling", "layout", "willAppear", "didAppear", "willDisappear", "didDisappear", "didBecomeActive", "willTransition", "transition", "didTransition", "willChangeTrackingScrollView", "setTrackingScrollView", "didWriteContentOffset", "didResize"]
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _Keyframe(TypedDict):
    # Where it is; two at one offset: what is no number changes there (points).
    offset: float

class Keyframe(_Keyframe, total=False):
    # In chain order; an earlier one lies over a later one.
    drawers: List[StateDrawer]
    # Elements that a delegate has changed.
    elements: List[StateElement]
    # What the header wants of each, by name.
    scrollViews: Dict[str, StateScrollView]
    # What behaviors publish, by name.
    values: Dict[str, Union[float, str, bool, None]]
    # What the header asks of the application.
    wants: StateWants
    # Where the header is; of one that is constrained or was moved by call.
    position: StatePosition

class StateAheadDragged(TypedDict, total=False):
    # All but `values` depends on the offset alone; else the keyframes hold until the content turns back.
    reversible: Literal[True]
    # Keyframes as the offset grows, the nearest first.
    growing: List[Keyframe]
    # Keyframes as it shrinks, the nearest first.
    shrinking: List[Keyframe]

class _StateAhead(TypedDict):
    # Where the content is in the state, along the axis of the tracking scroll view, with `correction` in it (points).
    offset: float

class StateAhead(_StateAhead, total=False):
    # All but `values` depends on the offset alone; else the keyframes hold until the content turns back.
    reversible: Literal[True]
    # Keyframes as the offset grows, the nearest first.
    growing: List[Keyframe]
    # Keyframes as it shrinks, the nearest first.
    shrinking: List[Keyframe]
    # The same for a drag that begins there (`willBeginDragging`), where more is known of that than of other scrolls.
    dragged: StateAheadDragged

class _Notice(TypedDict):
    # `delegatePassedOver`, `didArrive` and others of the daemon, or one of the behavior.
    name: str
    # The delegate that posted it; empty: the daemon.
    delegate: str

class Notice(_Notice, total=False):
    # Arguments by name ({} if absent).
    arguments: Dict[str, Any]
    # Equal ones in a row (1 if absent).
    count: int
    # It alone makes no state (false if absent).
    routine: Literal[True]

class Error(TypedDict):
    # The error's number.
    code: Literal[-32700, -32600, -32601, -32602, -32603, -32001, -32002, -32003, -32004, -32005, -32006, -32007, -32008, -32009, -32010, -32011, -32012, -32013, -32014, -32015, -32016, -32020, -32021, -32022, -32023, -32024, -32025, -32026, -32027]
    # What is wrong, where, what was given, and what is accepted.
    message: str
    # What programs read.
    data: ErrorData

class _ErrorDataLimit(TypedDict):
    # The limit's name.
    name: str
    # What it is.
    value: float

class ErrorDataLimit(_ErrorDataLimit, total=False):
    # The config's key.
    key: str
    # How much is used.
    used: float
    # The user whose quota it is.
    user: int

class RoleHeaders(TypedDict, total=False):
    # Globs of headers.
    publish: List[str]
    # Globs of headers.
    subscribe: List[str]
    # Globs of headers.
    tune: List[str]
    # Globs of headers.
    admin: List[str]

class _ErrorData(TypedDict):
    # The error's name.
    name: Literal["parseError", "invalidRequest", "methodNotFound", "invalidParams", "internalError", "headerNotFound", "scrollViewNotFound", "drawerNotFound", "headerExists", "behaviorNotFound", "delegateNotFound", "subscriptionNotFound", "traceNotFound", "pluginNotFound", "invalidOption", "conflict", "timeBackwards", "callFailed", "behaviorFailed", "pluginRefused", "inUse", "notPermitted", "limitExceeded", "rateExceeded", "deadlineExceeded", "unsupported", "unsupportedVersion", "draining", "unknownField"]

class ErrorData(_ErrorData, total=False):
    # Path of the member that was wrong.
    field: str
    # What was given.
    got: Any
    # What is accepted.
    expected: str
    # The probable intention.
    hint: str
    # The header that it is about.
    header: str
    # That of the open header.
    digest: int
    # That of the description that was given.
    givenDigest: int
    # Place in the list.
    index: int
    # The delegate that it is about.
    delegate: str
    # The delegates in conflict.
    delegates: List[str]
    # The delegate that failed.
    culprit: str
    # The role that is needed.
    role: str
    # The exceeded limit.
    limit: ErrorDataLimit
    # The user of this connection.
    user: int
    # By role, the globs of headers that it holds for; absent: for all.
    roleHeaders: RoleHeaders
    # Versions that the daemon speaks.
    versions: List[int]
    # What the daemon lacks.
    capability: str
    # How long to wait before the request is sent again (seconds).
    retryAfter: float
    # Headers that use it.
    headers: List[str]
    # The check that failed.
    check: str
    # The file.
    path: str
    # The byte that was wrong.
    byte: int
    # Place in the line.
    column: int

class _Warning(TypedDict):
    # Path of the member that is not known.
    field: str

class Warning(_Warning, total=False):
    # The probable intention.
    hint: str

Warnings = List["Warning"]

class _Decision(TypedDict):
    # Number of the header's latest state.
    seq: int

class Decision(_Decision, total=False):
    # Where the delegates want the content to come to rest.
    targetOffset: WrittenPoint
    # What was returned.
    returned: Any
    # The delegate that changed it, or null.
    rewrittenBy: Union[str, None]
    # What the header takes.
    consumed: WrittenPoint
    # What is left to the content.
    residual: WrittenPoint

class Decisions(TypedDict):
    # Number of the header's latest state.
    seq: int
    # One an event.
    results: List[Decision]

class _OptionSchema(TypedDict):
    # Its name.
    name: str
    # Its type.
    type: str
    # The value if absent.
    default: Any
    # What it means.
    meaning: str

class OptionSchema(_OptionSchema, total=False):
    # Its unit.
    unit: str
    # It is at least this.
    minimum: float
    # It is at most this.
    maximum: float
    # The permitted words.
    cases: List[str]
    # It may be null (false if absent).
    nullable: Literal[True]

class Behavior(TypedDict):
    # The behavior's name.
    behavior: str
    # What it does, in a line.
    summary: str
    # It moves drawers.
    moves: bool
    # Events that it responds to.
    events: List[Literal["willBeginDragging", "didScroll", "willEndDragging", "didEndDragging", "willBeginDecelerating", "didEndDecelerating", "didEndScrollingAnimation", "shouldScrollToTop", "didScrollToTop", "didChangeAdjustedContentInset", "willScroll", "didOverscroll", "willFling", "layout", "willAppear", "didAppear", "willDisappear", "didDisappear", "didBecomeActive", "willTransition", "transition", "didTransition", "willChangeTrackingScrollView", "setTrackingScrollView", "didWriteContentOffset", "didResize"]]
    # Calls that it knows.
    calls: List[BehaviorCall]
    # Values that it has in states.
    values: List[BehaviorValue]
    # Names of notices that it posts.
    notices: List[str]
    # Its options.
    options: List[OptionSchema]

class BehaviorCall(TypedDict):
    # Its name.
    name: str
    # Arguments of the call.
    arguments: List[OptionSchema]
    # What it means.
    meaning: str

class _BehaviorValue(TypedDict):
    # Its name.
    name: str
    # Its type.
    type: str
    # What it is at the beginning.
    initial: Any
    # What it means.
    meaning: str

class BehaviorValue(_BehaviorValue, total=False):
    # Its unit.
    unit: str
    # The permitted words.
    cases: List[str]

class Plugin(TypedDict):
    # The plugin's name.
    plugin: str
    # Its version.
    version: str
    # Version of the ABI that it was built for.
    abi: str
    # The file.
    path: str
    # Whether it is loaded.
    state: str
    # Its behaviors.
    behaviors: List[Behavior]

class _Explanation(TypedDict):
    # The event as recordings have it.
    event: Dict[str, Any]
    # The delegates that were called, in order.
    turns: List[ExplanationTurn]
    # States that were sent.
    states: int
    # The same in plain words, a sentence an entry.
    story: List[str]

class Explanation(_Explanation, total=False):
    # `seq` of the last of these states.
    seq: int
    # What the event itself changed.
    changes: List[ExplanationChange]
    # Why no state was sent.
    silence: ExplanationSilence
    # Calls, movements and changes that are left out: an explanation has room for 256.
    lost: int
    # In a state: events since the state before it that made none, the last 8 at most.
    silent: List[Explanation]
    # Events before those.
    silentLost: int

class _ExplanationTurnMoveDrawer(TypedDict):
    # Its name.
    drawer: str
    # How far it was offered (points).
    wanted: float
    # How far it moved by (points).
    taken: float
    # How far it passed on (points).
    residual: float

class ExplanationTurnMoveDrawer(_ExplanationTurnMoveDrawer, total=False):
    # The rule that cut it.
    rule: Literal["expanded", "contracted", "sticky", "owner", "constraint", "resistance", "top"]
    # Constraints that hold it.
    by: List[str]

class ExplanationTurnMove(TypedDict):
    # What was asked of the drawers.
    kind: Literal["by", "expand", "contract"]
    # How far were asked (points).
    distance: float
    # How far no drawer took (points).
    residual: float
    # Each drawer that was asked.
    drawers: List[ExplanationTurnMoveDrawer]

ExplanationTurnChange = TypedDict("ExplanationTurnChange", {"what": "str", "from": "Any", "to": "Any"}, total=False)

class _ExplanationTurnCut(TypedDict):
    # `constraint` or `resistance`.
    rule: Literal["expanded", "contracted", "sticky", "owner", "constraint", "resistance", "top"]
    # What was asked (points).
    wanted: float
    # What was left of it (points).
    left: float

class ExplanationTurnCut(_ExplanationTurnCut, total=False):
    # The drawer; absent: all of them.
    drawer: str
    # Constraints that hold it.
    by: List[str]

class _ExplanationTurn(TypedDict):
    # The delegate that was called.
    delegate: str
    # The event, or `frame`, `timer`, `afterwards`, `request`, `answer`.
    event: str
    # How deep the event was nested in others.
    depth: int
    # Movements that it asked of the drawers.
    moves: List[ExplanationTurnMove]
    # What else it wrote.
    changes: List[ExplanationTurnChange]

class ExplanationTurn(_ExplanationTurn, total=False):
    # Header time of the frame that ran before the event and called it (seconds).
    frame: float
    # The content offset that it read.
    offset: WrittenPoint
    # Parts of movements that did not reach the drawers.
    cuts: List[ExplanationTurnCut]
    # What it noted.
    told: List[str]
    # What it answered.
    answer: Dict[str, Any]
    # Why it failed.
    failure: str

ExplanationChange = TypedDict("ExplanationChange", {"what": "str", "from": "Any", "to": "Any"}, total=False)

class ExplanationSilence(TypedDict):
    # A word for programs.
    name: str
    # The same in words.
    words: str

class _Shadow(TypedDict):
    # The delegate that the shadow changes.
    delegate: str
    # Inputs that the shadow got.
    events: int
    # Inputs after which the two differed.
    differences: int
    # Greatest distance between the lower edges of the two (points).
    largest: float

class Shadow(_Shadow, total=False):
    # The latest difference.
    latest: ShadowLatest
    # Why the shadow has ended by itself.
    failure: str

class ShadowLatest(TypedDict):
    # Header time (seconds).
    time: float
    # What differed first.
    what: str
    # The header's lower edge (points).
    edge: float
    # The shadow's lower edge (points).
    shadowEdge: float

class _Constraint(TypedDict):
    # Its name.
    name: str
    # Least and greatest progress that is permitted.
    permitted: List[float]

class Constraint(_Constraint, total=False):
    # If two contradict each other, the greater one holds, of equals the older.
    priority: int
    # The holder's name, for people.
    holder: str

class Bypassed(TypedDict):
    # The delegate's name.
    delegate: str
    # Why it failed.
    reason: str

Event = Union["WillBeginDraggingEvent", "DidScrollEvent", "WillEndDraggingEvent", "DidEndDraggingEvent", "WillBeginDeceleratingEvent", "DidEndDeceleratingEvent", "DidEndScrollingAnimationEvent", "ShouldScrollToTopEvent", "DidScrollToTopEvent", "DidChangeAdjustedContentInsetEvent", "SetContentOffsetEvent", "WillScrollEvent", "DidOverscrollEvent", "WillFlingEvent", "LayoutEvent", "WillAppearEvent", "DidAppearEvent", "WillDisappearEvent", "DidDisappearEvent", "DidBecomeActiveEvent", "WillTransitionEvent", "TransitionEvent", "DidTransitionEvent", "WillChangeTrackingScrollViewEvent", "SetTrackingScrollViewEvent", "SetOptionsEvent", "CallEvent", "AdvanceEvent", "MoveEvent", "ConstrainEvent", "ReleaseEvent", "RevealEvent"]

class Point(TypedDict, total=False):
    # To the right (points).
    x: float
    # Downwards (points).
    y: float

class _WillBeginDraggingEvent(TypedDict):
    # Its kind.
    event: Literal["willBeginDragging"]

class WillBeginDraggingEvent(_WillBeginDraggingEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidScrollEvent(TypedDict):
    # Its kind.
    event: Literal["didScroll"]
    # The content's offset when it happened; as it was if absent.
    offset: Point

class DidScrollEvent(_DidScrollEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool
    # What moved the content.
    reason: Literal["user", "program", "keyboard", "content", "layout"]

class Velocity(TypedDict, total=False):
    # To the right (points per millisecond).
    x: float
    # Downwards (points per millisecond).
    y: float

class _WillEndDraggingEvent(TypedDict):
    # Its kind.
    event: Literal["willEndDragging"]

class WillEndDraggingEvent(_WillEndDraggingEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Velocity of the finger, in the offset's sign.
    velocity: Velocity
    # Where the content comes to rest.
    targetOffset: Point
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidEndDraggingEvent(TypedDict):
    # Its kind.
    event: Literal["didEndDragging"]
    # The content continues by itself.
    willDecelerate: bool

class DidEndDraggingEvent(_DidEndDraggingEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillBeginDeceleratingEvent(TypedDict):
    # Its kind.
    event: Literal["willBeginDecelerating"]

class WillBeginDeceleratingEvent(_WillBeginDeceleratingEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidEndDeceleratingEvent(TypedDict):
    # Its kind.
    event: Literal["didEndDecelerating"]

class DidEndDeceleratingEvent(_DidEndDeceleratingEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidEndScrollingAnimationEvent(TypedDict):
    # Its kind.
    event: Literal["didEndScrollingAnimation"]

class DidEndScrollingAnimationEvent(_DidEndScrollingAnimationEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _ShouldScrollToTopEvent(TypedDict):
    # Its kind.
    event: Literal["shouldScrollToTop"]

class ShouldScrollToTopEvent(_ShouldScrollToTopEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidScrollToTopEvent(TypedDict):
    # Its kind.
    event: Literal["didScrollToTop"]

class DidScrollToTopEvent(_DidScrollToTopEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidChangeAdjustedContentInsetEvent(TypedDict):
    # Its kind.
    event: Literal["didChangeAdjustedContentInset"]

class DidChangeAdjustedContentInsetEvent(_DidChangeAdjustedContentInsetEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _SetContentOffsetEvent(TypedDict):
    # Its kind.
    event: Literal["setContentOffset"]
    # The content's offset when it happened; as it was if absent.
    offset: Point

class SetContentOffsetEvent(_SetContentOffsetEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # The application has moved it with an animation (false if absent).
    animated: bool
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillScrollEvent(TypedDict):
    # Its kind.
    event: Literal["willScroll"]
    # The movement that is offered.
    delta: Point
    # What moves the content.
    source: Literal["drag", "fling", "program"]

class WillScrollEvent(_WillScrollEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidOverscrollEvent(TypedDict):
    # Its kind.
    event: Literal["didOverscroll"]
    # The movement that is offered.
    delta: Point
    # What moves the content.
    source: Literal["drag", "fling", "program"]

class DidOverscrollEvent(_DidOverscrollEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillFlingEvent(TypedDict):
    # Its kind.
    event: Literal["willFling"]
    # Velocity of the finger, in the offset's sign.
    velocity: Velocity

class WillFlingEvent(_WillFlingEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class Insets(TypedDict, total=False):
    # From the upper edge (points).
    top: float
    # From the left edge (points).
    left: float
    # From the lower edge (points).
    bottom: float
    # From the right edge (points).
    right: float

class Size(TypedDict, total=False):
    # To the right (points).
    width: float
    # Downwards (points).
    height: float

class Rect(TypedDict, total=False):
    # To the right (points).
    x: float
    # Downwards (points).
    y: float
    # To the right (points).
    width: float
    # Downwards (points).
    height: float

LayoutEvent = TypedDict("LayoutEvent", {"time": "float", "event": "Literal[\"layout\"]", "safeAreaInset": "Insets", "deviceHasHardwareSafeArea": "bool", "statusBarHeight": "float", "statusBarHidden": "bool", "statusBarFollowsHeader": "bool", "screenScale": "float", "viewOrigin": "Point", "visible": "bool", "presented": "bool", "keyWindow": "bool", "voiceOverRunning": "bool", "reduceMotion": "bool", "appExtension": "bool", "fullKeyboardAccess": "bool", "alwaysShown": "bool", "keyboardHeight": "float", "clockSecondOfMinute": "Union[float, None]", "viewport": "Size", "contentSize": "Size", "contentInset": "Insets", "scrollIndicatorInsets": "Insets", "contentInsetAdjustment": "Literal[\"never\", \"automatic\"]", "kind": "Literal[\"scroll\", \"table\", \"collection\", \"web\"]", "pagingEnabled": "bool", "refreshControl": "Union[None, RefreshControl]", "frame": "Rect", "forwardsEvents": "bool", "clamping": "Literal[\"all\", \"inset\", \"none\"]", "boundsAnimationDuration": "float", "drawers": "List[DrawerChange]", "pass": "bool", "scrollView": "str", "offset": "Point", "correction": "Point", "isTracking": "bool", "isDragging": "bool", "isDecelerating": "bool", "reason": "Literal[\"user\", \"program\", \"keyboard\", \"content\", \"layout\"]"}, total=False)

class RefreshControl(TypedDict, total=False):
    # It is not drawn (false if absent).
    hidden: bool
    # It refreshes now (false if absent).
    refreshing: bool
    # The height that it takes (points, 0 if absent).
    height: float

class _ElementChange(TypedDict):
    # The element's name.
    name: str

class ElementChange(_ElementChange, total=False):
    # Where it is.
    frame: Rect
    # Opacity.
    alpha: float
    # It is not drawn.
    hidden: bool
    # Order of drawing within the drawer.
    zIndex: float
    # 16 numbers, m11 to m44 by rows.
    transform: List[float]

class _DrawerChange(TypedDict):
    # The drawer's name.
    name: str

class DrawerChange(_DrawerChange, total=False):
    # Its height (points).
    height: float
    # Its height at least (points).
    minimumHeight: float
    # Its height at most; `height` if absent (points).
    maximumHeight: float
    # Its upper edge (points).
    y: float
    # Its width (points).
    width: float
    # It takes no movement.
    sticky: bool
    # Opacity.
    alpha: float
    # It is not drawn.
    hidden: bool
    # Order of drawing among the drawers.
    zIndex: int
    # Its elements that change.
    elements: List[ElementChange]

class _WillAppearEvent(TypedDict):
    # Its kind.
    event: Literal["willAppear"]

class WillAppearEvent(_WillAppearEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidAppearEvent(TypedDict):
    # Its kind.
    event: Literal["didAppear"]

class DidAppearEvent(_DidAppearEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillDisappearEvent(TypedDict):
    # Its kind.
    event: Literal["willDisappear"]

class WillDisappearEvent(_WillDisappearEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidDisappearEvent(TypedDict):
    # Its kind.
    event: Literal["didDisappear"]

class DidDisappearEvent(_DidDisappearEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidBecomeActiveEvent(TypedDict):
    # Its kind.
    event: Literal["didBecomeActive"]

class DidBecomeActiveEvent(_DidBecomeActiveEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillTransitionEvent(TypedDict):
    # Its kind.
    event: Literal["willTransition"]
    # The size to come.
    size: Size

class WillTransitionEvent(_WillTransitionEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _TransitionEvent(TypedDict):
    # Its kind.
    event: Literal["transition"]

class TransitionEvent(_TransitionEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidTransitionEvent(TypedDict):
    # Its kind.
    event: Literal["didTransition"]

class DidTransitionEvent(_DidTransitionEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillChangeTrackingScrollViewEvent(TypedDict):
    # Its kind.
    event: Literal["willChangeTrackingScrollView"]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: Union[str, None]

class WillChangeTrackingScrollViewEvent(_WillChangeTrackingScrollViewEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _SetTrackingScrollViewEvent(TypedDict):
    # Its kind.
    event: Literal["setTrackingScrollView"]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: Union[str, None]

class SetTrackingScrollViewEvent(_SetTrackingScrollViewEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _SetOptionsEvent(TypedDict):
    # Its kind.
    event: Literal["setOptions"]
    # Options by name.
    options: Dict[str, Any]

class SetOptionsEvent(_SetOptionsEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # The delegate; the only one if absent.
    delegate: str
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _CallEvent(TypedDict):
    # Its kind.
    event: Literal["call"]
    # The call's name.
    name: str

class CallEvent(_CallEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Arguments by name.
    arguments: Dict[str, Any]
    # The delegate; the only one if absent.
    delegate: str
    # The end of what it animates is reported by a notice (false if absent).
    report: bool
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _AdvanceEvent(TypedDict):
    # Its kind.
    event: Literal["advance"]

class AdvanceEvent(_AdvanceEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # One frame of this length is run (seconds).
    frameDuration: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _MoveEvent(TypedDict):
    # Its kind.
    event: Literal["move"]
    # A stop's name, such as `expanded`, or a place in numbers.
    to: Union[str, Target]

class MoveEvent(_MoveEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]
    # Velocity that a spring begins with (points per millisecond, 0 if absent).
    velocity: float
    # The delegate; the only one if absent.
    delegate: str
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class Target(TypedDict, total=False):
    # Share of the whole way: 0 is expanded, 1 is collapsed.
    progress: float
    # Downwards (points).
    height: float
    # How far the drawer has gone off its edge there, beyond its least height (points).
    shift: float
    # The drawer's name.
    drawer: str

class Spring(TypedDict, total=False):
    # Mass of a spring (kilograms, 1 if absent).
    mass: float
    # Stiffness of a spring (newtons a meter, 200 if absent).
    stiffness: float
    # Damping of a spring (newton seconds a meter, 26 if absent).
    damping: float

class Motion(TypedDict, total=False):
    # A spring in place of curve and duration.
    spring: Spring
    # How long it takes (seconds, 0.25 if absent).
    duration: float
    # How it runs ("easeInOut" if absent).
    curve: Literal["linear", "easeIn", "easeOut", "easeInOut"]
    # What draws the motion: a state for each frame, or renderers by one state with the animation ("frames" if absent).
    drawnBy: Literal["frames", "renderer"]

class _ConstrainEvent(TypedDict):
    # Its kind.
    event: Literal["constrain"]
    # Its name.
    name: str
    # A word, or the least and the greatest progress.
    permitted: Union[Literal["shown", "hidden", "both"], List[float]]

class ConstrainEvent(_ConstrainEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Where the header goes now, as far as that is permitted: a word or a progress.
    wish: Union[None, Literal["shown", "hidden"], float]
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]
    # If two contradict each other, the greater one holds, of equals the older (0 if absent).
    priority: int
    # The holder's name, for people.
    holder: str
    # How long it holds: as long as the connection, for seconds, or until it is released (null).
    lease: Union[None, Literal["connection"], float]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _ReleaseEvent(TypedDict):
    # Its kind.
    event: Literal["release"]
    # Its name.
    name: str

class ReleaseEvent(_ReleaseEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _RevealEvent(TypedDict):
    # Its kind.
    event: Literal["reveal"]
    # The part to show, in the content's coordinates.
    rect: Rect

class RevealEvent(_RevealEvent, total=False):
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Why it is shown ("focus" if absent).
    reason: Literal["focus", "anchor", "search"]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

Action = Union["MoveAction", "ExpandAction", "ContractAction", "SetHeightAction", "SetDrawerAction", "SetElementAction", "SetValueAction", "NoticeAction", "SetContentOffsetAction", "SetContentInsetAction", "WantAction", "CommandAction", "AnimateAction"]

class MoveAction(TypedDict):
    # What is done.
    action: Literal["move"]
    # Distance, in the offset's sign (points).
    by: float
    # The drawer's name; the first that the client may change if absent.
    drawer: str

class _ExpandAction(TypedDict):
    # What is done.
    action: Literal["expand"]

class ExpandAction(_ExpandAction, total=False):
    # The drawer's name; the first that the client may change if absent.
    drawer: str

class _ContractAction(TypedDict):
    # What is done.
    action: Literal["contract"]

class ContractAction(_ContractAction, total=False):
    # The drawer's name; the first that the client may change if absent.
    drawer: str

class SetHeightAction(TypedDict):
    # What is done.
    action: Literal["setHeight"]
    # Its height (points).
    height: float
    # The drawer's name; the first that the client may change if absent.
    drawer: str

class _SetDrawerAction(TypedDict):
    # What is done.
    action: Literal["setDrawer"]
    # Its name.
    name: str

class SetDrawerAction(_SetDrawerAction, total=False):
    # Where it is, of a drawer in header space, of an element in its drawer.
    frame: Rect
    # Its height (points).
    height: float
    # Its height at least (points).
    minimumHeight: float
    # Its height at most; `height` if absent (points).
    maximumHeight: float
    # Its upper edge (points).
    y: float
    # Its width (points).
    width: float
    # It takes no movement.
    sticky: bool
    # Opacity.
    alpha: float
    # It is not drawn.
    hidden: bool
    # Order of drawing among the drawers.
    zIndex: int
    # How far it is drawn off its place; the frame has it already.
    translation: Point

class _SetElementAction(TypedDict):
    # What is done.
    action: Literal["setElement"]
    # Its name.
    name: str

class SetElementAction(_SetElementAction, total=False):
    # Where it is, of a drawer in header space, of an element in its drawer.
    frame: Rect
    # Opacity.
    alpha: float
    # It is not drawn.
    hidden: bool
    # Order of drawing within the drawer.
    zIndex: float
    # 16 numbers, m11 to m44 by rows.
    transform: List[float]
    # Its center in the drawer.
    center: Point
    # Its own coordinates.
    bounds: Rect
    # Radius of its corners (points).
    cornerRadius: float

class SetValueAction(TypedDict):
    # What is done.
    action: Literal["setValue"]
    # Its name.
    name: str
    # The value.
    value: Union[float, str, bool, None]

class _NoticeAction(TypedDict):
    # What is done.
    action: Literal["notice"]
    # Its name.
    name: str

class NoticeAction(_NoticeAction, total=False):
    # Arguments by name.
    arguments: Dict[str, Any]

class _SetContentOffsetAction(TypedDict):
    # What is done.
    action: Literal["setContentOffset"]
    # The content's offset.
    offset: Point

class SetContentOffsetAction(_SetContentOffsetAction, total=False):
    # The scroll view's name.
    scrollView: str
    # The delegates are sent no event of it (false if absent).
    silent: bool

class _SetContentInsetAction(TypedDict):
    # What is done.
    action: Literal["setContentInset"]
    # The content inset.
    inset: Insets

class SetContentInsetAction(_SetContentInsetAction, total=False):
    # The scroll view's name.
    scrollView: str

class _WantAction(TypedDict):
    # What is done.
    action: Literal["want"]

class WantAction(_WantAction, total=False):
    # The status bar is not shown.
    prefersStatusBarHidden: bool
    # What the status bar is drawn in.
    preferredStatusBarStyle: Literal["default", "lightContent", "darkContent", None]
    # What the header adds to the safe area.
    additionalSafeAreaInset: Union[None, WantedInsets]
    # Where content may begin (points).
    topLayoutGuideLength: Union[float, None]

class WantedInsets(TypedDict, total=False):
    # From the upper edge (points).
    top: float
    # From the left edge (points).
    left: float
    # From the lower edge (points).
    bottom: float
    # From the right edge (points).
    right: float

class _CommandAction(TypedDict):
    # What is done.
    action: Literal["command"]
    # Its name.
    name: str

class CommandAction(_CommandAction, total=False):
    # The scroll view's name.
    scrollView: str
    # Arguments by name ({} if absent).
    arguments: Dict[str, Any]

class _AnimateAction(TypedDict):
    # What is done.
    action: Literal["animate"]
    # How long it takes (seconds).
    duration: float

class AnimateAction(_AnimateAction, total=False):
    # How long it waits (seconds, 0 if absent).
    delay: float
    # How it runs ("easeInOut" if absent).
    curve: Literal["linear", "easeIn", "easeOut", "easeInOut", "spring"]
    # What is animated.
    actions: List[Action]
    # Mass of a spring (1 if absent).
    mass: float
    # Stiffness of a spring (100 if absent).
    stiffness: float
    # Damping of a spring (10 if absent).
    damping: float
    # Velocity that a spring begins with (0 if absent).
    initialVelocity: float

DelegateEvent = Union["WillBeginDraggingDelegateEvent", "DidScrollDelegateEvent", "WillEndDraggingDelegateEvent", "DidEndDraggingDelegateEvent", "WillBeginDeceleratingDelegateEvent", "DidEndDeceleratingDelegateEvent", "DidEndScrollingAnimationDelegateEvent", "ShouldScrollToTopDelegateEvent", "DidScrollToTopDelegateEvent", "DidChangeAdjustedContentInsetDelegateEvent", "WillScrollDelegateEvent", "DidOverscrollDelegateEvent", "WillFlingDelegateEvent", "LayoutDelegateEvent", "WillAppearDelegateEvent", "DidAppearDelegateEvent", "WillDisappearDelegateEvent", "DidDisappearDelegateEvent", "DidBecomeActiveDelegateEvent", "WillTransitionDelegateEvent", "TransitionDelegateEvent", "DidTransitionDelegateEvent", "WillChangeTrackingScrollViewDelegateEvent", "SetTrackingScrollViewDelegateEvent", "DidWriteContentOffsetDelegateEvent", "DidResizeDelegateEvent"]

class _WillBeginDraggingDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willBeginDragging"]
    # Header time (seconds).
    time: float

class WillBeginDraggingDelegateEvent(_WillBeginDraggingDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidScrollDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didScroll"]
    # Header time (seconds).
    time: float

class DidScrollDelegateEvent(_DidScrollDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _WillEndDraggingDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willEndDragging"]
    # Header time (seconds).
    time: float

class WillEndDraggingDelegateEvent(_WillEndDraggingDelegateEvent, total=False):
    # Velocity of the finger, in the offset's sign.
    velocity: Velocity
    # Where the content comes to rest.
    targetOffset: Point
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidEndDraggingDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didEndDragging"]
    # Header time (seconds).
    time: float

class DidEndDraggingDelegateEvent(_DidEndDraggingDelegateEvent, total=False):
    # The content continues by itself.
    willDecelerate: bool
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _WillBeginDeceleratingDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willBeginDecelerating"]
    # Header time (seconds).
    time: float

class WillBeginDeceleratingDelegateEvent(_WillBeginDeceleratingDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidEndDeceleratingDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didEndDecelerating"]
    # Header time (seconds).
    time: float

class DidEndDeceleratingDelegateEvent(_DidEndDeceleratingDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidEndScrollingAnimationDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didEndScrollingAnimation"]
    # Header time (seconds).
    time: float

class DidEndScrollingAnimationDelegateEvent(_DidEndScrollingAnimationDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _ShouldScrollToTopDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["shouldScrollToTop"]
    # Header time (seconds).
    time: float

class ShouldScrollToTopDelegateEvent(_ShouldScrollToTopDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidScrollToTopDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didScrollToTop"]
    # Header time (seconds).
    time: float

class DidScrollToTopDelegateEvent(_DidScrollToTopDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidChangeAdjustedContentInsetDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didChangeAdjustedContentInset"]
    # Header time (seconds).
    time: float

class DidChangeAdjustedContentInsetDelegateEvent(_DidChangeAdjustedContentInsetDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _WillScrollDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willScroll"]
    # Header time (seconds).
    time: float

class WillScrollDelegateEvent(_WillScrollDelegateEvent, total=False):
    # The movement that is offered.
    delta: Point
    # What moves the content.
    source: Literal["drag", "fling", "program"]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidOverscrollDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didOverscroll"]
    # Header time (seconds).
    time: float

class DidOverscrollDelegateEvent(_DidOverscrollDelegateEvent, total=False):
    # The movement that is offered.
    delta: Point
    # What moves the content.
    source: Literal["drag", "fling", "program"]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _WillFlingDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willFling"]
    # Header time (seconds).
    time: float

class WillFlingDelegateEvent(_WillFlingDelegateEvent, total=False):
    # Velocity of the finger, in the offset's sign.
    velocity: Velocity
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

LayoutDelegateEvent = TypedDict("LayoutDelegateEvent", {"time": "float", "event": "Literal[\"layout\"]", "safeAreaInset": "Insets", "deviceHasHardwareSafeArea": "bool", "statusBarHeight": "float", "statusBarHidden": "bool", "statusBarFollowsHeader": "bool", "screenScale": "float", "viewOrigin": "Point", "visible": "bool", "presented": "bool", "keyWindow": "bool", "voiceOverRunning": "bool", "reduceMotion": "bool", "appExtension": "bool", "fullKeyboardAccess": "bool", "alwaysShown": "bool", "keyboardHeight": "float", "clockSecondOfMinute": "Union[float, None]", "viewport": "Size", "contentSize": "Size", "contentInset": "Insets", "scrollIndicatorInsets": "Insets", "contentInsetAdjustment": "Literal[\"never\", \"automatic\"]", "kind": "Literal[\"scroll\", \"table\", \"collection\", \"web\"]", "pagingEnabled": "bool", "refreshControl": "Union[None, RefreshControl]", "frame": "Rect", "forwardsEvents": "bool", "clamping": "Literal[\"all\", \"inset\", \"none\"]", "boundsAnimationDuration": "float", "drawers": "List[DrawerChange]", "pass": "bool", "scrollView": "str", "offset": "Point", "depth": "int"}, total=False)

class _WillAppearDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willAppear"]
    # Header time (seconds).
    time: float

class WillAppearDelegateEvent(_WillAppearDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidAppearDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didAppear"]
    # Header time (seconds).
    time: float

class DidAppearDelegateEvent(_DidAppearDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _WillDisappearDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willDisappear"]
    # Header time (seconds).
    time: float

class WillDisappearDelegateEvent(_WillDisappearDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidDisappearDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didDisappear"]
    # Header time (seconds).
    time: float

class DidDisappearDelegateEvent(_DidDisappearDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidBecomeActiveDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didBecomeActive"]
    # Header time (seconds).
    time: float

class DidBecomeActiveDelegateEvent(_DidBecomeActiveDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _WillTransitionDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willTransition"]
    # Header time (seconds).
    time: float

class WillTransitionDelegateEvent(_WillTransitionDelegateEvent, total=False):
    # The size to come.
    size: Size
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _TransitionDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["transition"]
    # Header time (seconds).
    time: float

class TransitionDelegateEvent(_TransitionDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidTransitionDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didTransition"]
    # Header time (seconds).
    time: float

class DidTransitionDelegateEvent(_DidTransitionDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _WillChangeTrackingScrollViewDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["willChangeTrackingScrollView"]
    # Header time (seconds).
    time: float

class WillChangeTrackingScrollViewDelegateEvent(_WillChangeTrackingScrollViewDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: Union[str, None]
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _SetTrackingScrollViewDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["setTrackingScrollView"]
    # Header time (seconds).
    time: float

class SetTrackingScrollViewDelegateEvent(_SetTrackingScrollViewDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: Union[str, None]
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidWriteContentOffsetDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didWriteContentOffset"]
    # Header time (seconds).
    time: float

class DidWriteContentOffsetDelegateEvent(_DidWriteContentOffsetDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class _DidResizeDelegateEvent(TypedDict):
    # Its kind.
    event: Literal["didResize"]
    # Header time (seconds).
    time: float

class DidResizeDelegateEvent(_DidResizeDelegateEvent, total=False):
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # How deep it is nested in other events; 0 if absent (0 if absent).
    depth: int

class ScrollView(TypedDict, total=False):
    # Its size on the screen.
    viewport: Size
    # The size of all its content.
    contentSize: Size
    # Space around the content.
    contentInset: Insets
    # Insets of its scroll indicators; those of the content if absent.
    scrollIndicatorInsets: Insets
    # The content's offset; minus the content inset if absent.
    offset: Point
    # Whether the safe area is added to the content inset ("never" if absent).
    contentInsetAdjustment: Literal["never", "automatic"]
    # Its kind in the toolkit ("scroll" if absent).
    kind: Literal["scroll", "table", "collection", "web"]
    # It rests at pages (false if absent).
    pagingEnabled: bool
    # Its pull to refresh, if it has one (null if absent).
    refreshControl: Union[None, RefreshControl]
    # Where it is in header space; the viewport at 0, 0 if absent.
    frame: Rect
    # Its events reach the delegates (true if absent).
    forwardsEvents: bool
    # Which changes bring an offset that is out of range back while nothing moves it ("all" if absent).
    clamping: Literal["all", "inset", "none"]
    # The axis that it scrolls on ("vertical" if absent).
    axis: Literal["vertical", "horizontal"]
    # Its content begins at the bottom, or at the right (false if absent).
    reversed: bool

class _Drawer(TypedDict):
    # Unique among the header's drawers.
    name: str
    # Its height when the header is expanded (points).
    height: float

class Drawer(_Drawer, total=False):
    # The edge of the content that it hangs on ("top" if absent).
    edge: Literal["top", "bottom", "leading", "trailing"]
    # Which movement hides the drawers of its edge: the content's towards the edge, or a finger's up or to the left ("content" if absent).
    direction: Literal["content", "finger"]
    # The drawer that it follows, in place of a behavior.
    follow: Follow
    # Its height at least (points, 0 if absent).
    minimumHeight: float
    # Its height at most; `height` if absent (points).
    maximumHeight: float
    # Its upper edge; the lower edge of the one before, or of the status bar, if absent (points).
    y: float
    # The tracking scroll view's if absent (points).
    width: float
    # It takes no movement (false if absent).
    sticky: bool
    # Opacity (1 if absent).
    alpha: float
    # It is not drawn (false if absent).
    hidden: bool
    # Order of drawing among the drawers.
    zIndex: int
    # Its parts, back to front ([] if absent).
    elements: List[Element]

class _Follow(TypedDict):
    # The leader.
    drawer: str

class Follow(_Follow, total=False):
    # The leader's header; its own if absent.
    header: str
    # What is the same of both: the share of the way, or points ("progress" if absent).
    by: Literal["progress", "points"]

class _Element(TypedDict):
    # Unique among the header's elements.
    name: str

class Element(_Element, total=False):
    # Where it is in the drawer.
    frame: Rect
    # Opacity (1 if absent).
    alpha: float
    # It is not drawn (false if absent).
    hidden: bool
    # Order of drawing within the drawer (0 if absent).
    zIndex: float
    # 16 numbers, m11 to m44 by rows.
    transform: List[float]

class _Delegate(TypedDict):
    # The behavior's name.
    behavior: str

class Delegate(_Delegate, total=False):
    # Its name; the behavior's in lowerCamelCase if absent.
    name: str
    # Options by name ({} if absent).
    options: Dict[str, Any]
    # A preset of the behavior; `options` take precedence.
    preset: str
    # Whose drawers it moves; the first drawer's if absent.
    edge: Literal["top", "bottom", "leading", "trailing"]

class _Stop(TypedDict):
    # Its name.
    name: str

class Stop(_Stop, total=False):
    # Share of the whole way: 0 is expanded, 1 is collapsed.
    progress: float
    # Height of the drawer there (points).
    height: float
    # How far the drawer has gone off its edge there, beyond its least height (points).
    shift: float
    # The drawer's name.
    drawer: str

class _HeaderDescription(TypedDict):
    # The header's name.
    header: str

class HeaderDescription(_HeaderDescription, total=False):
    # By name; one with the name `content` if absent.
    scrollViews: Dict[str, ScrollView]
    # Whose events reach the delegates; null: none's; the only one's if absent.
    trackingScrollView: Union[str, None]
    # The header's environment.
    environment: Environment
    # Which side is the leading edge ("leftToRight" if absent).
    layoutDirection: Literal["leftToRight", "rightToLeft"]
    # From the fixed edge outward ([] if absent).
    drawers: List[Drawer]
    # How the application holds the header ({} if absent).
    hosting: Dict[str, Any]
    # The chain, first asked first ([] if absent).
    delegates: List[Delegate]
    # Where frames come from: the daemon's clock, later events, or `advance` alone ("live" if absent).
    frames: Literal["live", "events", "manual"]
    # Frames a second (frames a second, 60 if absent).
    frameRate: float
    # What closes the header ("daemon" if absent).
    lifetime: Literal["daemon", "connection"]
    # What happens to the header when another scroll view tracks ("behavior" if absent).
    handOver: Literal["behavior", "keep"]
    # The insets of a scroll view that no longer tracks ("keep" if absent).
    onLeave: Literal["keep", "restore"]
    # Stretch at which letting go makes the notice `didTriggerStretch`; 0: never (points, 0 if absent).
    stretchTrigger: float
    # Which part of a pull beyond the beginning of the content moves the header ("together" if absent).
    refreshOrder: Literal["together", "refreshControlFirst", "headerFirst"]
    # States have `position` with `obstruction` (false if absent).
    tellsObstruction: bool
    # Places that `header.move` finds by name ([] if absent).
    stops: List[Stop]
    # Where the header is when it is opened, as `to` of `header.move`.
    initialPosition: Union[str, Target]
    # Whether the header stays shown while the environment asks for it ("shown" if absent).
    accessibility: Literal["shown", "original"]

class Environment(TypedDict, total=False):
    # What the safe area takes at each edge.
    safeAreaInset: Insets
    # The screen has a notch or the like (false if absent).
    deviceHasHardwareSafeArea: bool
    # Height of the status bar (points, 0 if absent).
    statusBarHeight: float
    # It is not shown (false if absent).
    statusBarHidden: bool
    # The daemon takes what the header wants of the status bar as done (false if absent).
    statusBarFollowsHeader: bool
    # Pixels a point (pixels a point, 1 if absent).
    screenScale: float
    # Of header space in the window.
    viewOrigin: Point
    # The header is on the screen (true if absent).
    visible: bool
    # The header is in a presented view (false if absent).
    presented: bool
    # Its window takes the keyboard (true if absent).
    keyWindow: bool
    # A screen reader runs (false if absent).
    voiceOverRunning: bool
    # The user wants little motion (false if absent).
    reduceMotion: bool
    # It runs in an extension of an app (false if absent).
    appExtension: bool
    # The user reaches everything on the screen by the keyboard (false if absent).
    fullKeyboardAccess: bool
    # The header stays on the screen at all times (false if absent).
    alwaysShown: bool
    # What the keyboard covers, from the scroll view's bottom (points, 0 if absent).
    keyboardHeight: float
    # Second of the wall clock; null: not known (seconds).
    clockSecondOfMinute: Union[float, None]

class HelloParams(TypedDict, total=False):
    # Version of the protocol (1 if absent).
    protocol: int
    # A text for the daemon's log.
    client: str

class _HelloResult(TypedDict):
    # Version of the protocol.
    protocol: Literal[1]
    # `headerd` and its version.
    server: str
    # What this daemon can do.
    capabilities: List[str]
    # This connection's roles.
    roles: List[Literal["publish", "subscribe", "tune", "admin"]]
    # All limits by name.
    limits: Limits
    # Its number, as in the log.
    connection: int
    # The monotonic clock of the daemon's machine; not header time (seconds).
    time: float

class HelloResult(_HelloResult, total=False):
    # By role, the globs of headers that it holds for; absent: for all.
    roleHeaders: RoleHeaders

class Limits(TypedDict):
    # Length of a line that a client sends (bytes).
    lineBytes: int
    # Connections at once.
    connections: int
    # Open headers.
    headers: int
    # Scroll views of a header.
    scrollViews: int
    # Delegates of a header.
    delegates: int
    # Drawers of a header.
    drawers: int
    # Elements of a header.
    elements: int
    # Values of a header.
    values: int
    # Subscriptions of a connection.
    subscriptions: int
    # Globs in a connection's subscriptions.
    globs: int
    # How deep events of delegates may be nested.
    nestedDepth: int
    # Layout passes after an event.
    layoutPasses: int
    # Size of a delegate's options (bytes).
    optionBytes: int
    # Size of a delegate's saved state (bytes).
    savedBytes: int
    # Bytes that may wait for a subscriber in the mode `every` (bytes).
    queueBytes: int
    # States of a header that are kept for `resumeFrom`.
    resumeStates: int
    # States of all headers that are kept for `resumeFrom` (bytes).
    resumeBytes: int
    # Notices that a waiting state gathers.
    notices: int
    # Events a second of a connection; 0: no limit.
    eventsPerSecond: int
    # Events in one message.
    batchEvents: int
    # Frames that an event makes up for when time leaps.
    framesPerEvent: int
    # How long a new connection may be silent (seconds).
    handshakeTimeout: float
    # How long a connection is silent before it gets a ping (seconds).
    idlePing: float
    # Longest deadline of a client delegate (seconds).
    deadline: float
    # Recordings at once.
    traces: int

PingParams = Dict[str, Any]

class PingResult(TypedDict):
    # The monotonic clock of the daemon's machine; not header time (seconds).
    time: float

class StatsParams(TypedDict, total=False):
    # Set all counters to 0 (false if absent).
    reset: bool
    # Rows that are wanted.
    include: List[Literal["headers", "subscribers"]]

class _StatsResult(TypedDict):
    # Open now.
    connections: int
    # Open now.
    headers: int
    # Open now.
    subscriptions: int
    # Handled.
    events: int
    # Made.
    states: int
    # Sent.
    gaps: int
    # Answered.
    errors: int
    # From clients (bytes).
    bytesReceived: int
    # To clients (bytes).
    bytesSent: int
    # States kept now for `resumeFrom`.
    resumeStates: int
    # Their size (bytes).
    resumeBytes: int

class StatsResult(_StatsResult, total=False):
    # Where the daemon keeps headers.
    journal: StatsResultJournal
    # Memory of the process (bytes).
    memory: int
    # Where headers are in processes of their own.
    workers: StatsResultWorkers
    # With `include` "headers": a row for each header that the client may see.
    headerRows: List[HeaderRow]
    # With `include` "subscribers": a row for each connection with subscriptions; for administrators of all headers, else the client's own.
    subscribers: List[SubscriberRow]
    # A row for each user; for administrators, else the client's own.
    users: List[StatsResultUser]
    # By name.
    plugins: Dict[str, StatsResultPlugin]

class _StatsResultJournal(TypedDict):
    # The durability of the config.
    durability: str
    # Headers that are recorded.
    headers: int
    # Headers that are not, since they cannot be saved.
    notRecorded: int
    # Of headers that cannot be saved and are kept as state and later inputs (bytes).
    copiedBytes: int
    # Headers that are kept for the next start.
    unrestored: int
    # Files.
    segments: int
    # Size of the files (bytes).
    bytes: int
    # Records written since the start.
    records: int

class StatsResultJournal(_StatsResultJournal, total=False):
    # Why nothing is recorded now.
    failure: str

class StatsResultWorkers(TypedDict):
    # Processes now.
    processes: int
    # Headers in them.
    headers: int
    # Processes that have died.
    deaths: int

class _HeaderRow(TypedDict):
    # Its name.
    header: str
    # Handled since it was opened.
    events: int
    # Made since it was opened.
    states: int
    # Commands that wait.
    queue: int
    # Connections that get its states.
    subscribers: int
    # Connections that have sent it events.
    publishers: int

class HeaderRow(_HeaderRow, total=False):
    # As in `delegate.shadow`.
    shadow: Shadow

class _SubscriberRow(TypedDict):
    # Its number.
    connection: int
    # Headers whose states it gets.
    headers: int

class SubscriberRow(_SubscriberRow, total=False):
    # Its `client` in `hello`.
    client: str
    # Its user's number.
    user: int
    # How many it has.
    subscriptions: int
    # Bytes that the system has not taken (bytes).
    queueBytes: int
    # The least time that the oldest unread bytes have waited (seconds).
    age: float

class QuotasUsed(TypedDict):
    # Connections at once.
    connections: int
    # Headers that the user has opened.
    headers: int
    # Subscriptions of all connections.
    subscriptions: int
    # Bytes that wait for connections that do not read.
    queueBytes: int
    # Memory that all of it takes, as an estimate.
    memoryBytes: int
    # Events so far.
    events: int

class Quotas(TypedDict, total=False):
    # Connections at once.
    connections: int
    # Headers that the user has opened.
    headers: int
    # Subscriptions of all connections.
    subscriptions: int
    # Bytes that wait for connections that do not read.
    queueBytes: int
    # Memory that all of it takes, as an estimate.
    memoryBytes: int
    # Events a second of all connections.
    eventsPerSecond: int

class StatsResultUser(TypedDict):
    # The user's number.
    user: int
    # Of each quota; of events how many so far.
    used: QuotasUsed
    # Each quota that is bounded.
    allowed: Quotas

class StatsResultPlugin(TypedDict):
    # Calls into it.
    calls: int
    # Time in these calls (seconds).
    time: float

RpcDiscoverParams = Dict[str, Any]

RpcDiscoverResult = Dict[str, Any]

class _HeaderOpenParams(TypedDict):
    # The header's name.
    header: str

class HeaderOpenParams(_HeaderOpenParams, total=False):
    # What happens if the header is open: join it if the description is the same, or close it first ("attach" if absent).
    ifExists: Literal["attach", "replace"]
    # The state of a whole header, from `header.get`.
    saved: Union[Dict[str, Any], None]
    # An epoch that the new one must exceed.
    after: int
    # Steps of a recording behind `saved`.
    steps: List[Dict[str, Any]]
    # By name; one with the name `content` if absent.
    scrollViews: Dict[str, ScrollView]
    # Whose events reach the delegates; null: none's; the only one's if absent.
    trackingScrollView: Union[str, None]
    # The header's environment.
    environment: Environment
    # Which side is the leading edge ("leftToRight" if absent).
    layoutDirection: Literal["leftToRight", "rightToLeft"]
    # From the fixed edge outward ([] if absent).
    drawers: List[Drawer]
    # How the application holds the header ({} if absent).
    hosting: Dict[str, Any]
    # The chain, first asked first ([] if absent).
    delegates: List[Delegate]
    # Where frames come from: the daemon's clock, later events, or `advance` alone ("live" if absent).
    frames: Literal["live", "events", "manual"]
    # Frames a second (frames a second, 60 if absent).
    frameRate: float
    # What closes the header ("daemon" if absent).
    lifetime: Literal["daemon", "connection"]
    # What happens to the header when another scroll view tracks ("behavior" if absent).
    handOver: Literal["behavior", "keep"]
    # The insets of a scroll view that no longer tracks ("keep" if absent).
    onLeave: Literal["keep", "restore"]
    # Stretch at which letting go makes the notice `didTriggerStretch`; 0: never (points, 0 if absent).
    stretchTrigger: float
    # Which part of a pull beyond the beginning of the content moves the header ("together" if absent).
    refreshOrder: Literal["together", "refreshControlFirst", "headerFirst"]
    # States have `position` with `obstruction` (false if absent).
    tellsObstruction: bool
    # Places that `header.move` finds by name ([] if absent).
    stops: List[Stop]
    # Where the header is when it is opened, as `to` of `header.move`.
    initialPosition: Union[str, Target]
    # Whether the header stays shown while the environment asks for it ("shown" if absent).
    accessibility: Literal["shown", "original"]

class HeaderOpenResult(TypedDict):
    # The header's name.
    header: str
    # The header's number, for frames.
    handle: int
    # Which life of the header; never used twice, and a later one is larger.
    epoch: int
    # False: it was open already.
    created: bool
    # Number of the header's latest state.
    seq: int
    # A number of what the header was opened as, but for sizes and environment.
    digest: int

class HeaderCloseParams(TypedDict):
    # The header's name.
    header: str

HeaderCloseResult = Dict[str, Any]

class HeaderListParams(TypedDict, total=False):
    # A glob of headers' names ("**" if absent).
    match: str

class HeaderListResult(TypedDict):
    # A row for each header that the client may see.
    headers: List[HeaderListRow]

class _HeaderListRow(TypedDict):
    # The header's name.
    header: str
    # The header's number, for frames.
    handle: int
    # Which life of the header; never used twice, and a later one is larger.
    epoch: int

class HeaderListRow(_HeaderListRow, total=False):
    # Number of the header's latest state.
    seq: int
    # Names of its drawers.
    drawers: List[str]
    # The chain, by name.
    delegates: List[str]
    # Connections that get its states.
    subscribers: int
    # Connections that have sent it events.
    publishers: int
    # Delegates that failed and are left out.
    bypassed: List[Bypassed]
    # Of a realm: the node that has it.
    owner: str

class _HeaderGetParams(TypedDict):
    # The header's name.
    header: str

class HeaderGetParams(_HeaderGetParams, total=False):
    # What the answer has beside the state.
    include: List[Literal["description", "environment", "saved", "position"]]

class _HeaderGetResult(TypedDict):
    # The present state.
    state: State
    # A number of what the header was opened as, but for sizes and environment.
    digest: int

class HeaderGetResult(_HeaderGetResult, total=False):
    # Delegates that failed and are left out.
    bypassed: List[Bypassed]
    # What the header can be opened with again.
    description: HeaderDescription
    # The header's environment now.
    environment: Environment
    # For `header.open`.
    saved: Dict[str, Any]
    # Where the header is; null: it cannot be brought to a position.
    position: Union[Position, None]

class PositionStop(TypedDict):
    # Its name.
    name: str
    # Share of the whole way: 0 is expanded, 1 is collapsed.
    progress: float

class _Position(TypedDict):
    # Share of the whole way: 0 is expanded, 1 is collapsed.
    progress: float
    # How far the drawers have gone (points).
    traveled: float
    # How far they can go (points).
    travel: float
    # Least and greatest progress that is permitted.
    permitted: List[float]
    # Constraints of the header, the strongest first.
    constraints: List[Constraint]
    # Places that `header.move` finds by name.
    stops: List[PositionStop]

class Position(_Position, total=False):
    # Number of the motion under way.
    motion: int

class _HeaderConfigureParams(TypedDict):
    # The header's name.
    header: str

class HeaderConfigureParams(_HeaderConfigureParams, total=False):
    # By name, in place of those that there are.
    scrollViews: Dict[str, ScrollView]
    # Whose events reach the delegates; null: none's; the only one's if absent.
    trackingScrollView: Union[str, None]
    # The header's environment.
    environment: Environment
    # From the fixed edge outward.
    drawers: List[Drawer]
    # Where frames come from: the daemon's clock, later events, or `advance` alone.
    frames: Literal["live", "events", "manual"]
    # Frames a second (frames a second).
    frameRate: float

class HeaderConfigureResult(TypedDict):
    # Number of the header's latest state.
    seq: int

class _HeaderCallParams(TypedDict):
    # The header's name.
    header: str
    # The call's name.
    name: str

class HeaderCallParams(_HeaderCallParams, total=False):
    # The delegate to call; the first that knows the call if absent.
    delegate: str
    # Arguments by name ({} if absent).
    arguments: Dict[str, Any]

class _HeaderCallResult(TypedDict):
    # What was returned.
    returned: Any
    # Number of the header's latest state.
    seq: int

class HeaderCallResult(_HeaderCallResult, total=False):
    # Number of the motion that it began.
    id: int

class _HeaderMoveParams(TypedDict):
    # The header's name.
    header: str
    # A stop's name, such as `expanded`, or a place in numbers.
    to: Union[str, Target]

class HeaderMoveParams(_HeaderMoveParams, total=False):
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]
    # Velocity that a spring begins with, in the offset's sign (points per millisecond, 0 if absent).
    velocity: float
    # The delegate's name.
    delegate: str

class HeaderMoveResult(TypedDict):
    # Number of the header's latest state.
    seq: int
    # Number of the motion.
    id: int
    # Where it leads.
    progress: float

class _HeaderConstrainParams(TypedDict):
    # The header's name.
    header: str
    # Its name; a constraint replaces one of the same name.
    name: str
    # A word, or the least and the greatest progress.
    permitted: Union[Literal["shown", "hidden", "both"], List[float]]

class HeaderConstrainParams(_HeaderConstrainParams, total=False):
    # Where the header goes now, as far as that is permitted: a word or a progress.
    wish: Union[None, Literal["shown", "hidden"], float]
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]
    # If two contradict each other, the greater one holds, of equals the older (0 if absent).
    priority: int
    # The holder's name, for people.
    holder: str
    # How long it holds: as long as the connection, for seconds, or until it is released (null) ("connection" if absent).
    lease: Union[None, Literal["connection"], float]

class HeaderConstrainResult(TypedDict):
    # Number of the header's latest state.
    seq: int
    # Least and greatest progress that is permitted.
    permitted: List[float]

class _HeaderReleaseParams(TypedDict):
    # The header's name.
    header: str
    # The constraint's name.
    name: str

class HeaderReleaseParams(_HeaderReleaseParams, total=False):
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]

class HeaderReleaseResult(TypedDict):
    # Number of the header's latest state.
    seq: int
    # Least and greatest progress that is permitted.
    permitted: List[float]

class _HeaderRevealParams(TypedDict):
    # The header's name.
    header: str
    # The part to show, in the content's coordinates.
    rect: Rect

class HeaderRevealParams(_HeaderRevealParams, total=False):
    # The scroll view's name.
    scrollView: str
    # Why it is shown ("focus" if absent).
    reason: Literal["focus", "anchor", "search"]

class HeaderRevealResult(TypedDict):
    # Number of the header's latest state.
    seq: int
    # How far the header gave way (points).
    gaveWay: float
    # How far the publisher was asked to scroll (points).
    scroll: float

class _HeaderExplainParams(TypedDict):
    # The header's name.
    header: str

class HeaderExplainParams(_HeaderExplainParams, total=False):
    # Explanations that are kept from now on; as many as before if absent.
    keep: int
    # Explanations that are wanted (256 if absent).
    last: int

class HeaderExplainResult(TypedDict):
    # Explanations that are kept.
    keep: int
    # The oldest first.
    explanations: List[Explanation]

class _EventsParams(TypedDict):
    # Events in order; the first that is refused ends the list.
    events: List[Event]

class EventsParams(_EventsParams, total=False):
    # The header's name.
    header: str

OneEventParams = Union["WillBeginDraggingEventParams", "DidScrollEventParams", "WillEndDraggingEventParams", "DidEndDraggingEventParams", "WillBeginDeceleratingEventParams", "DidEndDeceleratingEventParams", "DidEndScrollingAnimationEventParams", "ShouldScrollToTopEventParams", "DidScrollToTopEventParams", "DidChangeAdjustedContentInsetEventParams", "SetContentOffsetEventParams", "WillScrollEventParams", "DidOverscrollEventParams", "WillFlingEventParams", "LayoutEventParams", "WillAppearEventParams", "DidAppearEventParams", "WillDisappearEventParams", "DidDisappearEventParams", "DidBecomeActiveEventParams", "WillTransitionEventParams", "TransitionEventParams", "DidTransitionEventParams", "WillChangeTrackingScrollViewEventParams", "SetTrackingScrollViewEventParams", "SetOptionsEventParams", "CallEventParams", "AdvanceEventParams", "MoveEventParams", "ConstrainEventParams", "ReleaseEventParams", "RevealEventParams"]

class _WillBeginDraggingEventParams(TypedDict):
    # Its kind.
    event: Literal["willBeginDragging"]

class WillBeginDraggingEventParams(_WillBeginDraggingEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidScrollEventParams(TypedDict):
    # Its kind.
    event: Literal["didScroll"]
    # The content's offset when it happened; as it was if absent.
    offset: Point

class DidScrollEventParams(_DidScrollEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool
    # What moved the content.
    reason: Literal["user", "program", "keyboard", "content", "layout"]

class _WillEndDraggingEventParams(TypedDict):
    # Its kind.
    event: Literal["willEndDragging"]

class WillEndDraggingEventParams(_WillEndDraggingEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Velocity of the finger, in the offset's sign.
    velocity: Velocity
    # Where the content comes to rest.
    targetOffset: Point
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidEndDraggingEventParams(TypedDict):
    # Its kind.
    event: Literal["didEndDragging"]
    # The content continues by itself.
    willDecelerate: bool

class DidEndDraggingEventParams(_DidEndDraggingEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillBeginDeceleratingEventParams(TypedDict):
    # Its kind.
    event: Literal["willBeginDecelerating"]

class WillBeginDeceleratingEventParams(_WillBeginDeceleratingEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidEndDeceleratingEventParams(TypedDict):
    # Its kind.
    event: Literal["didEndDecelerating"]

class DidEndDeceleratingEventParams(_DidEndDeceleratingEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidEndScrollingAnimationEventParams(TypedDict):
    # Its kind.
    event: Literal["didEndScrollingAnimation"]

class DidEndScrollingAnimationEventParams(_DidEndScrollingAnimationEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _ShouldScrollToTopEventParams(TypedDict):
    # Its kind.
    event: Literal["shouldScrollToTop"]

class ShouldScrollToTopEventParams(_ShouldScrollToTopEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidScrollToTopEventParams(TypedDict):
    # Its kind.
    event: Literal["didScrollToTop"]

class DidScrollToTopEventParams(_DidScrollToTopEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidChangeAdjustedContentInsetEventParams(TypedDict):
    # Its kind.
    event: Literal["didChangeAdjustedContentInset"]

class DidChangeAdjustedContentInsetEventParams(_DidChangeAdjustedContentInsetEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _SetContentOffsetEventParams(TypedDict):
    # Its kind.
    event: Literal["setContentOffset"]
    # The content's offset when it happened; as it was if absent.
    offset: Point

class SetContentOffsetEventParams(_SetContentOffsetEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # The application has moved it with an animation (false if absent).
    animated: bool
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillScrollEventParams(TypedDict):
    # Its kind.
    event: Literal["willScroll"]
    # The movement that is offered.
    delta: Point
    # What moves the content.
    source: Literal["drag", "fling", "program"]

class WillScrollEventParams(_WillScrollEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidOverscrollEventParams(TypedDict):
    # Its kind.
    event: Literal["didOverscroll"]
    # The movement that is offered.
    delta: Point
    # What moves the content.
    source: Literal["drag", "fling", "program"]

class DidOverscrollEventParams(_DidOverscrollEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillFlingEventParams(TypedDict):
    # Its kind.
    event: Literal["willFling"]
    # Velocity of the finger, in the offset's sign.
    velocity: Velocity

class WillFlingEventParams(_WillFlingEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

LayoutEventParams = TypedDict("LayoutEventParams", {"header": "str", "time": "float", "event": "Literal[\"layout\"]", "safeAreaInset": "Insets", "deviceHasHardwareSafeArea": "bool", "statusBarHeight": "float", "statusBarHidden": "bool", "statusBarFollowsHeader": "bool", "screenScale": "float", "viewOrigin": "Point", "visible": "bool", "presented": "bool", "keyWindow": "bool", "voiceOverRunning": "bool", "reduceMotion": "bool", "appExtension": "bool", "fullKeyboardAccess": "bool", "alwaysShown": "bool", "keyboardHeight": "float", "clockSecondOfMinute": "Union[float, None]", "viewport": "Size", "contentSize": "Size", "contentInset": "Insets", "scrollIndicatorInsets": "Insets", "contentInsetAdjustment": "Literal[\"never\", \"automatic\"]", "kind": "Literal[\"scroll\", \"table\", \"collection\", \"web\"]", "pagingEnabled": "bool", "refreshControl": "Union[None, RefreshControl]", "frame": "Rect", "forwardsEvents": "bool", "clamping": "Literal[\"all\", \"inset\", \"none\"]", "boundsAnimationDuration": "float", "drawers": "List[DrawerChange]", "pass": "bool", "scrollView": "str", "offset": "Point", "correction": "Point", "isTracking": "bool", "isDragging": "bool", "isDecelerating": "bool", "reason": "Literal[\"user\", \"program\", \"keyboard\", \"content\", \"layout\"]"}, total=False)

class _WillAppearEventParams(TypedDict):
    # Its kind.
    event: Literal["willAppear"]

class WillAppearEventParams(_WillAppearEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidAppearEventParams(TypedDict):
    # Its kind.
    event: Literal["didAppear"]

class DidAppearEventParams(_DidAppearEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillDisappearEventParams(TypedDict):
    # Its kind.
    event: Literal["willDisappear"]

class WillDisappearEventParams(_WillDisappearEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidDisappearEventParams(TypedDict):
    # Its kind.
    event: Literal["didDisappear"]

class DidDisappearEventParams(_DidDisappearEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidBecomeActiveEventParams(TypedDict):
    # Its kind.
    event: Literal["didBecomeActive"]

class DidBecomeActiveEventParams(_DidBecomeActiveEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillTransitionEventParams(TypedDict):
    # Its kind.
    event: Literal["willTransition"]
    # The size to come.
    size: Size

class WillTransitionEventParams(_WillTransitionEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _TransitionEventParams(TypedDict):
    # Its kind.
    event: Literal["transition"]

class TransitionEventParams(_TransitionEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _DidTransitionEventParams(TypedDict):
    # Its kind.
    event: Literal["didTransition"]

class DidTransitionEventParams(_DidTransitionEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _WillChangeTrackingScrollViewEventParams(TypedDict):
    # Its kind.
    event: Literal["willChangeTrackingScrollView"]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: Union[str, None]

class WillChangeTrackingScrollViewEventParams(_WillChangeTrackingScrollViewEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _SetTrackingScrollViewEventParams(TypedDict):
    # Its kind.
    event: Literal["setTrackingScrollView"]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: Union[str, None]

class SetTrackingScrollViewEventParams(_SetTrackingScrollViewEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _SetOptionsEventParams(TypedDict):
    # Its kind.
    event: Literal["setOptions"]
    # Options by name.
    options: Dict[str, Any]

class SetOptionsEventParams(_SetOptionsEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # The delegate; the only one if absent.
    delegate: str
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _CallEventParams(TypedDict):
    # Its kind.
    event: Literal["call"]
    # The call's name.
    name: str

class CallEventParams(_CallEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Arguments by name.
    arguments: Dict[str, Any]
    # The delegate; the only one if absent.
    delegate: str
    # The end of what it animates is reported by a notice (false if absent).
    report: bool
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _AdvanceEventParams(TypedDict):
    # Its kind.
    event: Literal["advance"]

class AdvanceEventParams(_AdvanceEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # One frame of this length is run (seconds).
    frameDuration: float
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _MoveEventParams(TypedDict):
    # Its kind.
    event: Literal["move"]
    # A stop's name, such as `expanded`, or a place in numbers.
    to: Union[str, Target]

class MoveEventParams(_MoveEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]
    # Velocity that a spring begins with (points per millisecond, 0 if absent).
    velocity: float
    # The delegate; the only one if absent.
    delegate: str
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _ConstrainEventParams(TypedDict):
    # Its kind.
    event: Literal["constrain"]
    # Its name.
    name: str
    # A word, or the least and the greatest progress.
    permitted: Union[Literal["shown", "hidden", "both"], List[float]]

class ConstrainEventParams(_ConstrainEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Where the header goes now, as far as that is permitted: a word or a progress.
    wish: Union[None, Literal["shown", "hidden"], float]
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]
    # If two contradict each other, the greater one holds, of equals the older (0 if absent).
    priority: int
    # The holder's name, for people.
    holder: str
    # How long it holds: as long as the connection, for seconds, or until it is released (null).
    lease: Union[None, Literal["connection"], float]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _ReleaseEventParams(TypedDict):
    # Its kind.
    event: Literal["release"]
    # Its name.
    name: str

class ReleaseEventParams(_ReleaseEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # How it gets there: at once (false, null), by the usual motion (true), or by this one (false if absent).
    animated: Union[bool, None, Motion]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

class _RevealEventParams(TypedDict):
    # Its kind.
    event: Literal["reveal"]
    # The part to show, in the content's coordinates.
    rect: Rect

class RevealEventParams(_RevealEventParams, total=False):
    # The header's name.
    header: str
    # Time on the publisher's steady clock, of any origin; when it was read if absent (seconds).
    time: float
    # Why it is shown ("focus" if absent).
    reason: Literal["focus", "anchor", "search"]
    # Whose event it is; the tracking one's, else the only one's, if absent.
    scrollView: str
    # The content's offset when it happened; as it was if absent.
    offset: Point
    # The total of the header's own moves that are in the offset; all of them if absent.
    correction: Point
    # A finger is on the screen; by the order of events if absent.
    isTracking: bool
    # A finger moves the content; by the order of events if absent.
    isDragging: bool
    # The content continues by itself; by the order of events if absent.
    isDecelerating: bool

EventParams = Union["OneEventParams", "EventsParams"]

EventResult = Union["Decision", "Decisions"]

class _SubscribeParams(TypedDict):
    # Names or globs of headers.
    headers: Union[str, List[str]]

class SubscribeParams(_SubscribeParams, total=False):
    # Each state, or the latest that there is ("latest" if absent).
    mode: Literal["latest", "every"]
    # What happens when the client reads too slowly for `every`: a gap, or the end of the connection ("gap" if absent).
    onOverflow: Literal["gap", "disconnect"]
    # States of a header that are sent at most; 0: no bound (states a second, 0 if absent).
    maxRate: float
    # Parts of a state that are wanted; all if absent.
    fields: List[str]
    # Unit of which lengths are multiples; exact if absent (points).
    grid: float
    # By header, the last state seen; {} only asks to keep states.
    resumeFrom: Dict[str, SubscribeParamsResumeFrom]
    # What else states have ([] if absent).
    include: List[Literal["routine", "calls", "contentOffset"]]
    # Each state comes with its explanation (false if absent).
    explain: bool
    # States say how they go on, where that is known (false if absent).
    predict: bool

class SubscribeParamsResumeFrom(TypedDict):
    # Which life of the header; never used twice, and a later one is larger.
    epoch: int
    # Number of the last state that was seen.
    seq: int

class SubscribeResult(TypedDict):
    # Its number.
    subscription: int
    # Headers that it matches now.
    matched: int

class UnsubscribeParams(TypedDict):
    # Its number.
    subscription: int

UnsubscribeResult = Dict[str, Any]

class PluginListParams(TypedDict, total=False):
    # The plugin's name.
    plugin: str

class PluginListResult(TypedDict):
    # By name.
    plugins: List[Plugin]
    # Presets of these behaviors.
    presets: List[Preset]

class Preset(TypedDict):
    # A preset of the behavior; `options` take precedence.
    preset: str
    # The behavior's name.
    behavior: str
    # What it does, in a line.
    summary: str
    # Options of the behavior.
    options: Dict[str, Any]

class PluginLoadParams(TypedDict):
    # The plugin's name.
    plugin: str

class _PluginUnloadParams(TypedDict):
    # The plugin's name.
    plugin: str

class PluginUnloadParams(_PluginUnloadParams, total=False):
    # Take its behaviors out of the headers that use it (false if absent).
    force: bool

class PluginUnloadResult(TypedDict):
    # Headers that used it.
    headers: List[str]

class PluginReloadParams(TypedDict):
    # The plugin's name.
    plugin: str

class PluginReloadResult(TypedDict):
    # Headers that continue with it.
    headers: List[ReloadedHeader]
    # The file is another one.
    changed: bool

class ReloadedHeader(TypedDict):
    # The header's name.
    header: str
    # Number of the header's latest state.
    seq: int

class _TraceStartParams(TypedDict):
    # The header's name.
    header: str

class TraceStartParams(_TraceStartParams, total=False):
    # Version of the recording's format (1 if absent).
    format: int

class TraceStartResult(TypedDict):
    # The recording's number.
    trace: int

class TraceStopParams(TypedDict):
    # The recording's number.
    trace: int

class TraceStopResult(TypedDict):
    # How many there were.
    steps: int

class _AddBehaviorParams(TypedDict):
    # The header's name.
    header: str
    # The behavior's name.
    behavior: str

class AddBehaviorParams(_AddBehaviorParams, total=False):
    # Options of the behavior ({} if absent).
    options: Dict[str, Any]
    # Place in the chain, from 0; the end if absent.
    at: int
    # A preset of the behavior; `options` take precedence.
    preset: str
    # Whose drawers it moves; the first drawer's if absent.
    edge: Literal["top", "bottom", "leading", "trailing"]
    # Its name; the behavior's in lowerCamelCase if absent.
    name: str

class _AddClientParams(TypedDict):
    # The header's name.
    header: str
    # This connection joins: it is sent events, or asked about them.
    client: Literal["observe", "intercept"]

class AddClientParams(_AddClientParams, total=False):
    # `yields` alone ({} if absent).
    options: Dict[str, Any]
    # Place in the chain, from 0; the end if absent.
    at: int
    # Its name; one with the connection's number if absent.
    name: str
    # Kinds that a client wants; all if absent.
    events: List[Literal["willBeginDragging", "didScroll", "willEndDragging", "didEndDragging", "willBeginDecelerating", "didEndDecelerating", "didEndScrollingAnimation", "shouldScrollToTop", "didScrollToTop", "didChangeAdjustedContentInset", "willScroll", "didOverscroll", "willFling", "layout", "willAppear", "didAppear", "willDisappear", "didDisappear", "didBecomeActive", "willTransition", "transition", "didTransition", "willChangeTrackingScrollView", "setTrackingScrollView", "didWriteContentOffset", "didResize"]]
    # How long an event waits for the client's answer (seconds, 0.008 if absent).
    deadline: float

DelegateAddParams = Union["AddBehaviorParams", "AddClientParams"]

class DelegateAddResult(TypedDict):
    # The delegate's name.
    delegate: str
    # Its place in the chain.
    index: int

class DelegateRemoveParams(TypedDict):
    # The header's name.
    header: str
    # The delegate's name.
    delegate: str

class DelegateRemoveResult(TypedDict):
    # The chain, by name.
    delegates: List[str]

class DelegateMoveParams(TypedDict):
    # The header's name.
    header: str
    # The delegate's name.
    delegate: str
    # Place in the chain, from 0; the end if absent.
    at: int

class DelegateMoveResult(TypedDict):
    # The chain, by name.
    delegates: List[str]

class DelegateConfigureParams(TypedDict):
    # The header's name.
    header: str
    # The delegate's name.
    delegate: str
    # Options by name.
    options: Dict[str, Any]

class DelegateConfigureResult(TypedDict):
    # Number of the header's latest state.
    seq: int

class _DelegateShadowParams(TypedDict):
    # The header's name.
    header: str
    # The delegate's name.
    delegate: str

class DelegateShadowParams(_DelegateShadowParams, total=False):
    # The shadow ends (false if absent).
    end: bool
    # The shadow's behavior in place of the delegate's.
    behavior: str
    # Other options of the shadow.
    options: Dict[str, Any]

class DelegateShadowResult(TypedDict):
    # The shadow; null: there is none.
    shadow: Union[Shadow, None]

class DelegatePromoteParams(TypedDict):
    # The header's name.
    header: str
    # The delegate's name.
    delegate: str

class DelegatePromoteResult(TypedDict):
    # Number of the header's latest state.
    seq: int

GapParams = TypedDict("GapParams", {"header": "str", "epoch": "int", "reason": "Literal[\"overflow\", \"tooOld\", \"newEpoch\"]", "from": "int", "to": "int"}, total=False)

class ClosedParams(TypedDict):
    # The header's name.
    header: str
    # Which life of the header; never used twice, and a later one is larger.
    epoch: int
    # Number of its last state.
    seq: int
    # Why it is gone.
    reason: Literal["closed", "replaced", "connection", "failed"]

class ByeParams(TypedDict):
    # Why the connection ends.
    reason: Literal["draining", "overflow"]

class _TraceParams(TypedDict):
    # The recording's number.
    trace: int

class TraceParams(_TraceParams, total=False):
    # In the first: of the header.
    description: Dict[str, Any]
    # In the first: the header's state.
    saved: Dict[str, Any]
    # One input.
    step: TraceStep
    # In the last: the reason.
    ended: str
    # In the last: how many there were.
    steps: int

class _TraceStep(TypedDict):
    # The event, or the change, with its members.
    event: str

class TraceStep(_TraceStep, total=False):
    # Header time; absent before the header's first event (seconds).
    time: float
    # The same time, where a number does not hold it.
    nanoseconds: str
    # By client delegates: `delegate` and `answer`, or `passedOver` with the reason (`late`: its deadline had passed), or `bypassed` with the reason.
    asked: List[Dict[str, Any]]
    # What it was answered beside `seq`.
    result: Dict[str, Any]
    # In place of `result`: why it was refused; only time advanced.
    error: Error
    # The last state that it made.
    state: State
    # The states before that one.
    frames: List[State]

class _DurabilityParams(TypedDict):
    # Changes are on the disk when they are answered.
    durable: bool

class DurabilityParams(_DurabilityParams, total=False):
    # The header, if it concerns one alone.
    header: str
    # Why they are not.
    reason: str

class _DelegateEventParams(TypedDict):
    # The header's name.
    header: str
    # The delegate; the only one if absent.
    delegate: str
    # The event, after the chain.
    event: DelegateEvent

class DelegateEventParams(_DelegateEventParams, total=False):
    # Events before this one that were not sent.
    lost: int

class DelegateAskParams(TypedDict):
    # The header's name.
    header: str
    # The delegate's name.
    delegate: str
    # How long an event waits for the client's answer (seconds).
    deadline: float
    # The event with the answers of the delegates before the client.
    event: DelegateEvent

class _DelegateAskResult(TypedDict):
    # Whether the event continues unchanged, with these members, or ends here.
    verdict: Literal["pass", "rewrite", "end"]

class DelegateAskResult(_DelegateAskResult, total=False):
    # What is done, in order.
    actions: List[Action]
    # Where the content comes to rest.
    targetOffset: Point
    # Velocity for the delegates behind.
    velocity: Velocity
    # Where the event asks for a bool.
    returned: bool
    # The smaller offer to the delegates behind.
    delta: Point

class HeaderOpenOptions(TypedDict, total=False):
    # What happens if the header is open: join it if the description is the same, or close it first ("attach" if absent).
    ifExists: Literal["attach", "replace"]
    # The state of a whole header, from `header.get`.
    saved: Union[Dict[str, Any], None]
    # An epoch that the new one must exceed.
    after: int
    # Steps of a recording behind `saved`.
    steps: List[Dict[str, Any]]
    # By name; one with the name `content` if absent.
    scrollViews: Dict[str, ScrollView]
    # Whose events reach the delegates; null: none's; the only one's if absent.
    trackingScrollView: Union[str, None]
    # The header's environment.
    environment: Environment
    # Which side is the leading edge ("leftToRight" if absent).
    layoutDirection: Literal["leftToRight", "rightToLeft"]
    # From the fixed edge outward ([] if absent).
    drawers: List[Drawer]
    # How the application holds the header ({} if absent).
    hosting: Dict[str, Any]
    # The chain, first asked first ([] if absent).
    delegates: List[Delegate]
    # Where frames come from: the daemon's clock, later events, or `advance` alone ("live" if absent).
    frames: Literal["live", "events", "manual"]
    # Frames a second (frames a second, 60 if absent).
    frameRate: float
    # What closes the header ("daemon" if absent).
    lifetime: Literal["daemon", "connection"]
    # What happens to the header when another scroll view tracks ("behavior" if absent).
    handOver: Literal["behavior", "keep"]
    # The insets of a scroll view that no longer tracks ("keep" if absent).
    onLeave: Literal["keep", "restore"]
    # Stretch at which letting go makes the notice `didTriggerStretch`; 0: never (points, 0 if absent).
    stretchTrigger: float
    # Which part of a pull beyond the beginning of the content moves the header ("together" if absent).
    refreshOrder: Literal["together", "refreshControlFirst", "headerFirst"]
    # States have `position` with `obstruction` (false if absent).
    tellsObstruction: bool
    # Places that `header.move` finds by name ([] if absent).
    stops: List[Stop]
    # Where the header is when it is opened, as `to` of `header.move`.
    initialPosition: Union[str, Target]
    # Whether the header stays shown while the environment asks for it ("shown" if absent).
    accessibility: Literal["shown", "original"]
