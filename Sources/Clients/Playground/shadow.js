// SPDX-License-Identifier: MIT
//
// Options that are tried in a shadow of the header: it gets the same events without effect, and the daemon counts what differs.

const every = 500;

export class ShadowTrial {
  #link;
  #header;
  #show;
  #tried = null;
  #timer = null;

  /** `show(text, mayPromote)` is told how things stand. */
  constructor(link, header, show) {
    [this.#link, this.#header, this.#show] = [link, header, show];
  }

  /** Tries one more option of a delegate; of another delegate than before it begins anew. */
  async try(delegate, name, value) {
    const before = this.#tried?.delegate === delegate ? this.#tried.options : {};
    const options = { ...before, [name]: value };
    await this.#link.request("delegate.shadow", { header: this.#header, delegate, options });
    this.#tried = { delegate, options };
    this.#timer ??= setInterval(() => this.#look(), every);
    await this.#look();
  }

  /** Takes over what was tried. Gives the delegate and its options. */
  async promote() {
    const tried = this.#tried;
    await this.#link.request("delegate.promote", { header: this.#header, delegate: tried.delegate });
    this.forget();
    return tried;
  }

  async end() {
    const delegate = this.#tried?.delegate;
    this.forget();
    if (delegate) await this.#link.request("delegate.shadow", { header: this.#header, delegate, end: true }).catch(() => {});
  }

  /** The header is gone, and its shadow with it. */
  forget() {
    clearInterval(this.#timer);
    [this.#tried, this.#timer] = [null, null];
    this.#show("", false);
  }

  async #look() {
    if (!this.#tried) return;
    const { delegate } = this.#tried;
    const { shadow } = await this.#link.request("delegate.shadow", { header: this.#header, delegate }).catch(() => ({}));
    if (this.#tried?.delegate !== delegate) return;
    if (!shadow) return this.forget();
    const most = Math.round(shadow.largest * 100) / 100;
    const text = `The shadow of ${delegate} differed after ${shadow.differences} of ${shadow.events} events, by at most ${most} points.`;
    this.#show(shadow.failure ? `${text} It has ended: ${shadow.failure}` : text, !shadow.failure);
  }
}
