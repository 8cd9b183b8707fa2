# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the reference numbers of an exported model, computed by check.py.

Run as `PYTHONPATH=scripts python3 -m demo_model.golden FOLDER OUTPUT`. The keys are explained in
docs/demo-model.md.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from .check import Reference

PROMPT = "There was once a young woman who"
TEXTS = ("In the morning the children", "The king said to his servants,",
         "We went to the city because")
POSITION = 5
SMALLEST_LEAD = 0.005  # lead of a greedy token over the second; rounding may decide a closer race


def rounded(values) -> list[float]:
    """Nine significant digits, enough to restore a float32 exactly."""
    return [float(f"{value:.9g}") for value in np.asarray(values, np.float64).ravel()]


def statistics(x: np.ndarray) -> dict[str, float]:
    wide = x.astype(np.float64)
    values = {"sum": wide.sum(), "mean": wide.mean(), "std": wide.std(),
              "std_unbiased": wide.std(ddof=1), "min": wide.min(), "max": wide.max(),
              "abs_mean": np.abs(wide).mean(), "l2": np.sqrt((wide * wide).sum())}
    return dict(zip(values, rounded(list(values.values()))))


def entropy(weights: np.ndarray) -> list[float]:
    """Entropy in nats of each head's weights [heads, T]."""
    wide = weights.astype(np.float64)
    return rounded(-(wide * np.log(np.maximum(wide, 1e-300))).sum(-1))


def text_case(reference: Reference, text: str) -> dict:
    ids = reference.encode(text)
    new, leads, _ = reference.greedy(ids, 12)
    decode = reference.tokenizer.decode
    return {"text": text, "ids": ids, "new_ids": new, "min_margin": rounded([min(leads)])[0],
            "decoded_prompt": decode(ids), "decoded_all": decode(ids + new),
            "decoded_new": decode(new)}


def golden(folder: Path) -> dict:
    reference = Reference(folder)
    ids = reference.encode(PROMPT)
    trace = reference.forward(ids)
    new, leads, tops = reference.greedy(ids, 16)
    states = {"embedding": trace["embedding"], "final_norm": trace["final_norm"]}
    return {
        "name": folder.resolve().name,
        "architecture": reference.config["architectures"][0],
        "compute_dtype": "float32",
        "stored_dtype": reference.config["torch_dtype"],
        "input_text": PROMPT,
        "input_ids": ids,
        "position": POSITION,
        "logits_last": rounded(trace["logits"][-1]),
        "logits_position": rounded(trace["logits"][POSITION]),
        "argmax_all_positions": trace["logits"].argmax(-1).tolist(),
        "greedy_new_ids": new,
        "greedy_margin": rounded(leads),
        "greedy_top_logit": rounded(tops),
        "greedy_new_text": reference.tokenizer.decode(new),
        "hidden_states": {**{name: statistics(x) for name, x in states.items()},
                          "layers": [statistics(x) for x in trace["layers"]]},
        "hidden_last_token_head": {**{name: rounded(x[-1, :8]) for name, x in states.items()},
                                   "layers": [rounded(x[-1, :8]) for x in trace["layers"]]},
        "attention_entropy_last": [entropy(weights) for weights in trace["attention"]],
        "mlp_gate_negative_fraction": rounded([(gate < 0).mean() for gate in trace["gate"]]),
        "text_cases": [text_case(reference, text) for text in TEXTS],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    content = golden(options.folder)
    leads = [*content["greedy_margin"], *(case["min_margin"] for case in content["text_cases"])]
    if min(leads) < SMALLEST_LEAD:
        print(f"two tokens are only {min(leads)} apart; choose other prompts", file=sys.stderr)
        return 1
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(content, ensure_ascii=False, indent=None) + "\n")
    print(f"smallest lead of a greedy token: {min(leads)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
