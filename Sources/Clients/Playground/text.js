// SPDX-License-Identifier: MIT
//
// What leaves the playground as text: descriptions as TOML for headerd.toml, as programs, and recordings as `headerctl replay` verifies them.

/** A description in each format that is offered. */
export const texts = { TOML: toTOML, JSON: (description) => JSON.stringify(description, null, 2), Python: toPython, HTML: toHTML };

/** A program that opens the header, and prints where its drawers are. */
function toPython({ header, ...rest }) {
  const members = Object.entries(rest).map(([key, value]) => `        ${key}=${literal(value)},\n`).join("");
  return `import headerd

with headerd.Client() as client:
    client.open(
        ${JSON.stringify(header)},
${members}    )
    client.subscribe(${JSON.stringify(header)}, mode="every")
    for message in client:
        if isinstance(message, headerd.State):
            print(*(f"{drawer.name} at {drawer.frame.y:g}" for drawer in message.drawers))
`;
}

/** A value as Python writes it. */
function literal(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${literal(one)}`).join(", ")}}`;
  return JSON.stringify(value);
}

/** A page with the header over it, for a folder that has the client beside it. Its drawers are as high as the description says. */
function toHTML({ header, drawers, scrollViews, ...rest }) {
  const text = (value) => value.replace(/[&<"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", '"': "&quot;" })[one]);
  const pieces = drawers.map(({ name, ...more }) => `  <div slot="${text(name)}" data-drawer="${text(JSON.stringify(more))}">${text(name)}</div>\n`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8"><title>${text(header)}</title><link rel="icon" href="data:,">
<script type="module" src="client/element.js"></script>
<collapsing-header description="${text(JSON.stringify(rest))}">
${pieces.join("")}</collapsing-header>
<main>
${Array.from({ length: 60 }, (_, index) => `  <p>Row ${index + 1}</p>`).join("\n")}
</main>
`;
}

/** A header's description as a [[header]] of headerd.toml. */
function toTOML(description) {
  const { delegates = [], ...rest } = description;
  const lines = ["[[header]]", ...Object.entries(rest).map(([key, value]) => `${key} = ${inline(value)}`)];
  for (const delegate of delegates) {
    lines.push("", "[[header.delegates]]", ...Object.entries(delegate).map(([key, value]) => `${key} = ${inline(value)}`));
  }
  return `${lines.join("\n")}\n`;
}

function inline(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    // TOML has no null: an absent key means the default.
    const entries = Object.entries(value).filter(([, one]) => one !== null);
    return `{ ${entries.map(([key, one]) => `${/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key)} = ${inline(one)}`).join(", ")} }`;
  }
  return String(value);
}

/** A recording's file: what `trace.start` sent, in the format header-recording/1 (headerd-recordings(7)). */
export function recordingFile(server, first, steps, ended) {
  const head = { format: "header-recording/1", headerd: server.replace("headerd ", ""), ends: true, ...first };
  const body = [head, ...steps].map((line) => `${JSON.stringify(line)}\n`).join("");
  return `${body}${JSON.stringify({ ended, steps: steps.length, checksum: checksum(body) })}\n`;
}

/** FNV-1a of 64 bits in hexadecimal digits. */
function checksum(text) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, "0");
}

/** The description and the events of a recording, or of events alone, one a line; throws what is wrong with it. */
export function readRecording(text) {
  const lines = text.split("\n").filter((line) => line.trim()).map((line, index) => {
    try {
      return JSON.parse(line);
    } catch {
      throw new Error(`line ${index + 1} is not JSON`);
    }
  });
  const description = lines[0]?.description ?? null;
  const made = ["state", "frames", "asked", "result", "error", "nanoseconds"];
  const events = lines.filter((line) => typeof line.event === "string").map((line) =>
    Object.fromEntries(Object.entries(line).filter(([key]) => !made.includes(key))));
  if (events.length === 0) throw new Error("there are no events in it");
  return { description, events };
}
