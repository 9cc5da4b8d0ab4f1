// SPDX-License-Identifier: MIT
//
// A client over any transport that carries the lines of the protocol. node.js brings the Unix socket.

import { ConnectionLost, Conversation, Timeout } from "./protocol.js";

export * from "./protocol.js";

/** A connection to the daemon, made by `open`, which connects anew each time it is called. */
export class Client {
  /** The daemon's answer to `hello`: roles, capabilities, limits. */
  hello = null;
  #open;
  #name;
  #patience;
  #conversation = new Conversation();
  #transport = null;
  /** Requests without an answer, by id. */
  #waiting = new Map();
  #messages = [];
  /** Those who wait in `next`, first come first served. */
  #listeners = [];

  /** `open` is given `{text, end}`, called with what arrives and at the end, and gives `{send, close}`, or a promise. */
  constructor(open, { name = "headerd for JavaScript", patience = 10_000 } = {}) {
    this.#open = open;
    this.#name = name;
    this.#patience = patience;
  }

  // Requests

  /** Opens a header (`header.open`), or attaches to the open one with the same description. */
  open(description) {
    return this.request("header.open", description);
  }

  /** Subscribes to headers, names or globs. Unless `resume` is false the daemon keeps states for `resume()`. */
  async subscribe(headers, { mode = "latest", resume = true, ...options } = {}) {
    const params = { headers, mode, ...(resume && { resumeFrom: {} }), ...options };
    const result = await this.request("subscribe", params);
    this.#conversation.subscriptions.push({ number: result.subscription, params });
    return result;
  }

  /** Ends a subscription. */
  async unsubscribe(subscription) {
    await this.request("unsubscribe", { subscription });
    const { subscriptions } = this.#conversation;
    this.#conversation.subscriptions = subscriptions.filter(({ number }) => number !== subscription);
  }

  /** Streams an event; errors come back as messages of the type `failure`. */
  event(header, event, fields = {}) {
    this.notify("event", { header, event, ...fields });
  }

  /** Sends an event and waits for what was decided about it. */
  decide(header, event, fields = {}) {
    return this.request("event", { header, event, ...fields });
  }

  /** Sends any request of the protocol and gives its result. Rejects with DaemonError. */
  async request(method, params = {}) {
    return (await this.answer(method, params)).result;
  }

  /** The same, with the warnings of the answer. */
  answer(method, params = {}) {
    const { id, line } = this.#conversation.request(method, params);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Timeout(`no answer to ${method} within ${this.#patience} ms`));
      }, this.#patience);
      this.#waiting.set(id, { resolve, reject, timer });
      try {
        this.#send(line);
      } catch (error) {
        this.#settle(id, ({ reject }) => reject(error));
      }
    });
  }

  /** Sends any notification. */
  notify(method, params = {}) {
    this.#send(this.#conversation.notification(method, params));
  }

  // Messages

  /** The next message, in the order sent. Rejects with Timeout after `timeout` milliseconds; 0 only looks. */
  next({ timeout = Infinity } = {}) {
    if (this.#messages.length > 0) return Promise.resolve(this.#messages.shift());
    if (!this.#transport) return Promise.reject(new ConnectionLost(this.#conversation.reason));
    if (timeout === 0) return Promise.reject(new Timeout("no message"));
    return new Promise((resolve, reject) => {
      const listener = { resolve, reject, timer: undefined };
      this.#listeners.push(listener);
      if (timeout === Infinity) return;
      listener.timer = setTimeout(() => {
        this.#listeners = this.#listeners.filter((one) => one !== listener);
        reject(new Timeout(`no message within ${timeout} ms`));
      }, timeout);
    });
  }

  /** All messages until the connection ends, by ConnectionLost. */
  async *[Symbol.asyncIterator]() {
    while (true) yield await this.next();
  }

  // The connection

  /** Connects. Rejects with NoDaemon, or with DaemonError where the daemon has no room. */
  async connect() {
    this.close();
    this.#conversation.begin();
    // What a transport says after its end concerns nobody.
    let transport = null;
    const isCurrent = () => transport !== null && transport === this.#transport;
    transport = await this.#open({
      text: (text) => isCurrent() && this.#receive(text),
      end: () => isCurrent() && this.#end(),
    });
    this.#transport = transport;
    const known = this.#messages.length;
    try {
      this.hello = await this.request("hello", { protocol: 1, client: this.#name });
    } catch (error) {
      // A daemon that has no room for one more says so before it ends the connection.
      const last = this.#messages.length > known ? this.#messages.pop() : null;
      throw error instanceof ConnectionLost && last?.type === "failure" ? last.error : error;
    }
    return this;
  }

  /** Connects anew and subscribes again from the last states seen: states, or a gap. Headers are not opened again. */
  async resume() {
    await this.connect();
    for (const one of this.#conversation.subscriptions) {
      one.number = (await this.request("subscribe", this.#conversation.resumed(one.params))).subscription;
    }
  }

  /** Ends the connection. */
  close() {
    this.#transport?.close();
    if (this.#transport) this.#end();
  }

  #send(line) {
    if (!this.#transport) throw new ConnectionLost(this.#conversation.reason);
    this.#transport.send(line);
  }

  #receive(text) {
    let received;
    try {
      received = this.#conversation.receive(text);
    } catch {
      this.#conversation.reason = `no headerd answers there, but ${JSON.stringify(text.slice(0, 80))}`;
      return this.close();
    }
    for (const { id, answer, error, message } of received) {
      if (message) this.#hand(message);
      else this.#settle(id, ({ resolve, reject }) => (error ? reject(error) : resolve(answer)));
    }
  }

  #hand(message) {
    const listener = this.#listeners.shift();
    if (!listener) return void this.#messages.push(message);
    clearTimeout(listener.timer);
    listener.resolve(message);
  }

  #settle(id, how) {
    const request = this.#waiting.get(id);
    if (!request) return;
    this.#waiting.delete(id);
    clearTimeout(request.timer);
    how(request);
  }

  #end() {
    this.#transport = null;
    const lost = () => new ConnectionLost(this.#conversation.reason);
    for (const id of [...this.#waiting.keys()]) this.#settle(id, ({ reject }) => reject(lost()));
    for (const { reject, timer } of this.#listeners.splice(0)) {
      clearTimeout(timer);
      reject(lost());
    }
  }
}
