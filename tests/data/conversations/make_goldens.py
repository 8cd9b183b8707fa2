#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes goldens.json: the prompts that Jinja makes of the conversations in this folder.

Needs the Python package jinja2 (made with 3.1.6). The tests only read goldens.json. The templates
are those in ../jinja/models, which resemble those of the model families. If a template cannot use
a conversation as it is, the golden comes from a form that it can read: contents in parts joined to
one text, arguments as an object instead of its text or the other way round, an empty text for a
null content. null: Jinja refuses that form as well.
"""
import copy
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "jinja"))
from make_goldens import SHARED, golden  # noqa: E402


def variables_of(conversation):
    if isinstance(conversation, list):
        conversation = {"messages": conversation}
    messages = [with_reasoning(message) for message in conversation["messages"]]
    variables = dict(SHARED) | {"documents": None, "messages": messages,
                                "tools": conversation.get("tools")}
    variables |= conversation.get("chat_template_kwargs", {})
    if "reasoning_effort" in conversation:
        variables["reasoning_effort"] = conversation["reasoning_effort"]
    return variables


def with_reasoning(message):
    """The value under each name that templates read, as transformers 5.24 passes it."""
    for name in ("reasoning_content", "thinking", "reasoning"):
        if message.get(name) is not None:
            return {"thinking": message[name]} | message | {"reasoning_content": message[name]}
    return message


def with_texts(variables, template):
    variables = copy.deepcopy(variables)
    for message in variables["messages"]:
        role = "system" if message["role"] == "system" else "user"
        if isinstance(message.get("content"), list) and not reads_parts(template, role):
            message["content"] = "\n".join(part["text"] for part in message["content"])
    return variables


def with_other_arguments(variables):
    variables = copy.deepcopy(variables)
    for message in variables["messages"]:
        for call in message.get("tool_calls") or []:
            given = call["function"]["arguments"]
            call["function"]["arguments"] = (json.loads(given) if isinstance(given, str)
                                             else json.dumps(given, ensure_ascii=False))
    return variables


def with_contents(variables):
    variables = copy.deepcopy(variables)
    for message in variables["messages"]:
        if message.get("content") is None:
            message["content"] = ""
    return variables


def reads_parts(template, role):
    messages = [{"role": role, "content": [{"type": "text", "text": "x7Qz"}]}]
    if role == "system":
        messages.append({"role": "user", "content": "Hi"})
    probe = variables_of(messages)
    text = golden(template, probe) or ""
    return "x7Qz" in text and "'type'" not in text and '"type"' not in text


def prompt(template, conversation):
    variables = with_texts(variables_of(conversation), template)
    for form in (variables, with_other_arguments(variables), with_contents(variables),
                 with_contents(with_other_arguments(variables))):
        text = golden(template, form)
        if text is not None:
            return text
    return None


def main():
    conversations = {path.name: json.loads(path.read_text(encoding="utf-8"))
                     for path in sorted(HERE.glob("*.json")) if path.name != "goldens.json"}
    models = sorted((HERE.parent / "jinja" / "models").glob("*.jinja"))
    document = {model.name: {name: prompt(model.read_text(encoding="utf-8"), conversation)
                             for name, conversation in conversations.items()} for model in models}
    (HERE / "goldens.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n",
                                       encoding="utf-8")
    prompts = [text for model in document.values() for text in model.values()]
    print(f"{len(prompts)} prompts, {sum(text is None for text in prompts)} refused")


if __name__ == "__main__":
    main()
