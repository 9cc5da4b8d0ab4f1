// SPDX-License-Identifier: MIT
//
// A publisher and a renderer by the JavaScript client, whose types config/schema/bindings.py writes.

import { connect, DaemonError } from "./node.js";
import type { Methods } from "./messages.js";

const client = await connect({ path: process.argv[2] });
const hello = await client.request("hello", { client: "generated" });
console.log(`protocol ${hello.protocol}, ${hello.roles.length} roles`);
const description: Methods["header.open"]["params"] = {
  header: "main",
  scrollViews: { content: { viewport: { width: 375, height: 667 }, contentSize: { height: 4000 } } },
  drawers: [{ name: "navBar", height: 44 }, { name: "tabs", height: 40, edge: "top" }],
  delegates: [{ behavior: "ShyNavBar" }],
  frames: "events",
};
await client.request("header.open", description);
await client.subscribe("main", { mode: "every" });
const added = await client.request("delegate.add", { header: "main", client: "observe", name: "witness", events: ["didScroll"] });
console.log(`${added.delegate} at ${added.index}`);
await client.request("event", { header: "main", event: "willBeginDragging", time: 1 });
const decided = await client.request("event", { header: "main", event: "didScroll", time: 1.25, offset: { y: -40 } });
console.log(`decided, seq ${decided.seq}`);
const moved = await client.request("header.move", { header: "main", to: { progress: 1 } });
console.log(`moves to ${moved.progress}`);
try {
  await client.request("header.get", { header: "other" });
} catch (error) {
  if (!(error instanceof DaemonError)) throw error;
  console.log(error.name);
}
await client.request("header.close", { header: "main" });
for await (const message of client) {
  if (message.type === "state") {
    for (const drawer of message.state.drawers) console.log(`state ${message.state.seq}: ${drawer.name} at ${drawer.frame.y}`);
  } else if (message.type === "closed") {
    console.log(message.reason);
    break;
  } else if (message.type === "notification" && message.method === "delegate.event" && message.params.event.event === "didScroll") {
    console.log(`witnessed ${message.params.event.event} to ${message.params.event.offset?.y}`);
  }
}
client.close();

// What is wrong by the types does not compile.
// @ts-expect-error
void (() => client.request("event", { header: "main", event: "didScroll" }));
// @ts-expect-error
void (() => client.request("event", { header: "main", event: "didScroll", offset: { y: 0 }, willDecelerate: true }));
// @ts-expect-error
void (() => client.request("header.move", { header: "main", to: 3 }));
// @ts-expect-error
void (() => client.request("subscribe", { headers: "main", mode: "sometimes" }));
