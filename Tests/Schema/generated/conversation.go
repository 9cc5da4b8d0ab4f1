// SPDX-License-Identifier: MIT
//
// A publisher, renderer and client of the chain in one, by the types that config/schema/bindings.py writes; or, without a socket, reads
// messages from stdin and says which of them its types do not hold.
//
//	conversation SOCKET
//	conversation < MESSAGES     lines {"method":…,"params":…} and {"method":…,"result":…}
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"reflect"

	"headerd/protocol"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type message struct {
	Jsonrpc  string             `json:"jsonrpc,omitempty"`
	Id       json.RawMessage    `json:"id,omitempty"`
	Method   string             `json:"method,omitempty"`
	Params   json.RawMessage    `json:"params,omitempty"`
	Result   json.RawMessage    `json:"result,omitempty"`
	Error    *protocol.Error    `json:"error,omitempty"`
	Warnings []protocol.Warning `json:"warnings,omitempty"`
}

type connection struct {
	lines  *bufio.Scanner
	socket net.Conn
	last   int
}

func (c *connection) write(m message) {
	text, err := json.Marshal(m)
	check(err)
	_, err = c.socket.Write(append(text, '\n'))
	check(err)
}

func (c *connection) read() message {
	if !c.lines.Scan() {
		check(fmt.Errorf("the connection has ended: %v", c.lines.Err()))
	}
	var m message
	check(protocol.Decode(c.lines.Bytes(), &m))
	return m
}

// ask sends a request and returns what was answered; what the daemon sends before goes to handle.
func ask[P, R any](c *connection, method protocol.Method[P, R], params P) (R, *protocol.Error) {
	c.last++
	text, err := json.Marshal(params)
	check(err)
	id := json.RawMessage(fmt.Sprint(c.last))
	c.write(message{Id: id, Method: method.Name, Params: text})
	for {
		m := c.read()
		if m.Method != "" {
			c.handle(m)
			continue
		}
		if string(m.Id) != string(id) || len(m.Warnings) > 0 {
			check(fmt.Errorf("unexpected: %+v", m))
		}
		var result R
		if m.Error == nil {
			check(protocol.Decode(m.Result, &result))
		}
		return result, m.Error
	}
}

func must[P, R any](c *connection, method protocol.Method[P, R], params P) R {
	result, refusal := ask(c, method, params)
	if refusal != nil {
		check(fmt.Errorf("%s: %s", method.Name, refusal.Message))
	}
	return result
}

func (c *connection) handle(m message) {
	params := protocol.NewParams(m.Method)
	if params == nil {
		return
	}
	check(protocol.Decode(m.Params, params))
	switch sent := params.(type) {
	case *protocol.State:
		for _, drawer := range sent.Drawers {
			fmt.Printf("state %d: %s at %g\n", sent.Seq, drawer.Name, drawer.Frame.Y)
		}
	case *protocol.DelegateAskParams:
		scroll, isScroll := sent.Event.Value.(protocol.DidScrollDelegateEvent)
		if !isScroll {
			check(fmt.Errorf("asked about %T", sent.Event.Value))
		}
		fmt.Printf("asked about %s to %g\n", scroll.Event, *scroll.Offset.Y)
		answer, err := json.Marshal(protocol.DelegateAskResult{
			Verdict: protocol.DelegateAskResultVerdictPass,
			Actions: []protocol.Action{{Value: protocol.NoticeAction{Name: "seen"}}},
		})
		check(err)
		c.write(message{Id: m.Id, Result: answer})
	default:
		fmt.Printf("%s\n", m.Method)
	}
}

func converse(path string) {
	socket, err := net.Dial("unix", path)
	check(err)
	c := &connection{lines: bufio.NewScanner(socket), socket: socket}
	c.lines.Buffer(nil, 1<<20)
	hello := must(c, protocol.MethodHello, protocol.HelloParams{Client: protocol.Of("generated")})
	fmt.Printf("protocol %d, %d roles\n", hello.Protocol, len(hello.Roles))
	must(c, protocol.MethodHeaderOpen, protocol.HeaderOpenParams{
		Header: "main",
		ScrollViews: map[string]protocol.ScrollView{"content": {
			Viewport:    &protocol.Size{Width: protocol.Of(375.0), Height: protocol.Of(667.0)},
			ContentSize: &protocol.Size{Height: protocol.Of(4000.0)},
		}},
		Drawers: []protocol.Drawer{
			{Name: "navBar", Height: 44},
			{Name: "tabs", Height: 40, Edge: protocol.Of(protocol.DrawerEdgeTop)},
		},
		Delegates: []protocol.Delegate{{Behavior: "ShyNavBar"}},
		Frames:    protocol.Of(protocol.HeaderOpenParamsFramesEvents),
	})
	must(c, protocol.MethodSubscribe, protocol.SubscribeParams{
		Headers: protocol.SubscribeParamsHeaders{Text: protocol.Of("main")}, Mode: protocol.Of(protocol.SubscribeParamsModeEvery),
	})
	added := must(c, protocol.MethodDelegateAdd, protocol.DelegateAddParams{AddClientParams: &protocol.AddClientParams{
		Header: "main", Client: protocol.AddClientParamsClientIntercept, Name: protocol.Of("judge"),
		Events: []protocol.AddClientParamsEvent{protocol.AddClientParamsEventDidScroll}, Deadline: protocol.Of(0.1),
	}})
	fmt.Printf("%s at %d\n", added.Delegate, added.Index)
	one := func(event protocol.OneEventParamsValue) protocol.EventParams {
		return protocol.EventParams{OneEventParams: &protocol.OneEventParams{Value: event}}
	}
	header := protocol.Of("main")
	must(c, protocol.MethodEvent, one(protocol.WillBeginDraggingEventParams{Header: header, Time: protocol.Of(1.0)}))
	decided := must(c, protocol.MethodEvent, one(protocol.DidScrollEventParams{
		Header: header, Time: protocol.Of(1.25), Offset: protocol.Point{Y: protocol.Of(-40.0)},
	}))
	fmt.Printf("decided, seq %d\n", decided.Decision.Seq)
	moved := must(c, protocol.MethodHeaderMove, protocol.HeaderMoveParams{
		Header: "main", To: protocol.HeaderMoveParamsTo{Target: &protocol.Target{Progress: protocol.Of(1.0)}},
	})
	fmt.Printf("moves to %g\n", moved.Progress)
	_, refusal := ask(c, protocol.MethodHeaderGet, protocol.HeaderGetParams{Header: "other"})
	fmt.Printf("%s\n", refusal.Data.Name)
	must(c, protocol.MethodHeaderClose, protocol.HeaderCloseParams{Header: "main"})
}

// compare reads each message by its type and writes it again.
func compare() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	count, failed := 0, 0
	for lines.Scan() {
		var m message
		check(json.Unmarshal(lines.Bytes(), &m))
		value, text := protocol.NewParams(m.Method), m.Params
		if m.Result != nil {
			value, text = protocol.NewResult(m.Method), m.Result
		}
		count++
		err := protocol.Decode(text, value)
		var written []byte
		if err == nil {
			written, err = json.Marshal(value)
		}
		if err == nil {
			var before, after any
			check(json.Unmarshal(text, &before))
			check(json.Unmarshal(written, &after))
			if !reflect.DeepEqual(full(before), full(after)) {
				err = fmt.Errorf("is written as %s", written)
			}
		}
		if err != nil {
			failed++
			fmt.Fprintf(os.Stderr, "%s: %v: %s\n", m.Method, err, text)
		}
	}
	fmt.Printf("%d messages, %d refused\n", count, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

// full is a value without empty lists and records, which are as good as absent.
func full(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if inner = full(inner); inner == nil {
				delete(value, name)
			} else {
				value[name] = inner
			}
		}
		if len(value) == 0 {
			return nil
		}
		return value
	case []any:
		for index := range value {
			value[index] = full(value[index])
		}
		if len(value) == 0 {
			return nil
		}
		return value
	}
	return value
}

func main() {
	if len(os.Args) > 1 {
		converse(os.Args[1])
	} else {
		compare()
	}
}
