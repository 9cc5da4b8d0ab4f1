// SPDX-License-Identifier: MIT
//
// The chart of the README: CPU a delivered state as a multiple of the limit's, on a logarithmic scale, bars by workload.

import Foundation

extension Report {
  var chart: String {
    let names = servers.filter { !$0.hasPrefix("limit") }
    let colors = ["#0a66c2", "#5aa9e6", "#c0392b", "#8e6bbf", "#3c9d5d", "#d08a1d"]
    let (left, bar, gap, width) = (250.0, 13.0, 14.0, 460.0)
    let top = 58.0
    let group = Double(names.count) * bar + gap
    let height = top + group * Double(workloads.count) + 30
    // From a quarter of the limit to 64 times.
    func place(_ ratio: Double) -> Double { left + width * (log2(min(max(ratio, 0.25), 64)) + 2) / 8 }
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(figure(left + width + 60, 0)) \(figure(height, 0))" \
      font-family="system-ui, sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="#fff"/>
      <text x="12" y="22" font-size="15" font-weight="600">CPU a delivered state, as a multiple of the C relay's</text>
      """
    ]
    for (index, name) in names.enumerated() {
      let x = 12 + Double(index) * 118
      parts.append(
        "<rect x=\"\(figure(x, 0))\" y=\"33\" width=\"11\" height=\"11\" fill=\"\(colors[index % colors.count])\"/>"
          + "<text x=\"\(figure(x + 16, 0))\" y=\"43\">\(name)</text>")
    }
    for power in -2...6 {
      let x = place(pow(2, Double(power)))
      parts.append(
        "<line x1=\"\(figure(x, 1))\" x2=\"\(figure(x, 1))\" y1=\"\(figure(top, 0))\" y2=\"\(figure(height - 22, 0))\" "
          + "stroke=\"\(power == 0 ? "#333" : "#ddd")\"/>"
          + "<text x=\"\(figure(x, 1))\" y=\"\(figure(height - 8, 0))\" text-anchor=\"middle\">"
          + (power == 0 ? "limit" : "\(power < 0 ? "1/\(1 << -power)" : "\(1 << power)") ×") + "</text>")
    }
    for (row, workload) in workloads.enumerated() {
      let y = top + Double(row) * group + gap / 2
      parts.append(
        "<text x=\"\(figure(left - 10, 0))\" y=\"\(figure(y + group / 2, 1))\" text-anchor=\"end\">\(workload.name)</text>"
      )
      for (index, name) in names.enumerated() {
        guard let ratio = workload.series.first(where: { $0.server == name })?.ratios.median else { continue }
        let (begin, end) = (place(min(1, ratio)), place(max(1, ratio)))
        parts.append(
          "<rect x=\"\(figure(begin, 1))\" y=\"\(figure(y + Double(index) * bar, 1))\" width=\"\(figure(max(1, end - begin), 1))\" "
            + "height=\"\(figure(bar - 2, 0))\" fill=\"\(colors[index % colors.count])\"/>"
            + "<text x=\"\(figure(place(max(1, ratio)) + 4, 1))\" y=\"\(figure(y + Double(index) * bar + 10, 1))\" font-size=\"10\">"
            + "\(figure(ratio, 2))</text>")
      }
    }
    return parts.joined(separator: "\n") + "\n</svg>\n"
  }
}
