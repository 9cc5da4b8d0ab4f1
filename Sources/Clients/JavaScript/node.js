// SPDX-License-Identifier: MIT
//
// headerd's client for Node: the Unix socket, and where it is.

import net from "node:net";
import process from "node:process";
import { Client } from "./client.js";
import { NoDaemon } from "./protocol.js";

export * from "./client.js";

/** Where the daemon of this user listens: HEADERD_SOCKET, else the user's run-time folder. */
export function defaultSocket(environment = process.env) {
  if (environment.HEADERD_SOCKET) return environment.HEADERD_SOCKET;
  const runtime = environment.XDG_RUNTIME_DIR ?? "";
  if (runtime.startsWith("/")) return `${runtime}${runtime.endsWith("/") ? "" : "/"}headerd/headerd.sock`;
  const user = process.geteuid();
  return user === 0 ? "/run/headerd/headerd.sock" : `/tmp/headerd-${user}/headerd.sock`;
}

/** A connected client. Rejects with NoDaemon. */
export function connect({ path = defaultSocket(), ...options } = {}) {
  return new Client((listener) => openSocket(path, listener), options).connect();
}

function openSocket(path, { text, end }) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ path });
    socket.setEncoding("utf8");
    socket.once("error", (error) => reject(new NoDaemon(path, error)));
    socket.once("connect", () => {
      socket.on("error", () => {}); // `close` follows.
      socket.on("data", text);
      socket.on("close", end);
      resolve({ send: (line) => socket.write(line), close: () => socket.destroy() });
    });
  });
}
