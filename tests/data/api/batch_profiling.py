# SPDX-License-Identifier: GPL-3.0-or-later
# "Batch Profiling" of the user guide, with the only available model.
import session as requests

models = ["tiny"]
prompts = [
    "Explain quantum computing",
    "Write a short story",
    "Solve this math problem: 2x + 5 = 15",
]

for model in models:
    for prompt in prompts:
        response = requests.post("http://localhost:8000/api/profiling/generate", json={
            "model_name": model,
            "prompt": prompt,
            "profiling_depth": "module",
            "tags": ["batch-experiment"],
            "max_length": 10,
            "power_source": "modelled",
        })
        run_id = response.json()["run_id"]
        print(f"Completed: {model} - {prompt[:30]}... (run_id: {run_id})")
