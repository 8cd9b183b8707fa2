# SPDX-License-Identifier: GPL-3.0-or-later
# "Exporting Data" of the user guide.
import csv
import io
import json

import session as requests

run_id = requests.get("http://localhost:8000/api/profiling/runs").json()[0]["id"]
url = f"http://localhost:8000/api/profiling/export/{run_id}"

profile = json.loads(requests.get(url + "?format=json").content)
assert profile["run"]["info"]["id"] == run_id

rows = list(csv.DictReader(io.StringIO(requests.get(url + "?format=csv").text)))
assert len(rows) == 10, len(rows)
