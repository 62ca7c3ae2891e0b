"""A language server that follows a script of faults. Conforming in nothing but what the script says."""

import json
import os
import signal
import subprocess
import sys
import time

script = json.loads(sys.argv[1])
steps = script["steps"]
state = {"split": 0, "glue": None, "longer": 0, "held": [], "ignore_eof": False}


def put(data):
    while data:
        data = data[os.write(1, data) :]


def frame(body, longer=0):
    return b"Content-Length: %d\r\n\r\n" % (len(body) + longer) + body


def send(message):
    data = frame(json.dumps(message).encode(), state["longer"])
    state["longer"] = 0
    if state["glue"] == "next":
        state["glue"] = data
        return
    if isinstance(state["glue"], bytes):
        data, state["glue"] = state["glue"] + data, None
    piece, state["split"] = state["split"] or len(data), 0
    for at in range(0, len(data), piece):
        put(data[at : at + piece])


def answer(id, result):
    send({"jsonrpc": "2.0", "id": id, "result": result})


def grandchild(**how):
    null = subprocess.DEVNULL
    subprocess.Popen(["sleep", "1000"], stdin=null, stdout=null, stderr=null, **how)


def run(verbs, message):
    id = message.get("id")
    for verb, *args in verbs:
        if verb == "reply":
            answer(id, args[0])
        elif verb == "error":
            send({"jsonrpc": "2.0", "id": id, "error": {"code": args[0], "message": args[1]}})
        elif verb == "twice":
            answer(id, args[0])
            answer(id, args[0])
        elif verb == "unknown_id":
            answer(987654321, args[0])
        elif verb == "hold":
            state["held"].append((id, message["method"]))
        elif verb == "release":
            while state["held"]:
                answer(*state["held"].pop())
        elif verb == "event":
            send({"jsonrpc": "2.0", "method": args[0], "params": args[1]})
        elif verb == "call":
            send({"jsonrpc": "2.0", "id": id, "method": args[0], "params": args[1]})
        elif verb == "noise":
            put(args[0].encode())
        elif verb == "split":
            state["split"] = args[0]
        elif verb == "glue":
            state["glue"] = "next"
        elif verb == "bad_length":
            state["longer"] = args[0]
        elif verb == "bad_utf8":
            put(frame(b'{"method": "\xff\xfe"}'))
        elif verb == "wait":
            time.sleep(args[0] / 1000)
        elif verb == "hang":
            signal.pause()
        elif verb == "close_output":
            os.close(1)
        elif verb == "close_input":
            os.close(0)
            signal.pause()
        elif verb == "stderr":
            sys.stderr.write("e" * args[0])
            sys.stderr.flush()
        elif verb == "complain":
            print(args[0], file=sys.stderr, flush=True)
        elif verb == "exit":
            os._exit(args[0])
        elif verb == "exit_mid_frame":
            put(frame(b'{"jsonrpc": "2.0", "id": 1, "result": null}')[:-9])
            os._exit(args[0])
        elif verb == "ignore_term":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        elif verb == "ignore_eof":
            state["ignore_eof"] = True
        elif verb == "grandchild":
            grandchild()
        elif verb == "grandchild_group":
            grandchild(preexec_fn=lambda: os.setpgid(0, 0))
        elif verb == "grandchild_session":
            grandchild(start_new_session=True)
        else:
            sys.exit("unknown verb " + verb)


def messages():
    stream = os.fdopen(0, "rb", closefd=False)
    while True:
        length = None
        while True:
            line = stream.readline()
            if not line:
                return
            if not line.strip():
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        yield json.loads(stream.read(length))


run(script["start"], {})
for message in messages():
    method = message.get("method")
    if method is None:
        continue
    step = next((step for step in steps if step[0] == method), None)
    if step:
        steps.remove(step)
        run(step[1], message)
    elif method == "exit":
        os._exit(0)
    elif "id" in message:
        answer(message["id"], None)
while state["ignore_eof"]:
    signal.pause()
