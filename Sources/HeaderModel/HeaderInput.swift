// SPDX-License-Identifier: MIT
//
// Everything that can happen to a header is one input of one ordered stream, and enters by one function. The header is a
// state machine: the same description and the same inputs at the same times give the same states, byte for byte.
//
//     opened ─▶ apply(scroll) ─▶ apply(event) ─▶ apply(reloadDelegate) ─▶ apply(scroll) ─▶ …
//                   │                │ waits for a client                      │
//                   ▼                ▼                                         ▼
//                 states         apply(answer) ─▶ states                     states
//
// Inputs name drawers, scroll views and delegates; they hold no reference to anything. Their recorded form
// (HeaderInput+Value.swift) is the only form in which they leave the process.

/// One input of a header.
public enum HeaderInput: Sendable {
  /// A didScroll of the tracking scroll view, or of the only one, with nothing but its offset. Nearly all inputs are of this case, which
  /// is cheap to make; `event` with a didScroll means the same. Not for a header with `hasInterceptors`.
  case scroll(to: PartialPoint, correction: PartialPoint?)
  /// Any scroll event, change of layout, call or setting of options.
  case event(ScrollEvent)
  /// Keys of the description with new values (`header.configure`): lists replace lists; environment keys left out stay.
  case configure(Value.Record)
  /// A delegate joins the chain at a place, from 0; nil: at the end.
  case addDelegate(DelegateDescription, at: Int?)
  /// The delegate of that name leaves the chain. Its drawers and elements become free, its values are removed.
  case removeDelegate(String)
  /// The delegate of that name gets another place, from 0.
  case moveDelegate(String, to: Int)
  /// New code of its plugin takes over the delegate of that name, with the old one's saved state.
  case reloadDelegate(String, plugin: String)
  /// The plugin of the delegate was unloaded: the delegate is bypassed from here on.
  case unloadDelegate(String, plugin: String)
  /// The delegate is bypassed from here on, for a reason outside of the header: its process crashed in it.
  case bypassDelegate(String, reason: String)
  /// The places of another header that drawers of this one follow.
  case lead(LeaderNews)
  /// A client's answer, or why it did not come; only while `isWaiting`.
  case answer(DelegateReply)
}

/// The outcome of an input, beside the states.
public enum HeaderOutcome: Sendable {
  /// It was handled. Whether a delegate failed on the way, `Header.failure` says.
  case handled
  /// An event was handled, and this was decided about it.
  case decided(EventAnswer)
  /// An event waits for a client. `Header.question` has the question, and an `answer` resumes the event.
  case waiting
  /// A delegate joined at this place.
  case added(at: Int)
}

/// Mistakes in an input that was handled all the same.
public struct InputRemarks: Sendable {
  /// Unknown fields in a client's answer or in keys of a configuration.
  public var unknown: [UnknownField] = []
  /// Why a client's answer was dropped.
  public var refusal: HeaderError?

  /// Creates remarks about nothing.
  public init() {}
}
