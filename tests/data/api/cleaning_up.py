# SPDX-License-Identifier: GPL-3.0-or-later
# "Cleaning Up Old Runs" of the user guide, with a cutoff in the future so that there is an old run.
from datetime import datetime, timedelta, timezone

import session as requests

cutoff = datetime.now(timezone.utc) + timedelta(days=1)
response = requests.get("http://localhost:8000/api/profiling/runs")
runs = response.json()

for run in runs:
    run_date = datetime.fromisoformat(run["created_at"])
    assert abs(datetime.now(timezone.utc) - run_date) < timedelta(hours=1), run_date
    if run_date < cutoff:
        requests.delete(f"http://localhost:8000/api/profiling/run/{run['id']}")
        print(f"Deleted old run: {run['id']}")

assert requests.get("http://localhost:8000/api/profiling/runs").json() == []
