#!/usr/bin/env python3
"""What a screen with the wall of live boards costs: processor time of the hub and of Chromium.

    python3 benches/screen_cost.py target/release/flagfall [--tables 200] [--seconds 60] [--warm 60]

Runs `flagfall demo --speed 1` (which plays the hall in the same process), waits until games are played, and
measures the hub without a screen and with one; the difference is the screen's. Chromium is all its
processes. Linux; needs chromium in the path and nothing beside Python's own modules.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

# As often as the page of boards asks (wall.js).
EVERY_S = 1.5
ASKS = 200
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pid):
    """Processor seconds of a process so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def family(group):
    """The processes of a process group: Chromium's helpers stay in it."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getpgid(int(name)) == group:
                found.append(int(name))
        except ProcessLookupError:
            pass
    return found


def spent(pids):
    """Processor seconds by process; one that has gone is left out."""
    times = {}
    for pid in pids:
        try:
            times[pid] = cpu(pid)
        except (FileNotFoundError, ProcessLookupError):
            pass
    return times


def share(pids, seconds):
    """The share of one core that processes take in the next seconds."""
    before, start = spent(pids()), time.monotonic()
    time.sleep(seconds)
    after = spent(pids())
    return sum(value - before.get(pid, 0) for pid, value in after.items()) / (time.monotonic() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flagfall")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=60)
    parser.add_argument("--content", default="boards")
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="flagfall-screen-cost-")
    log = open(f"{work}/hub", "w+", encoding="utf-8")
    command = [options.flagfall, "demo", "--tables", str(options.tables), "--rounds", "1", "--speed", "1",
               "--http", "127.0.0.1:0", "--mqtt", "127.0.0.1:0", "--json"]
    started = [subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)]
    try:
        for _ in range(300):
            time.sleep(0.2)
            log.seek(0)
            found = re.search(r"(http://[\d.:]+)/console\s+PIN (\S+?),", log.read())
            if found:
                break
        url, pin = found.groups()

        def call(path, body=None, token=None):
            data = None if body is None else json.dumps(body).encode()
            headers = {"Content-Type": "application/json"}
            if token:
                headers["Authorization"] = f"Bearer {token}"
            request = urllib.request.Request(f"{url}/api/v1{path}", data, headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)

        token = call("/login", {"pin": pin, "name": "Bench", "bearer": True})["token"]
        print(f"warming up for {options.warm:.0f} s", flush=True)
        # At real speed the hall's own arbiter takes his time.
        for path in ("/round/publish", "/round/start"):
            try:
                call(path, {}, token)
            except urllib.error.HTTPError as error:
                print(f"{path}: {error.read().decode()[:120]}", flush=True)
        for _ in range(900):
            if call("/hall", token=token)["round"]["phase"] in ("started", "playing"):
                break
            time.sleep(1)
        time.sleep(options.warm)
        hub = lambda: [started[0].pid]
        alone = share(hub, options.seconds)
        browser = ["chromium", "--headless=new", "--no-first-run", "--window-size=1920,1080",
                   f"--user-data-dir={work}/profile", *(["--no-sandbox"] if os.geteuid() == 0 else []), f"{url}/screen"]
        started.append(subprocess.Popen(browser, stdout=log, stderr=log, start_new_session=True))
        for _ in range(120):
            screens = call("/screens", token=token)
            if screens:
                break
            time.sleep(0.5)
        number = screens[0]["number"]
        call(f"/screens/{number}/assign", {"content": options.content}, token)
        time.sleep(10)
        chromium = lambda: family(started[1].pid)
        both = lambda: hub() + chromium()
        # One stretch of time for both.
        before = spent(both())
        start = time.monotonic()
        time.sleep(options.seconds)
        after, took = spent(both()), time.monotonic() - start
        with_screen = (after[started[0].pid] - before[started[0].pid]) / took
        seen = sum(value - before.get(pid, 0) for pid, value in after.items() if pid != started[0].pid) / took
        # The difference of two stretches of play is mostly noise: what the page asks for is weighed alone too.
        if options.content == "boards":
            shown = len(call(f"/screen/boards?number={number}"))
            before, start = cpu(started[0].pid), time.monotonic()
            for _ in range(ASKS):
                call(f"/screen/boards?number={number}")
            own = cpu(started[0].pid) - before - with_screen * (time.monotonic() - start)
            print(f"{own / ASKS * 1000:.1f} ms of the hub an answer with {shown} boards, asked for each {EVERY_S} s: {own / ASKS / EVERY_S * 100:.1f} %")
        print(json.dumps({
            "tables": options.tables, "content": options.content, "seconds": options.seconds,
            "hub_alone_percent": round(alone * 100, 1), "hub_with_screen_percent": round(with_screen * 100, 1),
            "hub_for_the_screen_percent": round((with_screen - alone) * 100, 1), "chromium_percent": round(seen * 100, 1),
            "load": os.getloadavg()[0],
        }))
    finally:
        for process in reversed(started):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        log.close()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
