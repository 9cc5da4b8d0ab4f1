// SPDX-License-Identifier: MIT
//
// The words that a client may put under `method`.

/// The methods that a client may call.
public enum RequestMethod: String, CaseIterable, Sendable {
  case hello, ping, stats
  case discover = "rpc.discover"
  case headerOpen = "header.open"
  case headerClose = "header.close"
  case headerList = "header.list"
  case headerGet = "header.get"
  case headerConfigure = "header.configure"
  case headerCall = "header.call"
  case headerMove = "header.move"
  case headerConstrain = "header.constrain"
  case headerRelease = "header.release"
  case headerReveal = "header.reveal"
  case headerExplain = "header.explain"
  case event, subscribe, unsubscribe
  case pluginList = "plugin.list"
  case pluginLoad = "plugin.load"
  case pluginUnload = "plugin.unload"
  case pluginReload = "plugin.reload"
  case traceStart = "trace.start"
  case traceStop = "trace.stop"
  case delegateAdd = "delegate.add"
  case delegateRemove = "delegate.remove"
  case delegateMove = "delegate.move"
  case delegateConfigure = "delegate.configure"
  case delegateShadow = "delegate.shadow"
  case delegatePromote = "delegate.promote"

  /// The method of a word in the text; the one of scroll events is found without making a string.
  init?(_ word: JSONString) {
    if word == "event" {
      self = .event
    } else {
      self.init(rawValue: word.string)
    }
  }
}
