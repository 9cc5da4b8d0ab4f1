// SPDX-License-Identifier: MIT
//
// The schema of clients' answers: the decoder runs for every kind of event, in a header that has all names of `DecoderProbe`'s examples.

internal import HeaderCore
public import HeaderModel

extension DecoderProbe {
  /// A header that has whatever the examples name.
  private static func header() -> Header {
    var description = HeaderDescription(header: "a")
    description.scrollViews = [ScrollViewDescription(name: "a")]
    description.trackingScrollView = "a"
    var drawer = DrawerDescription(name: "a", height: 1, y: 0, width: 1)
    drawer.elements = [ElementDescription(name: "a")]
    description.drawers = [drawer]
    description.delegates = [DelegateDescription(client: ClientDescription(.intercept), name: "a")]
    do throws(HeaderError) {
      return try Header(description, epoch: 1, provider: NoBehaviors())
    } catch {
      preconditionFailure("headerd bug: a header of one drawer is refused: \(error.message)")
    }
  }

  /// The fields of each action of a client's answer.
  public static func notesOfActions() -> [(word: String, notes: FieldNotes)] {
    let header = header()
    return variants(of: "action", Header.actionWords) { fields throws(HeaderError) in
      try header.check(action: &fields)
    }
  }

  /// The fields of a client's answer (`delegate.ask`).
  public static func notesOfAnswers() -> FieldNotes {
    let header = header()
    return notes { fields throws(HeaderError) in
      var isTaken = false
      var refusal: HeaderError?
      for kind in DelegateEventKind.allCases {
        var reader = fields
        do throws(HeaderError) {
          try header.check(answer: &reader, to: kind)
          isTaken = true
        } catch {
          refusal = refusal ?? error
        }
      }
      if let refusal, !isTaken { throw refusal }
    }
  }
}

/// The trial's chain has client delegates only.
private final class NoBehaviors: BehaviorProvider {
  func behavior(named name: String) -> BehaviorDescription? { nil }
  var behaviorNames: [String] { [] }
  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    throw HeaderError(.behaviorNotFound, "there is no behavior \"\(name)\"")
  }
}
