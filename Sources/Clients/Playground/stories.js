// SPDX-License-Identifier: MIT
//
// Why the header did what it did: the daemon's explanations of the last events, each a story in plain words (`header.explain`).

const kept = 256;

export class Stories {
  #link;
  #header;

  constructor(link, header) {
    [this.#link, this.#header] = [link, header];
  }

  /** Has the daemon keep explanations from now on. Who may not ask for them has a playground without. */
  begin() {
    this.#ask(0).catch(() => {});
  }

  /** The story of an event, as lines; none where the daemon has not kept it. */
  async of({ event, time }) {
    try {
      const { explanations } = await this.#ask(kept);
      // Header time is this window's own; it comes back to the nanosecond.
      const found = explanations.findLast((one) => one.event.event === event && Math.abs(one.event.time - time) < 1e-6);
      return found?.story ?? [];
    } catch {
      return [];
    }
  }

  #ask(last) {
    return this.#link.request("header.explain", { header: this.#header, keep: kept, last });
  }
}
