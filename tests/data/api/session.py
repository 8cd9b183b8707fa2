# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of `requests` that the guide's scripts use, built on the standard library."""
import json
import sys
import urllib.request

ADDRESS = sys.argv[1]
with open(sys.argv[2], encoding="ascii") as file:
    TOKEN = file.read().strip()


class Response:
    def __init__(self, status, content, headers):
        self.status_code = status
        self.content = content
        self.headers = headers

    @property
    def text(self):
        return self.content.decode("utf-8")

    def json(self):
        return json.loads(self.content)


def _ask(method, url, body=None):
    # The only change to the scripts: the header with the token.
    headers = {"Authorization": "Bearer " + TOKEN}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode("utf-8")
    url = url.replace("http://localhost:8000", ADDRESS)
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=240) as answer:
        return Response(answer.status, answer.read(), answer.headers)


def get(url):
    return _ask("GET", url)


def post(url, json):
    return _ask("POST", url, json)


def delete(url):
    return _ask("DELETE", url)
