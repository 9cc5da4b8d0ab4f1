// SPDX-License-Identifier: MIT

import { Client, ClientOptions } from "./client.js";

export * from "./client.js";

export interface ConnectOptions extends ClientOptions {
  /** The socket; `defaultSocket()` if absent. */
  path?: string;
}

export function defaultSocket(environment?: { [name: string]: string | undefined }): string;
export function connect(options?: ConnectOptions): Promise<Client>;
