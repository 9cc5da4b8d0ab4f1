// SPDX-License-Identifier: MIT
//
// Numbers with names, compared one by one: millions of them, so not in a suite, which is not optimized.

/// Where numbers differ from those expected in their place by more than `tolerance`, as text.
public func numbers(
  _ numbers: [(name: String, values: [Double])], differFrom expected: [(name: String, values: [Double])],
  by tolerance: Double
) -> [String] {
  zip(numbers, expected).compactMap { mine, others in
    let isSame = zip(mine.values, others.values).allSatisfy { abs($0 - $1) <= tolerance }
    return isSame ? nil : "\(mine.name) \(mine.values), expected \(others.values)"
  }
}
