// SPDX-License-Identifier: MIT
//
// Does the steps of a conformance script with the client for JavaScript: steps on stdin, a line of JSON for each on stdout
// (Tests/Clients/README.md).

import readline from "node:readline";
import * as headerd from "headerd";

const point = ({ x, y }) => [x, y];
const rect = ({ x, y, width, height }) => [x, y, width, height];
const insets = ({ top, left, bottom, right }) => [top, left, bottom, right];
/** What few states have: the opacity of elements, where the header is, and what it covers. */
const looks = ({ elements, position: { progress, obstruction } = {} }) => ({
  ...(elements?.length && { elements: Object.fromEntries(elements.map(({ name, alpha = 1 }) => [name, alpha])) }),
  ...(progress !== undefined && { progress }), ...(obstruction && { obstruction }),
});
const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

const errorObject = ({ code, name, message, field, hint, data }) => ({ code, name, message, field, hint, data });

function fieldsOf(words) {
  const fields = {};
  for (const word of words) {
    const [path, value] = word.split("=");
    const parents = path.split(".");
    const last = parents.pop();
    parents.reduce((inner, parent) => (inner[parent] ??= {}), fields)[last] = JSON.parse(value);
  }
  return fields;
}

const drawn = (drawers) => drawers.map(({ name, frame, alpha, hidden, translation }) => ({
  name, frame: rect(frame), alpha, hidden, translation: point(translation),
}));

class Actor {
  views = {};

  constructor(client) {
    this.client = client;
  }

  told(message) {
    switch (message.type) {
      case "gap": {
        const { header, epoch, reason, from, to } = message;
        return { gap: { header, epoch, reason, from, to } };
      }
      case "closed": {
        const { header, epoch, seq, reason } = message;
        return { closed: { header, epoch, seq, reason } };
      }
      case "failure":
        return { failure: errorObject(message.error) };
    }
    const { header, epoch, seq, time, snapshot, values, scrollViews, ahead } = message.state;
    const view = (this.views[header] ??= new headerd.HeaderView({ mirrors: this.mirrors }));
    view.apply(message.state);
    return {
      state: {
        header, epoch, seq, time, snapshot, values, offsets: mapped(scrollViews, (one) => point(one.contentOffset)),
        ...looks(message.state), ...(ahead && { ahead: true }),
      },
      view: {
        drawers: drawn(view.drawers),
        scrollViews: mapped(view.scrollViews, ({ offset, inset, correction }) => ({
          offset: point(offset), inset: insets(inset), correction: point(correction),
        })),
      },
    };
  }

  async do(verb, rest) {
    const { client } = this;
    const words = rest.split(" ");
    switch (verb) {
      case "open": {
        const { header, epoch, seq, created } = await client.open(JSON.parse(rest));
        return { opened: { header, epoch, seq, created } };
      }
      case "subscribe": {
        const { headers, ...options } = JSON.parse(rest);
        this.mirrors = options.include?.includes("contentOffset");
        return { subscribed: await client.subscribe(headers, options) };
      }
      case "unsubscribe":
        await client.unsubscribe(Number(rest));
        return { unsubscribed: true };
      case "request":
        return await client.answer(words[0], JSON.parse(rest.slice(words[0].length)));
      case "notify":
        client.notify(words[0], JSON.parse(rest.slice(words[0].length)));
        return { sent: true };
      case "event":
        client.event(words[0], words[1], fieldsOf(words.slice(2)));
        return { sent: true };
      case "decide":
        return { decided: await client.decide(words[0], words[1], fieldsOf(words.slice(2))) };
      case "scroll": {
        const [header, name, by] = words;
        const view = this.views[header];
        const fields = view.scroll(name, { y: view.scrollViews[name].offset.y + Number(by) });
        client.event(header, "didScroll", { ...fields, ...fieldsOf(words.slice(3)) });
        return { sent: true, offset: fields.offset.y, correction: fields.correction.y };
      }
      case "at": {
        const [header, name, by, isDragged] = words;
        const view = this.views[header];
        const state = view.at(view.scrollViews[name].offset.y + Number(by), Boolean(isDragged));
        const wanted = mapped(state.scrollViews, (one) => insets(one.contentInset));
        return { at: { values: state.values, drawers: drawn(state.drawers), insets: wanted, ...looks(state) } };
      }
      case "next":
        return this.told(await client.next({ timeout: 10_000 }));
      case "none":
        await client.request("ping");
        try {
          return this.told(await client.next({ timeout: 0 }));
        } catch (error) {
          if (error instanceof headerd.Timeout) return { none: true };
          throw error;
        }
      case "resume":
        await client.resume();
        return { resumed: true };
      case "close":
        client.close();
        return { disconnected: true };
    }
    throw new Error(verb);
  }
}

const actors = {};

async function perform(step) {
  const [who, verb] = step.split(" ", 2);
  if (verb === "socket") return { socket: headerd.defaultSocket() };
  try {
    if (verb === "connect") {
      actors[who] = new Actor(await headerd.connect({ name: "conformance" }));
      return { connected: true };
    }
    return await actors[who].do(verb, step.slice(who.length + verb.length + 2));
  } catch (error) {
    if (error instanceof headerd.DaemonError) return { error: errorObject(error) };
    if (error instanceof headerd.ConnectionLost) return { lost: error.reason };
    if (error instanceof headerd.NoDaemon) return { noDaemon: error.path };
    if (error instanceof headerd.Timeout) return { timeout: true };
    throw error;
  }
}

for await (const step of readline.createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await perform(step)) + "\n");
}
for (const { client } of Object.values(actors)) client.close();
