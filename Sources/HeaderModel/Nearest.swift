// SPDX-License-Identifier: MIT
//
// "Did you mean": the one comparison of names by edit distance in the project, used for commands, options, config keys, methods,
// behaviors and fields alike, so that a hint means the same everywhere. HeaderPluginKit, which plugins are built with outside the project
// too, has this file by a link.
//
// A candidate is worth proposing when a hurried person could have meant it: at most one edit in three letters, and always at least one.
// An edit is a letter too many, too few, wrong, or two neighbors swapped. Case counts for nothing, since hurried people mix up
// `linebytes` and `lineBytes`. It costs (letters of one) × (letters of the other), and only for candidates whose length is close enough
// to win.
//
// An abbreviation leaves out more than that: `minHeight` is three edits from `height` and four from `minimumHeight`, which is meant. So a
// name that has all letters of the other in their order, with the same ends, or that continues where the other stops, is nearer than one
// at two edits or more.

/// The candidate that was probably meant by a misspelled name, or nil when none is close.
///
/// Of several equally close candidates the first one wins. A candidate equal to the name is returned as it is.
public func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
  let wanted = Array(name.lowercased())
  let maxEdits = max(1, wanted.count / 3)
  var best: (candidate: String, edits: Int)?
  var longForm: (candidate: String, leftOut: Int)?
  for candidate in candidates {
    let letters = Array(candidate.lowercased())
    let leftOut = abs(letters.count - wanted.count)
    if isAbbreviation(wanted, letters), leftOut < longForm?.leftOut ?? .max { longForm = (candidate, leftOut) }
    let bound = best.map { $0.edits - 1 } ?? maxEdits
    guard bound >= 0, leftOut <= bound else { continue }
    let edits = editDistance(wanted, letters)
    // A name of one or two letters shares too little with a word in which every letter would have to change.
    guard edits <= bound, edits < max(wanted.count, letters.count) else { continue }
    best = (candidate, edits)
  }
  if let best, best.edits <= 1 { return best.candidate }
  return longForm?.candidate ?? best?.candidate
}

/// Whether one of two names is short for the other: it has at least three letters and a third of the other's, all of them in their order,
/// and the same ends; or the given name is the beginning of the other.
private func isAbbreviation(_ wanted: [Character], _ candidate: [Character]) -> Bool {
  let (short, long) = wanted.count < candidate.count ? (wanted, candidate) : (candidate, wanted)
  guard short.count >= 3, short.count < long.count, 3 * short.count >= long.count else { return false }
  if candidate.starts(with: wanted) { return true }
  guard short.first == long.first, short.last == long.last else { return false }
  var rest = short[...]
  for letter in long where letter == rest.first { rest.removeFirst() }
  return rest.isEmpty
}

/// How many insertions, deletions, substitutions and swaps of neighbors turn one word into the other
/// (the "optimal string alignment" distance: no letter is edited twice).
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
      var edits = min(substitution, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        edits = min(edits, beforeLast[column - 1] + 1)
      }
      current.append(edits)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
