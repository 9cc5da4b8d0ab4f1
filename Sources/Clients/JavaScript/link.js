// SPDX-License-Identifier: MIT
//
// A page's connection to headerd-web: one WebSocket for all headers, which comes back by itself.

import { Client } from "./client.js";
import { ConnectionLost, HeaderdError, NoDaemon } from "./protocol.js";

/** Where the page's own server has WebSockets. */
export function defaultAddress() {
  const { protocol, host } = globalThis.location;
  return `${protocol === "https:" ? "wss" : "ws"}://${host}/socket`;
}

/** The token behind the number sign of the page's address: browsers send that part nowhere. */
export function tokenOfPage() {
  return new URLSearchParams(globalThis.location.hash.slice(1)).get("token");
}

/** A transport for `Client`: lines in text messages. */
export function webSocket(address, token) {
  return ({ text, end }) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(token ? `${address}?token=${encodeURIComponent(token)}` : address, "headerd.json");
      socket.onopen = () => resolve({ send: (line) => socket.send(line), close: () => socket.close() });
      socket.onmessage = ({ data }) => text(data);
      socket.onclose = ({ reason }) => {
        reject(new NoDaemon(address, reason || "no WebSocket"));
        end();
      };
    });
}

/** Milliseconds between two attempts to connect: the first, and the longest. */
const patience = { first: 250, most: 4000 };

export class Link {
  isConnected = false;
  #client;
  #status;
  #other;
  /** By header: `listeners`, `options` and `number` of the one subscription, and the last state, for listeners that come later. */
  #headers = new Map();
  #isEnded = false;
  #wake = () => {};

  /** `status(isConnected, error)` is called when either changes, `other(message)` with what belongs to no header. */
  constructor({ address = defaultAddress(), token = tokenOfPage(), name = "a page", status, other = () => {} } = {}) {
    this.#client = new Client(webSocket(address, token), { name });
    // A connection that comes back by itself is no error; one that never was, and what the daemon refuses, are.
    this.#status = status ?? ((isConnected, error) => {
      if (error && (isConnected || !this.hello)) console.error(`headerd: ${error.message}`);
    });
    this.#other = other;
    this.#run();
  }

  /** The daemon's answer to `hello`; null before the first connection. */
  get hello() {
    return this.#client.hello;
  }

  /** Any request of the protocol. */
  request(method, params) {
    return this.#client.request(method, params);
  }

  /** Sends an event; without a connection it is dropped, since the page's place is told anew by the next one. */
  event(header, event, fields) {
    if (this.isConnected) this.#client.event(header, event, fields);
  }

  /** Subscribes to a header, now and after each new connection; `listener` has `connected`, `message` and `lost`. */
  add(header, listener, options = {}) {
    let entry = this.#headers.get(header);
    if (!entry) this.#headers.set(header, (entry = { listeners: new Set(), options, number: null, last: null }));
    entry.listeners.add(listener);
    if (entry.last) listener.message?.(entry.last);
    if (this.isConnected) this.#begin(header, entry, [listener]);
  }

  remove(header, listener) {
    const entry = this.#headers.get(header);
    entry?.listeners.delete(listener);
    if (!entry || entry.listeners.size > 0) return;
    this.#headers.delete(header);
    if (entry.number && this.isConnected) this.#client.unsubscribe(entry.number).catch(() => {});
  }

  close() {
    this.#isEnded = true;
    this.#wake();
    this.#client.close();
  }

  async #begin(header, entry, listeners) {
    try {
      for (const listener of listeners) await listener.connected?.();
      // What was subscribed before, `resume` has subscribed again.
      if (entry.number !== null || this.#headers.get(header) !== entry) return;
      entry.number = 0;
      entry.number = (await this.#client.subscribe(header, entry.options)).subscription;
      if (this.#headers.get(header) !== entry) await this.#client.unsubscribe(entry.number);
    } catch (error) {
      if (entry.number === 0) entry.number = null;
      this.#complain(error);
    }
  }

  async #run() {
    let delay = patience.first;
    while (!this.#isEnded) {
      try {
        await this.#client.resume();
        this.#become(true);
        delay = patience.first;
        for (const [header, entry] of this.#headers) this.#begin(header, entry, entry.listeners);
        for await (const message of this.#client) this.#dispatch(message);
      } catch (error) {
        if (!(error instanceof HeaderdError)) throw error;
        // Who closes it knows that it has ended.
        this.#become(false, this.#isEnded ? null : error);
      }
      if (this.#isEnded) return;
      await new Promise((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, delay);
      });
      delay = Math.min(2 * delay, patience.most);
    }
  }

  #become(isConnected, error = null) {
    const before = this.isConnected;
    this.isConnected = isConnected;
    if (before && !isConnected) for (const { listeners } of this.#headers.values()) for (const one of listeners) one.lost?.();
    this.#status(isConnected, error);
  }

  #dispatch(message) {
    if (message.type === "failure") return this.#complain(message.error);
    if (message.type === "notification") return this.#other(message);
    const header = message.type === "state" ? message.state.header : message.header;
    const entry = this.#headers.get(header);
    if (!entry) return;
    if (message.type !== "gap") entry.last = message.type === "state" ? message : null;
    for (const listener of entry.listeners) listener.message?.(message);
  }

  /** What the daemon refuses is a mistake of the page's; what the end of a connection refuses is not. */
  #complain(error) {
    if (!(error instanceof ConnectionLost)) this.#status(this.isConnected, error);
  }
}
