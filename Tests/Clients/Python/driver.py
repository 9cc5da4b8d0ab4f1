# SPDX-License-Identifier: MIT
"""Does the steps of a conformance script with the client for Python.

    driver.py blocking|asyncio        steps on stdin, a line of JSON for each on stdout (Tests/Clients/README.md)
"""
import asyncio
import inspect
import json
import select
import sys
import warnings

import headerd


class Blocking(headerd.Client):
    """The steps are written once, with await: here it waits for nothing."""

    @classmethod
    async def make(cls):
        return cls(name="conformance")


class Asynchronous(headerd.AsyncClient):
    @classmethod
    async def make(cls):
        client = cls(name="conformance")
        await client.connect()
        return client


async def done(value):
    return await value if inspect.isawaitable(value) else value


def error_object(error):
    return {
        "code": error.code, "name": error.name, "message": error.message, "field": error.field, "hint": error.hint,
        "data": error.data}


def fields_of(words):
    fields = {}
    for word in words:
        path, value = word.split("=")
        *parents, last = path.split(".")
        inner = fields
        for parent in parents:
            inner = inner.setdefault(parent, {})
        inner[last] = json.loads(value)
    return fields


def drawn(drawers):
    return [
        {"name": one.name, "frame": one.frame, "alpha": one.alpha, "hidden": one.hidden, "translation": one.translation} for one in drawers]


def looks(params):
    """What few states have: the opacity of elements, where the header is, and what it covers."""
    elements = {one["name"]: one.get("alpha", 1) for one in params.get("elements", [])}
    return {
        **({"elements": elements} if elements else {}),
        **{name: params["position"][name] for name in ("progress", "obstruction") if name in params.get("position", ())}}


class Actor:
    """One client and its views."""

    def __init__(self, client):
        self.client, self.views, self.mirrors = client, {}, False

    def told(self, message):
        if isinstance(message, headerd.Gap):
            return {"gap": {
                "header": message.header, "epoch": message.epoch, "reason": message.reason, "from": message.first,
                "to": message.last}}
        if isinstance(message, headerd.Closed):
            return {"closed": {
                "header": message.header, "epoch": message.epoch, "seq": message.seq, "reason": message.reason}}
        if isinstance(message, headerd.Failure):
            return {"failure": error_object(message.error)}
        view = self.views.setdefault(message.header, headerd.HeaderView(self.mirrors))
        view.apply(message)
        return {
            "state": {
                "header": message.header, "epoch": message.epoch, "seq": message.seq, "time": message.time,
                "snapshot": message.snapshot, "values": message.values,
                "offsets": {name: one.content_offset for name, one in message.scroll_views.items()},
                **looks(message.params), **({"ahead": True} if "ahead" in message.params else {})},
            "view": {
                "drawers": drawn(view.drawers),
                "scrollViews": {
                    name: {"offset": one.offset, "inset": one.inset, "correction": one.correction}
                    for name, one in view.scroll_views.items()}}}

    async def do(self, verb, rest):
        client, words = self.client, rest.split()
        if verb == "open":
            opened = await done(client.open(**json.loads(rest)))
            return {"opened": {
                "header": opened.header, "epoch": opened.epoch, "seq": opened.seq, "created": opened.created}}
        if verb == "subscribe":
            params = json.loads(rest)
            self.mirrors = "contentOffset" in params.get("include", ())
            result = await done(client.subscribe(**params))
            return {"subscribed": {"subscription": result.subscription, "matched": result.matched}}
        if verb == "unsubscribe":
            await done(client.unsubscribe(int(rest)))
            return {"unsubscribed": True}
        if verb == "request":
            method, params = rest.split(" ", 1)
            answer = await done(client.answer(method, json.loads(params)))
            return {"result": answer.result, "warnings": answer.warnings}
        if verb == "notify":
            await done(client.notify(words[0], **json.loads(rest.split(" ", 1)[1])))
            return {"sent": True}
        if verb == "event":
            await done(client.event(words[0], words[1], **fields_of(words[2:])))
            return {"sent": True}
        if verb == "decide":
            return {"decided": await done(client.decide(words[0], words[1], **fields_of(words[2:])))}
        if verb == "scroll":
            view = self.views[words[0]]
            fields = view.scroll(words[1], y=view.scroll_views[words[1]].offset.y + float(words[2]))
            await done(client.event(words[0], "didScroll", **fields, **fields_of(words[3:])))
            return {"sent": True, "offset": fields["offset"]["y"], "correction": fields["correction"]["y"]}
        if verb == "at":
            view = self.views[words[0]]
            state = view.at(view.scroll_views[words[1]].offset.y + float(words[2]), is_dragged=len(words) > 3)
            return {"at": {
                "values": state.values, "drawers": drawn(state.drawers),
                "insets": {name: one.content_inset for name, one in state.scroll_views.items()}, **looks(state.params)}}
        if verb == "turn":
            view, name = self.views[words[1]], words[2]
            messages = await done(client.scroll(
                view, name, y=view.scroll_views[name].offset.y + float(words[3]), within=int(words[0]) / 1000,
                **fields_of(words[4:])))
            return {"came": [self.told(message) for message in messages]}
        if verb == "dispatch":
            if not client.pending() and not select.select([client], [], [], 10)[0]:
                raise TimeoutError
            return {"came": [self.told(message) for message in client.dispatch()]}
        if verb == "next":
            return self.told(await done(client.next(10)))
        if verb == "none":
            await done(client.request("ping"))
            try:
                return self.told(await done(client.next(0)))
            except TimeoutError:
                return {"none": True}
        if verb == "resume":
            await done(client.resume())
            return {"resumed": True}
        if verb == "close":
            await done(client.close())
            return {"disconnected": True}
        raise ValueError(verb)


# What Python was warned of and no step has said yet.
CAUGHT = []


def catch(message, *_):
    CAUGHT.append(message)


async def perform(make, actors, step):
    """A field of a notification that the daemon does not know is a Python warning, told as other clients tell it: as a failure. It comes
    when it comes, also between two steps: the next step that waits for the daemon says it."""
    result = await perform_step(make, actors, step)
    if asyncio.iscoroutinefunction(make.__self__.next):
        await asyncio.sleep(0)  # What the reader has put off.
    if not CAUGHT or step.split(" ")[1:2] == ["notify"]:
        return result
    warned = [{"field": message.field, "hint": message.hint} for message in CAUGHT]
    CAUGHT.clear()
    return {"warned": warned, **result}


async def perform_step(make, actors, step):
    who, verb, rest = (step.split(" ", 2) + [""])[:3]
    if verb == "socket":
        return {"socket": headerd.default_socket()}
    try:
        if verb == "connect":
            actors[who] = Actor(await make())
            return {"connected": True}
        return await actors[who].do(verb, rest)
    except headerd.DaemonError as error:
        return {"error": error_object(error)}
    except headerd.ConnectionLost as error:
        return {"lost": error.reason}
    except headerd.NoDaemon as error:
        return {"noDaemon": error.path}
    except TimeoutError:
        return {"timeout": True}


async def main(make):
    actors = {}
    while True:
        step = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        if not step:
            break
        print(json.dumps(await perform(make, actors, step.rstrip("\n"))), flush=True)
    for actor in actors.values():
        await done(actor.client.close())


warnings.simplefilter("always", headerd.UnknownFieldWarning)
warnings.showwarning = catch
asyncio.run(main({"blocking": Blocking, "asyncio": Asynchronous}[sys.argv[1]].make))
