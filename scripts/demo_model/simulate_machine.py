#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns a recorded run into one of a simulated machine, for the demo: simulate_machine.py IN OUT.

The demo model takes only milliseconds on any computer, too fast for a chart over time. The
simulated machine does the same work SLOWER times slower, and has rails: a processor, an accelerator
that pays for arithmetic and memory that pays for bytes. Its samples are marked as modelled and its
description says what it is, so that none of its figures can be taken for a measurement. The energies
of the spans are not set here: `runs edit --attribution cost` computes them from these samples.
"""
import json
import math
import sys
import uuid

SLOWER = 1200
WINDOW_NS = 50_000_000
IDLE_NS = 2_000_000_000  # idle time before the run, for the baseline
AFTER_NS = 500_000_000
# Milliwatts at rest, and joules per unit of work.
REST_MW = {"cpu": 420.0, "gpu": 60.0, "ane": 8.0, "dram": 180.0}
BUSY_CPU_MW = 1900.0
GPU_J_PER_FLOP = 1.5e-7
DRAM_J_PER_BYTE = 1.9e-7
# Fields that depend on the wall clock or the sampling, not on the work.
KEPT = {"created_at_ms", "clock_start_ns", "offset_ns", "offset_sd_ns", "asked_interval_ms",
        "median_interval_ms", "p95_interval_ms", "largest_gap_ms", "max_interval_ms"}


def stretch(node):
    if isinstance(node, list):
        for each in node:
            stretch(each)
        return
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key in KEPT:
            continue
        if isinstance(value, (int, float)) and key.endswith(("_ns", "_ms")):
            node[key] = value * SLOWER
        else:
            stretch(value)


def work_of(run):
    """(begin, end, flops, bytes) of every section and component that has work."""
    for token in run["tokens"]:
        parts = list(token["sections"])
        for layer in token["layers"]:
            parts += layer["components"]
        for part in parts:
            if part.get("flops") is not None and part["start_ns"] is not None:
                yield (part["start_ns"], part["start_ns"] + part["duration_ns"],
                       part["flops"], part.get("bytes") or 0)


def samples_of(run):
    end = run["duration_ns"] + AFTER_NS
    count = math.ceil((IDLE_NS + end) / WINDOW_NS)
    flops, moved, busy = ([0.0] * count for _ in range(3))

    def spread(begin, finish, add):
        first = int((begin + IDLE_NS) // WINDOW_NS)
        last = int((finish + IDLE_NS) // WINDOW_NS)
        for index in range(first, min(last + 1, count)):
            left = index * WINDOW_NS - IDLE_NS
            share = (min(finish, left + WINDOW_NS) - max(begin, left)) / max(1, finish - begin)
            add(index, max(0.0, share))

    for begin, finish, operations, size in work_of(run):
        def add(index, share, operations=operations, size=size):
            flops[index] += share * operations
            moved[index] += share * size
        spread(begin, finish, add)

    def add_busy(index, share):
        busy[index] += share * run["duration_ns"] / WINDOW_NS
    spread(0, run["duration_ns"], add_busy)
    seconds = WINDOW_NS * 1e-9
    samples = []
    for index in range(count):
        start = index * WINDOW_NS - IDLE_NS
        wobble = 1.0 + 0.02 * math.sin(index * 0.7) + 0.01 * math.sin(index * 2.3)
        watts = {"cpu": (REST_MW["cpu"] + BUSY_CPU_MW * min(1.0, busy[index])) * wobble,
                 "gpu": REST_MW["gpu"] * wobble + GPU_J_PER_FLOP * flops[index] / seconds * 1e3,
                 "ane": REST_MW["ane"],
                 "dram": REST_MW["dram"] + DRAM_J_PER_BYTE * moved[index] / seconds * 1e3,
                 "system": None}
        middle = start + WINDOW_NS / 2
        phase = next((p["phase"] for p in run["phases"]
                      if p["start_ns"] <= middle < p["start_ns"] + p["duration_ns"]), "idle")
        samples.append({"start_ns": start, "duration_ns": WINDOW_NS, "start_ms": start * 1e-6,
                        "duration_ms": WINDOW_NS * 1e-6, "arrival_ns": start + WINDOW_NS,
                        "total_mw": sum(v for v in watts.values() if v is not None),
                        "power_mw": watts, "energy_mj": dict.fromkeys(watts), "phase": phase,
                        "phase_confidence": 1, "modelled": True})
    return samples


def simulate(run):
    stretch({key: value for key, value in run.items() if key != "power"})
    for key in ("duration_ns", "duration_ms"):
        run[key] *= SLOWER
    metrics = run["metrics"]
    if metrics["tokens_per_second"] is not None:
        metrics["tokens_per_second"] /= SLOWER
    samples = samples_of(run)
    detail = ("simulated machine, no sensor: a recorded run of the demo model with its times "
              f"stretched {SLOWER} times, and rails computed from its arithmetic and its bytes")
    quality = {"asked_interval_ms": WINDOW_NS * 1e-6, "samples": len(samples),
               "median_interval_ms": WINDOW_NS * 1e-6, "p95_interval_ms": WINDOW_NS * 1e-6,
               "largest_gap_ms": 0, "coverage": 1}
    quality["asked_interval_ms"] = int(quality["asked_interval_ms"])
    info = run["info"]
    info["id"] = str(uuid.uuid5(uuid.UUID(info["id"]), "simulated"))
    info["title"] = "Demo: a simulated machine"
    info["notes"] = "Not a measurement. Recorded with the demo model; " + detail + "."
    info["power"].update(source="simulated", detail=detail, notice="Simulated for the demo.", quality=quality)
    info["environment"]["cpu"] = "simulated"
    power = run["power"]
    power.update(quality=quality, samples=samples)
    record = power["record"]
    record["quality"].update(max_interval_ms=WINDOW_NS * 1e-6, verdict="good", reasons=[])
    record["baseline"].update(
        power_mw=dict(REST_MW), sd_mw=dict.fromkeys(REST_MW, 5.0), duration_ns=IDLE_NS,
        samples=int(IDLE_NS // WINDOW_NS), age_ns=0, total_mw=sum(REST_MW.values()),
        total_sd_mw=10.0)
    for idle in run["idle"]:
        idle.update(start_ns=-IDLE_NS, duration_ns=IDLE_NS, start_ms=-IDLE_NS * 1e-6,
                    duration_ms=IDLE_NS * 1e-6)
        idle["remainder"].update(duration_ns=IDLE_NS, duration_ms=IDLE_NS * 1e-6)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    simulate(document["run"])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(document, file, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
