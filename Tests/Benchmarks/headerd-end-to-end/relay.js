// SPDX-License-Identifier: MIT
//
// The limit's twin in Node: reads didScroll lines, clamps one number, writes states to all subscribers.
const net = require('net'), headers = new Map();
const header = (name) => {
  if (!headers.has(name)) headers.set(name, { name, seq: 1, bar: 0, y: 0, subscribers: new Set() });
  return headers.get(name);
};
const state = (of, time, snapshot) => JSON.stringify({ jsonrpc: '2.0', method: 'state', params: {
  header: of.name, epoch: 1763690400000001, seq: of.seq, time, snapshot,
  drawers: [{ name: 'navBar', frame: { x: 0, y: 20 - of.bar, width: 375, height: 44 } },
    { name: 'extension', frame: { x: 0, y: 64 - of.bar, width: 375, height: 40 }, hidden: true }],
  scrollViews: { content: { contentOffset: { x: 0, y: of.y }, contentInset: { top: 104 - of.bar, left: 0, bottom: 0, right: 0 },
    correction: { x: 0, y: -40 } } }, values: { isContracting: false } } }) + '\n';
const handle = (socket, { id, method, params }) => {
  if (id !== undefined) socket.write(`{"jsonrpc":"2.0","id":${id},"result":{}}\n`);
  if (method === 'subscribe') {
    const of = header(params.headers[0]);
    of.subscribers.add(socket);
    socket.write(state(of, 0, true));
  } else if (method === 'event' && params.event === 'didScroll') {
    const of = header(params.header);
    of.bar = Math.min(84, Math.max(0, of.bar + params.offset.y - of.y));
    of.y = params.offset.y;
    of.seq++;
    const line = state(of, params.time);
    for (const to of of.subscribers) {
      if (!to.writableCorked) { to.cork(); process.nextTick(() => to.uncork()); }
      to.write(line);
    }
  }
};
net.createServer((socket) => {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (bytes) => {
    const lines = (rest + bytes).split('\n');
    rest = lines.pop();
    for (const line of lines) handle(socket, JSON.parse(line));
  });
  const gone = () => { for (const of of headers.values()) of.subscribers.delete(socket); };
  socket.on('close', gone).on('error', gone);
}).listen(process.argv[2]);
process.on('SIGTERM', () => process.exit(0));
