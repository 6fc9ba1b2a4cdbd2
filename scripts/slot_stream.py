#!/usr/bin/env python3
"""Compares two protocols between a master and a slot over a network that loses messages: repeated messages, which
Hasami uses, and an ordered stream.

    scripts/slot_stream.py

Once a second, the slot gets a task, reports four times and gets an order to stop. With repeated messages, an order
without an effect is sent again after 0.25 s, the end of a task with each heartbeat until it is acknowledged, and a
report never (node_pool.rs, worker_node.rs). In an ordered stream, each side resends unacknowledged messages after 0.3 s
and then at doubled intervals (channel.rs). Every message takes 0.5 ms. Prints messages per second and delays in ms.
"""

import heapq
import random

SECONDS, WAY = 4_000, 0.0005
TICKS = (0.0625, 0.1)  # seconds between two ticks of a master, of a machine
RESEND_AFTER, WINDOW, TOGETHER, DOUBLINGS = 0.3, 64, 8, 4


class Channel:
    """One side of a stream, as in src/remote/cluster/channel.rs. A packet is [number, confirmation, message]."""

    def __init__(self):
        self.outgoing, self.under_way, self.written = [], 0, 0
        self.again, self.repeats, self.received, self.confirmed, self.early = 0.0, 0, 0, 0, {}

    def send(self, now, out):
        if self.under_way == 0:
            self.again = now + RESEND_AFTER * (1 << self.repeats)
        ready = max(min(len(self.outgoing), WINDOW), self.under_way)
        out += [[number, self.received, message] for number, message in self.outgoing[self.under_way:ready]]
        if ready > self.under_way:
            self.confirmed, self.under_way = self.received, ready

    def write(self, now, message, out):
        self.written += 1
        self.outgoing.append((self.written, message))
        self.send(now, out)

    def confirm(self, out):
        self.confirmed = self.received
        if out:
            out[-1][1] = self.received
        else:
            out.append([0, self.received, None])

    def read(self, now, packet, out):
        number, confirmed, message = packet
        known = self.outgoing[0][0] - 1 if self.outgoing else self.written
        for _ in range(known, confirmed):
            self.outgoing.pop(0)
            self.under_way = max(0, self.under_way - 1)
            self.repeats, self.again = 0, now + RESEND_AFTER
        self.send(now, out)
        if number == 0:
            return []
        if self.received < number <= self.received + WINDOW:
            self.early[number] = message
        before, messages = self.received, []
        while self.received + 1 in self.early:
            self.received += 1
            messages.append(self.early.pop(self.received))
        if self.received == before or self.received - self.confirmed >= TOGETHER:
            self.confirm(out)
        return messages

    def tick(self, now, out):
        if self.under_way > 0 and now >= self.again:
            self.under_way, self.repeats = 0, min(self.repeats + 1, DOUBLINGS)
            self.send(now, out)
        if self.received > self.confirmed:
            self.confirm(out)


def stream(loss, draw):
    """The number of packets, and the delays of orders, reports and ends."""
    channels, queue, count, packets = (Channel(), Channel()), [], 0, 0
    delays = {"order": [], "report": [], "end": []}

    def push(at, what):
        nonlocal count
        count += 1
        heapq.heappush(queue, (at, count, what))

    def post(now, side, out):
        nonlocal packets
        packets += len(out)
        for packet in out:
            if draw.random() * 100 >= loss:
                push(now + WAY, ("arrives", 1 - side, packet))

    for side in (0, 1):
        push(TICKS[side], ("tick", side, None))
    for second in range(SECONDS):
        push(second + 0.5, ("writes", 0, ("order", "cancel")))
    while queue and queue[0][0] <= SECONDS:
        now, _, (what, side, content) = heapq.heappop(queue)
        out = []
        if what == "tick":
            channels[side].tick(now, out)
            push(now + TICKS[side], (what, side, None))
        elif what == "writes":
            channels[side].write(now, (*content, now), out)
        else:
            for kind, order, sent in channels[side].read(now, content, out):
                delays[kind].append(now - sent)
                if order == "cancel":
                    push(now, ("writes", 1, ("end", None)))
                elif order == "start":
                    for report in range(4):
                        push(now + 0.02 + 0.24 * report, ("writes", 1, ("report", None)))
                elif kind == "end":
                    push(now, ("writes", 0, ("order", "start")))
        post(now, side, out)
    return packets, delays


def states(loss, draw):
    """The number of messages, and the delays, if messages are repeated until they have had their effect."""
    delays, count = {"order": [], "report": [], "end": []}, 0
    is_lost = lambda: draw.random() * 100 < loss
    for _ in range(SECONDS):
        for _ in range(2):
            late, count = 0.0, count + 1
            while is_lost():
                late, count = late + 0.25 + draw.random() * TICKS[0], count + 1
            delays["order"].append(WAY + late)
        beat, tries, count = draw.random() * 0.3, 0, count + 2
        while is_lost():
            tries, count = tries + 1, count + 1
        delays["end"].append(WAY + (beat + 0.3 * (tries - 1) if tries else 0.0))
        delays["report"] += [WAY for _ in range(4) if not is_lost()]
        count += 4
    return count, delays


def main():
    print("| lost | | messages per second | orders: 99 %, longest | ends: 99 %, longest | reports: 99 %, lost for good |")
    print("| --- | --- | --- | --- | --- | --- |")
    for loss in (0, 1, 10, 30):
        for name, way in (("repeated messages", states), ("stream", stream)):
            count, delays = way(loss, random.Random(1))
            place = lambda kind, share: 1_000 * sorted(delays[kind])[min(len(delays[kind]) - 1, int(share * len(delays[kind])))]
            gone = 100 * (1 - len(delays["report"]) / (4 * SECONDS))
            columns = [f"{place(kind, 0.99):.0f}, {place(kind, 1):.0f}" for kind in ("order", "end")]
            print(f"| {loss} % | {name} | {count / SECONDS:.1f} | {' | '.join(columns)} | {place('report', 0.99):.0f}, {abs(gone):.0f} % |")


if __name__ == "__main__":
    main()
