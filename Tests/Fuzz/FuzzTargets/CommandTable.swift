// SPDX-License-Identifier: MIT
//
// Every message that a client may send, whole and right, in one table: what the fuzzer spoils. It is checked against the
// project's own lists (FuzzTests.everythingIsInTheTable), so that a method, a kind of event or a kind of frame that is new
// cannot be forgotten here. Options and calls come from the behaviors' own descriptions.

package import HeaderModel
package import HeaderWire

package enum CommandTable {
  /// Params of each method but `event`; `main` stands for the header, whatever it is called.
  package static let params: [(RequestMethod, String)] = [
    (.hello, #"{"protocol":1,"client":"fuzz"}"#),
    (.ping, "{}"),
    (.discover, "{}"),
    (.stats, #"{"reset":false}"#),
    (.headerClose, #"{"header":"main"}"#),
    (.headerList, "{}"),
    (.headerGet, #"{"header":"main","include":["environment","description","saved"]}"#),
    (.headerConfigure, #"{"header":"main","frameRate":30,"environment":{"statusBarHeight":24,"screenScale":2}}"#),
    (
      .headerConfigure,
      #"{"header":"main","drawers":[{"name":"navBar","height":50,"minimumHeight":10,"elements":[{"name":"title"}]},"#
        + #"{"name":"third","height":9,"y":2,"width":30,"alpha":0.5}]}"#
    ),
    (.headerConfigure, #"{"header":"main","drawers":[]}"#),
    (
      .headerConfigure,
      #"{"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":900}},"#
        + #""more":{"offset":{"x":1,"y":2}}},"trackingScrollView":"more"}"#
    ),
    (.headerCall, #"{"header":"main","name":"expand","arguments":{"animated":true}}"#),
    (.headerMove, #"{"header":"main","to":"collapsed","animated":{"duration":0.25,"curve":"easeInOut"}}"#),
    (
      .headerMove,
      #"{"header":"main","to":{"progress":0.5},"animated":{"spring":{"mass":1,"damping":12}},"velocity":0.5}"#
    ),
    (
      .headerMove,
      #"{"header":"main","to":{"drawer":"navBar","shift":10},"animated":{"duration":1,"drawnBy":"renderer"}}"#
    ),
    (
      .headerConstrain,
      #"{"header":"main","name":"tour","permitted":[0.25,0.75],"wish":0.5,"animated":true,"priority":-3,"lease":0.05}"#
    ),
    (.headerConstrain, #"{"header":"main","name":"dialog","permitted":"shown","lease":null,"holder":"a dialog"}"#),
    (.headerRelease, #"{"header":"main","name":"tour","animated":true}"#),
    (.headerReveal, #"{"header":"main","rect":{"x":0,"y":480,"width":320,"height":44},"reason":"anchor"}"#),
    (.headerExplain, #"{"header":"main","keep":4,"last":2}"#),
    (
      .subscribe,
      #"{"headers":["main","none.*"],"mode":"latest","maxRate":20,"include":["routine","calls"],"#
        + #""resumeFrom":{"main":{"epoch":1763690400000000,"seq":3}}}"#
    ),
    (.subscribe, #"{"headers":"main","mode":"every","onOverflow":"gap","fields":["drawers","values.progress"]}"#),
    (.unsubscribe, #"{"subscription":1}"#),
    (.pluginList, #"{"plugin":"Painter"}"#),
    (.pluginLoad, #"{"plugin":"Painter"}"#),
    (.pluginReload, #"{"plugin":"Painter"}"#),
    (.pluginUnload, #"{"plugin":"Scripted"}"#),
    (.traceStart, #"{"header":"main","format":1}"#),
    (.traceStop, #"{"trace":1}"#),
    (.delegateAdd, #"{"header":"main","behavior":"Scripted","name":"late","at":1,"options":{}}"#),
    (.delegateAdd, #"{"header":"main","client":"intercept","name":"guard","deadline":0.05,"at":0}"#),
    (.delegateAdd, #"{"header":"main","client":"observe","name":"eye","events":["didScroll","willEndDragging"]}"#),
    (.delegateRemove, #"{"header":"main","delegate":"late"}"#),
    (.delegateMove, #"{"header":"main","delegate":"guard","at":1}"#),
    (.delegateShadow, #"{"header":"main","delegate":"shyNavBar","options":{"expansionResistance":3.5}}"#),
    (.delegateShadow, #"{"header":"main","delegate":"shyNavBar","end":true}"#),
    (.delegatePromote, #"{"header":"main","delegate":"shyNavBar"}"#),
    (.delegateConfigure, #"{"header":"main","delegate":"shyNavBar","options":{"expansionResistance":3.5}}"#),
    (.headerOpen, open(behaviors: ["ShyNavBar"])),
  ]

  /// Fields of each kind of event beside the common ones.
  package static let events: [(EventName, String)] = [
    (.willBeginDragging, #"{"isTracking":true,"isDragging":true}"#),
    (.didScroll, #"{"offset":{"x":0,"y":12.5}}"#),
    (.didScroll, #"{"offset":{"y":-80},"correction":{"x":1,"y":2},"isDecelerating":false}"#),
    (.willEndDragging, #"{"velocity":{"x":0.25,"y":-0.8},"targetOffset":{"x":0,"y":210}}"#),
    (.didEndDragging, #"{"willDecelerate":true}"#),
    (.didEndDragging, #"{"willDecelerate":false}"#),
    (.willBeginDecelerating, "{}"),
    (.didEndDecelerating, "{}"),
    (.didEndScrollingAnimation, "{}"),
    (.shouldScrollToTop, "{}"),
    (.didScrollToTop, "{}"),
    (.didChangeAdjustedContentInset, "{}"),
    (.setContentOffset, #"{"offset":{"x":3,"y":40},"animated":true}"#),
    (.willScroll, #"{"delta":{"x":0,"y":7.5},"source":"drag"}"#),
    (.didOverscroll, #"{"delta":{"x":0,"y":-3},"source":"fling"}"#),
    (.willFling, #"{"velocity":{"x":0,"y":1.5}}"#),
    (
      .layout,
      #"{"viewport":{"width":320,"height":480},"contentSize":{"width":320,"height":1500},"frame":{"x":0,"y":0,"#
        + #""width":320,"height":480},"contentInset":{"top":64,"left":0,"bottom":10,"right":0},"#
        + #""scrollIndicatorInsets":{"top":1,"left":2,"bottom":3,"right":4},"boundsAnimationDuration":0.3,"pass":true}"#
    ),
    (
      .layout,
      #"{"safeAreaInset":{"top":44,"bottom":34},"statusBarHeight":20,"statusBarHidden":false,"screenScale":2,"#
        + #""viewOrigin":{"x":0,"y":5},"clockSecondOfMinute":30,"refreshControl":{"hidden":false,"height":60}}"#
    ),
    (
      .layout,
      #"{"drawers":[{"name":"navBar","height":30,"minimumHeight":5,"maximumHeight":90,"y":3,"width":100,"alpha":0.5,"#
        + #""elements":[{"name":"title","frame":{"x":1,"y":2,"width":3,"height":4},"alpha":0.25,"zIndex":2}]}]}"#
    ),
    (.willAppear, "{}"),
    (.didAppear, "{}"),
    (.willDisappear, "{}"),
    (.didDisappear, "{}"),
    (.didBecomeActive, "{}"),
    (.willTransition, #"{"size":{"width":667,"height":375}}"#),
    (.transition, "{}"),
    (.didTransition, "{}"),
    (.willChangeTrackingScrollView, #"{"scrollView":"side"}"#),
    (.setTrackingScrollView, #"{"scrollView":"side"}"#),
    (.setTrackingScrollView, #"{"scrollView":"content"}"#),
    (.setTrackingScrollView, #"{"scrollView":null}"#),
    (.setOptions, #"{"options":{"expansionResistance":5},"delegate":"shyNavBar"}"#),
    (.call, #"{"name":"expand","arguments":{},"delegate":"shyNavBar"}"#),
    (.advance, #"{"frameDuration":0.0166667}"#),
    (.advance, "{}"),
    (.move, #"{"to":"expanded","animated":true}"#),
    (.constrain, #"{"name":"tour","permitted":"hidden","lease":"connection"}"#),
    (.release, #"{"name":"tour"}"#),
    (.reveal, #"{"rect":{"x":0,"y":10,"width":20,"height":30},"reason":"search"}"#),
  ]

  /// What a client in the chain answers.
  package static let answers: [String] = [
    #"{"verdict":"pass"}"#,
    #"{"verdict":"rewrite","targetOffset":{"x":0,"y":176},"velocity":{"x":0,"y":1},"returned":true}"#,
    #"{"verdict":"rewrite","delta":{"x":0,"y":0}}"#,
    #"{"verdict":"end","actions":[{"action":"move","drawer":"navBar","by":-3.5},{"action":"expand"}]}"#,
    #"{"verdict":"pass","actions":[{"action":"contract","drawer":"navBar"},"#
      + #"{"action":"setHeight","drawer":"navBar","height":30}]}"#,
    #"{"verdict":"pass","actions":[{"action":"setDrawer","name":"navBar","frame":{"x":0,"y":1,"width":2,"height":3},"#
      + #""minimumHeight":1,"maximumHeight":9,"alpha":0.5,"translation":{"x":1,"y":1}}]}"#,
    #"{"verdict":"pass","actions":[{"action":"setDrawer","name":"extension","y":3,"width":9,"height":8,"hidden":true,"sticky":true},"#
      + #"{"action":"setDrawer","name":"extension","hidden":false,"sticky":false}]}"#,
    #"{"verdict":"pass","actions":[{"action":"setElement","name":"none"},{"action":"expand"}]}"#,
    #"{"verdict":"pass","actions":[{"action":"setValue","name":"no name","value":1}]}"#,
    #"{"verdict":"pass","actions":[{"action":"setElement","name":"title","frame":{"x":0,"y":1,"width":2,"height":3},"#
      + #""center":{"x":1,"y":1},"bounds":{"x":0,"y":0,"width":1,"height":1},"zIndex":3,"cornerRadius":2,"alpha":0.5,"#
      + #""transform":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}"#,
    #"{"verdict":"pass","actions":[{"action":"setValue","name":"seen","value":3},"#
      + #"{"action":"notice","name":"told","arguments":{"n":1}}]}"#,
    #"{"verdict":"pass","actions":[{"action":"setContentOffset","offset":{"y":20},"silent":true},"#
      + #"{"action":"setContentOffset","offset":{"x":1,"y":20}},"#
      + #"{"action":"setContentInset","inset":{"top":10,"left":0,"bottom":0,"right":0}}]}"#,
    #"{"verdict":"pass","actions":[{"action":"want","prefersStatusBarHidden":true,"topLayoutGuideLength":20,"#
      + #""additionalSafeAreaInset":{"top":1,"left":0,"bottom":0,"right":0}},"#
      + #"{"action":"command","name":"scrollRectToVisible","arguments":{"rect":{"x":0,"y":9000,"width":1,"height":1},"animated":true}}]}"#,
    #"{"verdict":"pass","actions":[{"action":"animate","duration":0.2,"delay":0.1,"curve":"spring","mass":1,"#
      + #""stiffness":100,"damping":10,"initialVelocity":0.5,"actions":[{"action":"move","drawer":"navBar","by":1}]}]}"#,
  ]

  /// A description with everything that has a number in it.
  package static func open(behaviors: [String]) -> String {
    let delegates = behaviors.map { #"{"behavior":"\#($0)"}"# }.joined(separator: ",")
    return
      #"{"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"width":375,"#
      + #""height":4000},"contentInset":{"top":64},"offset":{"x":0,"y":-64},"scrollIndicatorInsets":{"top":64},"#
      + #""frame":{"x":0,"y":0,"width":375,"height":667},"refreshControl":{"hidden":true,"height":60}},"#
      + #""side":{"viewport":{"width":100,"height":667}}},"trackingScrollView":"content","#
      + #""environment":{"statusBarHeight":20,"safeAreaInset":{"top":20},"screenScale":2,"viewOrigin":{"x":0,"y":0},"#
      + #""clockSecondOfMinute":12,"statusBarFollowsHeader":true},"#
      + #""drawers":[{"name":"navBar","height":44,"minimumHeight":20,"maximumHeight":80,"y":20,"width":375,"alpha":1,"#
      + #""elements":[{"name":"title","frame":{"x":1,"y":2,"width":30,"height":4.5},"alpha":1,"zIndex":0,"#
      + #""transform":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]},{"name":"extension","height":40}],"#
      + #""hosting":{"navigation":{"level":1}},"delegates":[\#(delegates)],"frames":"live","frameRate":60,"#
      + #""lifetime":"daemon","ifExists":"attach"}"#
  }

  /// Values that an option or an argument of a type may have.
  package static func sample(of schema: OptionSchema) -> Value { sample(of: schema.type, schema) }

  private static func sample(of type: OptionType, _ schema: OptionSchema) -> Value {
    switch type {
    case .number, .integer: .number(max(schema.minimum ?? 1, min(schema.maximum ?? 1, 1)))
    case .bool: true
    case .text: "title"
    case .case: .text(schema.cases.last ?? "")
    case .color: ["red": 0.5, "green": 0.25, "blue": 1, "alpha": 1]
    case .point: ["x": 1, "y": 2]
    case .size: ["width": 10, "height": 20]
    case .rect: ["x": 1, "y": 2, "width": 10, "height": 20]
    case .insets: ["top": 1, "left": 2, "bottom": 3, "right": 4]
    case .transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    case .list(.record): [record]
    case .list(let element): [sample(of: element, schema)]
    case .record: record
    }
  }

  /// What records of the shipped behaviors have, all at once.
  private static let record: Value = [
    "element": "title", "drawer": "navBar", "by": "contraction", "from": 0, "to": 1, "name": "large", "layout": "large",
    "progress": 0.5, "start": 0, "end": 0.4, "alpha": 0.5, "zIndex": 2, "cornerRadius": 3,
    "keys": [["progress": 0, "alpha": 1], ["progress": 1, "alpha": 0, "translation": ["x": 0, "y": 5]]],
  ]

  /// Calls and options of a behavior, as events.
  package static func events(of behavior: BehaviorDescription) -> [Value] {
    let delegate = Value.text(BehaviorDescription.lowerCamelCase(behavior.name))
    let calls = behavior.calls.map { call -> Value in
      let fields = call.arguments.map { Value.Record.Field(name: $0.name, value: sample(of: $0)) }
      return [
        "event": "call", "name": .text(call.name), "delegate": delegate, "arguments": .record(.init(fields: fields)),
      ]
    }
    let options = behavior.options.flatMap { option -> [Value] in
      [option.defaultValue, sample(of: option)].map { value in
        [
          "event": "setOptions", "delegate": delegate,
          "options": .record(.init(fields: [.init(name: option.name, value: value)])),
        ]
      }
    }
    return calls + options
  }
}

extension CommandTable {
  /// Every message of the table as a request.
  package static let messages: [String] =
    params.map { #"{"id":1,"method":"\#($0.0.rawValue)","params":\#($0.1)}"# }
    + events.map { name, fields in
      let rest = fields == "{}" ? "}" : "," + fields.dropFirst()
      return #"{"id":1,"method":"event","params":{"header":"main","event":"\#(name.rawValue)"\#(rest)}"#
    } + answers.map { #"{"id":"d1","result":\#($0)}"# }
}
