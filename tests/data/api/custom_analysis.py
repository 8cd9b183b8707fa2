# SPDX-License-Identifier: GPL-3.0-or-later
# "Custom Analysis Scripts" of the user guide; lists and dictionaries in place of pandas.
import session as requests

# Fetch all runs
response = requests.get("http://localhost:8000/api/profiling/runs")
runs = response.json()
assert len(runs) == 3, len(runs)

# Find most energy-efficient runs
measured = [run for run in runs if run["joules_per_token"] is not None]
efficient = sorted(measured, key=lambda run: run["joules_per_token"])[:10]

# Calculate statistics
mean = sum(run["joules_per_token"] for run in measured) / len(measured)
assert mean > 0
print(f"Average energy per token: {mean:.3f} J")
print(f"Most efficient model: {efficient[0]['model_name']}")

summary = requests.get(f"http://localhost:8000/api/profiling/run/{runs[0]['id']}/summary").json()
print(f"Energy per token: {summary['joules_per_token']:.3f} J")
