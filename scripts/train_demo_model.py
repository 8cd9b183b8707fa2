#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the bundled demo model from the text of Debian packages; see docs/demo-model.md."""

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read on import; torch uses its own threads

import torch

from demo_model import bpe, corpus, export, polish, sources, train
from demo_model.dataset import Dataset
from demo_model.model import Config, Llama


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True,
                        help="folder for downloaded packages, checkpoints and the finished model")
    parser.add_argument("--minutes", type=float, default=46.0,
                        help="wall time of the training (default %(default)s)")
    parser.add_argument("--polish-minutes", type=float, default=27.0,
                        help="wall time of the second training, against repetition "
                             "(default %(default)s)")
    parser.add_argument("--start", type=Path, metavar="STATE",
                        help="begin with the weights of this checkpoint and the tokenizer.json "
                             "beside it; with --minutes 0 only the second training runs")
    parser.add_argument("--save-every", type=float, default=5.0,
                        help="minutes between checkpoints (default %(default)s)")
    parser.add_argument("--threads", type=int, default=1,
                        help="threads of torch (default %(default)s)")
    parser.add_argument("--float32", action="store_true",
                        help="train in float32, for processors without bf16 instructions")
    parser.add_argument("--seed", type=int, default=1, help="(default %(default)s)")
    options = parser.parse_args()
    if options.minutes <= 0 and options.start is None:
        parser.error("--minutes 0 needs --start with the checkpoint of an earlier training")
    if options.start is not None and not options.start.is_file():
        parser.error(f"--start: there is no file {options.start}")
    return options


def main() -> int:
    options = arguments()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)

    documents = corpus.load(sources.fetch(options.work / "packages"))
    config = Config()
    if options.start:
        tokenizer = bpe.Tokenizer.load(options.start.with_name("tokenizer.json"))
    else:
        texts = (text for items in documents.values() for document in items for text in document)
        tokenizer = bpe.Tokenizer(bpe.train(texts, config.vocab_size))
    tokenizer.save(options.work, config.context)
    data = Dataset(tokenizer, documents, options.seed)
    for name in data.names:
        print(f"{name}: {len(data.train[name].ids)} tokens, {len(data.held[name].ids)} held out")

    model = Llama(config)
    print(f"parameters: {sum(weight.numel() for weight in model.parameters())}", flush=True)
    folder = options.work / "model"

    def save() -> None:
        export.write(folder, model, tokenizer)

    if options.start:
        model.load_state_dict(torch.load(options.start))
    if options.minutes > 0:
        train.run(model, data, options.minutes, options.save_every, not options.float32,
                  options.work / "state.pt", save)
    if options.polish_minutes > 0:
        data.select(1)
        polish.run(model, data, tokenizer, options.polish_minutes, options.save_every,
                   not options.float32, options.work / "state.pt", save)
        torch.save(model.state_dict(), options.work / "state.pt")
    save()
    print(f"written: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
