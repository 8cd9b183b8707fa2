#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes goldens.json: the output of Jinja itself for the templates below, set up as HuggingFace does.

Needs the Python package jinja2 (made with 3.1.6). The tests only read goldens.json.
A template that Jinja refuses has the golden null.
"""
import copy
import datetime
import json
import pathlib

from jinja2 import nodes
from jinja2.exceptions import TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = datetime.datetime(2026, 3, 5, 14, 7, 9)


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_keep"), [], [], body).set_lineno(line)

    def _keep(self, caller):
        return caller()


def raise_exception(message):
    raise TemplateError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                      sort_keys=sort_keys)


environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True,
                                            extensions=[Generation, loopcontrols])
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = NOW.strftime

CONTEXT = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": " Grüße, 'x' \"y\"\n"},
        {"role": "assistant", "content": "<think>a</think>b", "tool_calls": [
            {"type": "function", "function": {"name": "f", "arguments": {"a": 1, "b": [1.5, None]}}}]},
    ],
    "numbers": [3, 1, 2, 3],
    "words": ["b", "A", "c", "a"],
    "people": [{"name": "Zoë", "age": 3, "at": {"k": 2}}, {"name": "adam", "age": 1, "at": {"k": 1}},
               {"name": "Bob", "at": {"k": 2}}],
    "d": {"b": 1, "a": [True, None, 2.0], "items": "key", "Ü": "ö"},
    "text": "Hello, wörld! 日本 it's",
    "lines": "one\n\ntwo\n three",
    "empty": [], "none_value": None, "t": True, "f": False, "n": -7, "x": 2.5, "s": "abc",
}

EXPRESSIONS = """
"<a>"|safe + "<b>", "<b>" + "<a>"|safe, "<a>"|safe ~ "<b>"
["<a>"|safe, "<a>"|e], ("<a>"|e) is escaped, "<a>" is escaped
("<a>"|safe)|upper + "<", ("<a>"|safe)|title + "<", ("a<"|safe)|replace("a", "<") + "<"
("<%s %d>"|safe) % ("<", 3), ("<%(a)s>"|safe) % {"a": "&"}, ("<%s>"|safe)|format("<")
("<{}>{x}"|safe).format("<", x="&"), ("a,<"|safe).split(",")[1] + "<"
(("<abcdef ghi"|safe)|truncate(5, true, "<", 0)), ("a"|safe).join(["<", "b"]), ("a"|safe).replace("a", "<")
("<a"|e)|e, ("<"|safe) * 2 + "<", ("ab"|safe)[0] + "<", ("abc"|safe)[1:] + "<"
("<a>"|safe)|string + "<", ("a b"|safe)|indent + "<", ("a"|safe)|center(5) + "<", ("x"|safe)|tojson
self is defined, self.block, self
"%x %o %X %#x %#o %e %E %g %G %c %c %i %u %r %a"|format(255, 8, 255, 255, 8, 12.5, 0.00012, 1e10, 1e-10, 65, "z", 3.9, 4, "q", "q")
"%5.1f|%-5s|%05d|%+d|% d|%.3d|%08.3f|%.0e|%#.3g|%5c|%-5d|%x"|format(2.25, "a", 42, 3, 3, 7, -3.14159, 123456.0, 1.0, "a", 9, -255)
"%d %f %e"|format(true, true, 2), "%.50f"|format(0.1), "%f"|format(1e17)
"%x"|format(1.5)
"%d"|format("a")
"{:>5}|{:<5}|{:^5}|{:*^7}|{:5}|{:05d}|{:,}|{:.2f}|{:x}|{:#X}|{:b}|{:e}|{:%}".format("a", "b", "c", "d", 3, 42, 1234567, 2.5, 255, 255, 5, 1234.5, 0.25)
"{0}{1}{0}|{a}|{a[k]}|{b[1]}|{0!r}|{1!s:>4}|{0:>{w}}|{{}}".format("x", "y", a={"k": 3}, b=[1, 2], w=6)
"{0}{}".format(1, 2)
"{!r}|{!s:>4}|{:>{}}".format("x", 1, "y", 5)
"{:+}|{: }|{:=+6}|{:<06}|{:_}|{:010,}|{:.3}|{:.3}|{:g}|{:n}|{:c}|{}|{:d}".format(3, 3, 3, 3, 1234567, 12345, "abcdef", 1234.5, 1e20, 7, 97, true, true)
"{:5}|{:5}|{:.0f}|{:,.2f}|{:10.3e}|{:é>4}".format(true, 1.5, 2.5, 9999.999, 0.00001234, "a")
"{:d}".format("a")
"{:>5}".format([1])
"{:.2}".format(5)
"{a}".format_map({"a": 1}), "a\\tb\\t".expandtabs(), "ab\\tc\\nd\\te".expandtabs(4), "\\t".expandtabs(0)
"abc".isascii(), "ä".isascii(), "".isascii(), "a_1".isidentifier(), "1a".isidentifier(), "".isidentifier()
"Hello World".istitle(), "Hello world".istitle(), "HELLO".istitle(), "".istitle(), "a\\n".isprintable(), "".isprintable()
1 + 2 * 3 - 4 // 3 % 2
-7 // 2, -7 % 3, 7 % -3, 7 // -2
-7.5 // 2, -7.5 % 2, 7.5 % -2
2 ** 3 ** 2
-2 ** 2
2 ** -1
10 / 4, 10 / 5
1 / 3
1e16, 1e15, 123456789012345678.0, 1e-4, 1e-5, 0.1 + 0.2, 1.0, 1.5e300, 5e-324
100000.0 * 10, 1_000
1 == 1.0, true == 1, '1' == 1, [1, 2] == [1, 2], (1, 2) == [1, 2]
1 < 2 < 3, 1 < 3 < 2
'a' < 'b', 'B' < 'a', [1, 2] < [1, 3]
'a' ~ 1 ~ none ~ true ~ 1.0 ~ [1, 'x']
1 + 2 ~ 3
'a' + 'b' * 3
[1] + [2, 3], (1,) + (2,), [0] * 3
'%s has %d and %.2f%%' % ('a', 3, 2.5)
'%5s|%-5s|%05d|%+d' % ('a', 'b', 42, 7)
'%r' % 'a'
not t, not f and t, t or f and f
t if f else 'no', 'x' if f
none, None, true, True, false, False
'a' in 'abc', 'z' not in 'abc', 1 in numbers, 'b' in d, 'z' in d, 9 in empty
[1, 'two', none, true, 1.0, [2], {'k': 'v'}]
(1,), (), (1, 2)
{'a': 1, "it's": 'q"', 3: none}
'tab\\t nl\\n q\\' u\\u00e9 x\\x41 \\\\ \\q'
'it\\'s', "it's", 'say "hi"', ['it\\'s'], ["say \\"hi\\""], ['both \\' "']
['\\n\\t\\x01\\u200b\\xa0é']
'a' 'b' "c"
numbers[0], numbers[-1], numbers[1:], numbers[:-1], numbers[::-1], numbers[::2], numbers[5:], numbers[-2:]
text[0], text[-1], text[7:12], text[::-1], text[100:], text[-4:], text[:5:2]
numbers[10] is defined, numbers[10]
numbers[4:0:-1], numbers[-100:100], text[3:1]
d.b, d['b'], d.a[0], d['items'], d.get('zz'), d.get('zz', 5), d.Ü
d.items()|list, d.keys()|list, d.values()|list
d.items(), d.keys()
d|length, text|length, numbers|count, ''|length
messages[0].content, messages[0]['role'], messages[0].missing is defined
missing, missing is defined, missing is none, missing == none
missing|default('x'), ''|default('x'), ''|default('x', true), none|default('x'), none|d('y', true)
text.upper(), text.lower(), 'ab cd'.title(), "it's".title(), 'aBC dE'.capitalize()
'  a b '.strip() ~ '|', '  a '.lstrip() ~ '|', ' a  '.rstrip() ~ '|', 'xxaxx'.strip('x'), 'abcab'.strip('ab')
'a,b,,c'.split(','), ' a  b '.split(), 'a,b,c'.split(',', 1), 'a b c'.rsplit(' ', 1), ''.split(), ''.split(',')
'a b  c d'.split(none, 2), 'a b  c d'.rsplit(none, 1)
'<think>a</think>b'.split('</think>')[-1].lstrip('\\n')
text.startswith('Hello'), text.endswith("'s"), 'abc'.startswith(('x', 'a')), text.startswith('')
'abcabc'.find('c'), 'abcabc'.rfind('c'), 'abc'.find('z'), 'abcabc'.find('c', 3), text.find('日'), 'abc'.index('b')
'aaa'.replace('a', 'b'), 'aaa'.replace('a', 'b', 2), 'ab'.replace('', '-')
'a-b-c'.partition('-'), 'a-b-c'.rpartition('-'), 'abc'.partition('-')
'a\\nb\\r\\nc\\n'.splitlines(), 'a\\nb'.splitlines(true)
','.join(['a', 'b']), 'abc'.count('b'), 'aaaa'.count('aa')
'abc'.removeprefix('a'), 'abc'.removesuffix('c'), 'ab'.ljust(4) ~ '|', 'ab'.rjust(4, '.'), '7'.zfill(3), '-7'.zfill(4)
'ab'.center(5, '*'), 'abc'.center(6, '*')
'12'.isdigit(), 'a1'.isalnum(), 'ab'.isalpha(), ' '.isspace(), 'AB'.isupper(), 'ab'.islower(), ''.isdigit()
'{} and {}'.format(1, 'b'), '{0}{1}{0} {k}'.format('a', 'b', k=3), '{{}}'.format()
text|upper, text|lower, text|title, 'a-b (c) [d]'|title, text|capitalize
' a '|trim ~ '|', 'xax'|trim('x')
'aXbX'|replace('X', '-'), 'aXbX'|replace('X', '-', 1)
numbers|join, numbers|join(', '), people|join(';', attribute='name')
numbers|first, numbers|last, empty|first is defined, text|first, text|last
numbers|sort, numbers|sort(reverse=true), words|sort, words|sort(case_sensitive=true), people|sort(attribute='name')|map(attribute='name')|list
people|sort(attribute='at.k')|map(attribute='name')|list
numbers|unique|list, ['a', 'A', 'b']|unique|list, ['a', 'A']|unique(case_sensitive=true)|list
numbers|reverse|list, 'abc'|reverse, numbers|list, 'abc'|list, d|list
numbers|min, numbers|max, words|min, words|max, numbers|sum, people|map(attribute='age', default=0)|sum
people|selectattr('age')|map(attribute='name')|list, people|selectattr('age', 'defined')|list|length
people|selectattr('age', 'equalto', 1)|map(attribute='name')|list, people|rejectattr('age', 'defined')|map(attribute='name')|list
messages|selectattr('role', '==', 'user')|list|length, messages|rejectattr('role', 'in', ['user', 'system'])|list|length
numbers|select('odd')|list, numbers|reject('odd')|list, numbers|select('>', 2)|list, [0, 1, '']|select|list
words|map('upper')|list, words|map('replace', 'a', 'x')|list, people|map(attribute='at.k')|list, [[1, 2], [3]]|map('first')|list
'x' if (empty|select) else 'y'
'x' if (empty|select|list) else 'y'
d|items|list, d|dictsort, {'b': 1, 'A': 2}|dictsort(by='value', reverse=true)
[1, 2, 3, 4, 5]|batch(2)|list, [1, 2, 3]|batch(2, 0)|list, [1, 2, 3, 4, 5]|slice(2)|list, [1, 2, 3]|slice(2, 'x')|list
'3'|int, '3.7'|int, 'x'|int, 'x'|int(9), 3.9|int, -3.9|int, true|int, '0b'|int, 'ff'|int(0, 16), ' 5 '|int
'3.5'|float, 'x'|float, '1e3'|float, 2|float, 'x'|float(1.5), '.5'|float, '1.'|float
n|abs, 2.5|round, 3.5|round, 2.567|round(2), 2.5|round(0, 'ceil'), 2.5|round(0, 'floor'), 7|round
1|string ~ 2, none|string, [1]|string
lines|indent, lines|indent(2, true), lines|indent('> ', blank=true)
'one two three four'|truncate(12), 'one two three four'|truncate(12, true), 'short'|truncate(3)
'one two, three'|wordcount, 'ab'|center(6) ~ '|', '%s-%s'|format(1, 2)
d|tojson, d|tojson(indent=2), messages|tojson, {}|tojson(indent=2), []|tojson, [[], {}]|tojson(indent=1)
text|tojson, text|tojson(ensure_ascii=true), '\\u0001\\x7f/😀'|tojson, '😀'|tojson(ensure_ascii=true), {'b': 1, 'a': 2}|tojson(sort_keys=true), [1, 2]|tojson(separators=(',', ':'))
1.0|tojson, 1e100|tojson, none|tojson, true|tojson, {1: 2, none: 3, true: 4}|tojson, (1, 2)|tojson
people[0]|attr('name'), people[0].name, numbers|length > 3
x is number, s is string, n is integer, x is float, t is boolean, 1 is boolean, true is integer, none_value is none
t is true, f is false, 1 is true, d is mapping, numbers is mapping, numbers is sequence, s is sequence, d is sequence, s is iterable, 5 is iterable, d is iterable
3 is odd, 4 is even, 9 is divisibleby 3, 9 is divisibleby(4), 'A' is upper, 'a' is lower
1 is eq 1, 1 is equalto(2), 1 is ne 2, 2 is gt 1, 1 is lt 2, 2 is ge 2, 2 is le 1, 'a' is in 'abc', 1 is sameas 1, none is sameas none
missing is not defined, s is not none, range is callable, s is callable, 'upper' is filter, 'odd' is test
x is defined and x is not none
range(3), range(1, 7, 2)|list, range(3, 0, -1)|list, range(0)|list, range(5)[2], range(3)|length
dict(a=1, b='x'), dict({'a': 1}, b=2), dict([('k', 'v')])
namespace(a=1).a, namespace().zz is defined
strftime_now('%d %b %Y'), strftime_now('%A, %B %d, %Y %H:%M:%S %p %j %y-%m'), strftime_now('%Y-%m-%d')
numbers|map('string')|join('+'), (numbers|sort)[0], (1, 2)[1], [1, 2, 3][1:][0], 'abc'[1]|upper
'a' if true else 'b' if false else 'c', ('a' if false else 'b' if true else 'c')
1 if 2 if 3
-x|abs, -n|abs, +n, 3 - -3
'a' is string and 'b' in 'abc' or false
[1, 2, 3,], {'a': 1,}, (1, 2,)
numbers.index(2), numbers.count(3)
people|map(attribute='name')|map('lower')|join(',')
text.split(',')[0]|length, text.nope is defined
d.a, d.a|string, d
not missing, missing|length, missing|list, missing|upper, 'x' ~ missing
[1, missing], missing|tojson is defined
numbers|length == 4 and messages[0]['role'] == 'system'
messages[1:]|length, messages[-1].tool_calls[0].function.arguments|tojson
messages[2].content.split('</think>')[0].rstrip('\\n').split('<think>')[-1]
1.5|string, 3.0|int|string, 1e3|int
0.5, 100.0, 1234567.891, 1e22, 1e21, -0.0, 12345678901234567890.0
'a\\
b'
"""

TEMPLATES = [
    "a\n{% if t %}\nb\n{% endif %}\nc\n",
    "a\n  {% if t %}\n  b\n  {% endif %}\nc",
    "a  {%- if t -%}  b  {%- endif -%}  c",
    "a  {%+ if t %}\nb{% endif +%}\nc",
    "  {{ 1 }}  \n  {{- 2 }}\n  {{ 3 -}}  \n x",
    "{# comment #}\nx {#- c -#}  y\n  {# c #}\n z",
    "x\n\n", "x\n", "x\r\ny\rz\n", "", "\n", " \n  {% set a = 1 %}\n{{ a }}",
    "{% raw %}{{ x }} {% if %}{% endraw %}|{%- raw -%}  a  {%- endraw -%} b",
    "{% raw %}\na\n{% endraw %}\nb",
    "{% for m in messages %}{{ loop.index }}/{{ loop.length }} {{ m.role }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% for i in numbers %}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.previtem }}{{ loop.nextitem is defined }};{% endfor %}",
    "{% for i in empty %}x{% else %}none{% endfor %}{% for i in missing %}x{% else %}undefined{% endfor %}",
    "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}{% for k in d %}{{ k }}{% endfor %}",
    "{% for k, v in d|dictsort %}{{ k }}{% endfor %}{% for a, b in [(1, 2), [3, 4]] %}{{ a + b }}{% endfor %}",
    "{% for i in numbers if i > 1 %}{{ loop.index }}:{{ i }} {% endfor %}",
    "{% for i in range(10) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 5 %}{% break %}{% endif %}{{ i }}{% endfor %}",
    "{% for i in [1, 2] %}{% for j in [1, 2] %}{% if j == 2 %}{% break %}{% endif %}{{ i }}{{ j }}{{ loop.index }};{% endfor %}{{ loop.index }}{% endfor %}",
    "{% for n in [{'v': 1, 'c': [{'v': 2, 'c': [{'v': 3, 'c': []}]}]}, {'v': 4, 'c': []}] recursive %}{{ loop.depth }}{{ n.v }}({{ loop(n.c) }}){% endfor %}",
    "{% for i in [1, 1, 2] %}{{ loop.changed(i) }}{{ loop.cycle('a', 'b') }}{% endfor %}",
    "{% set x = 1 %}{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}",
    "{% set ns = namespace(x=1, f=false) %}{% for i in [1, 2] %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}{{ ns.f }}",
    "{% if f %}{% set y = 1 %}{% endif %}{{ y is defined }}{% if t %}{% set y = 2 %}{% endif %}{{ y }}",
    "{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set c = (1, 2) %}{{ c }}{% set e = 1, %}{{ e }}",
    "{% set b %}x{{ 1 }}y{% endset %}{{ b }}{% set c | upper | trim %} a{{ b }} {% endset %}[{{ c }}]",
    "{% if f %}a{% elif n > 0 %}b{% elif n == -7 %}c{% else %}d{% endif %}",
    "{% macro m(a, b=2, c='x' ~ a) %}({{ a }},{{ b }},{{ c }}){% endmacro %}{{ m(1) }}{{ m(1, c=3) }}{{ m(b=5, a=4) }}{{ m() }}",
    "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, k=3) }}",
    "{% macro box(t) %}<{{ t }}:{{ caller() }}>{% endmacro %}{% call box('a') %}in {{ n }}{% endcall %}",
    "{% macro each(l) %}{% for i in l %}{{ caller(i, loop.index) }}{% endfor %}{% endmacro %}{% call(x, y=0) each([5, 6]) %}{{ x }}{{ y }};{% endcall %}",
    "{% set v = 1 %}{% macro m() %}{{ v }}{% endmacro %}{% set v = 2 %}{{ m() }}{{ m.name }}",
    "{% macro fact(n) %}{% if n < 2 %}1{% else %}{{ n * fact(n - 1)|int }}{% endif %}{% endmacro %}{{ fact(5) }}",
    "{% filter upper %}a{{ s }}b{% endfilter %}{% filter replace('a', 'b')|trim %} aa {% endfilter %}",
    "{% with a = 1, b = n %}{{ a }}{{ b }}{% endwith %}{{ a is defined }}",
    "{% generation %}a{{ s }}{% endgeneration %}b",
    "{{ cycler('a', 'b').next() }}{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.current }}{{ c.next() }}{{ c.next() }}",
    "{% set j = joiner('; ') %}{% for i in [1, 2, 3] %}{{ j() }}{{ i }}{% endfor %}",
    "{{ {'a': {'b': '}}'}}.a.b }}{{ '{{' }}{{ '%}' }}",
    "{%for x in[1,2]%}{{x}}{%endfor%}{%if t%}y{%endif%}",
    "{{ messages[0].content if messages[0].role == 'system' else '' }}",
    "{% set loop_messages = messages[1:] %}{% set system = messages[0]['content'] | trim + '!' %}{{ system }}{{ loop_messages | length }}",
    "{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 1) %}{{ loop.index }}{% endif %}{% endfor %}",
    "{% for m in messages[::-1] %}{% set i = (messages|length - 1) - loop.index0 %}{{ i }}{{ m.role }}{% endfor %}",
    "{%- for t in messages[2].tool_calls -%}{{ '<tool_call>\\n' }}{{ {'name': t.function.name, 'arguments': t.function.arguments} | tojson }}{{ '\\n</tool_call>' }}{%- endfor -%}",
    "{{ d.update({'a': 1}) }}", "{{ numbers.append(1) }}", "{{ raise_exception('no') }}",
    "{{ missing.x }}", "{{ missing() }}", "{{ 'a' + 1 }}", "{{ 1 / 0 }}", "{{ none.x is defined }}",
    "{{ none + 1 }}", "{{ 5 | length }}", "{{ empty | map('nope') | list }}", "{{ x | nope }}",
    "{{ x is nope }}", "{% if %}", "{% for %}", "{{", "{% endif %}", "{% if t %}", "{{ 'a }}", "{# ",
    "{{ 1 + }}", "{{ (1 }}", "{% set x.y = 1 %}", "{% break %}", "{% nonsense %}", "{{ a b }}",
    "{{ 'a'|safe }}{{ '<a & \"b\">'|e }}", "{{ 1 < 'a' }}", "{{ [1] < 2 }}", "{{ 'abc' - 'a' }}", "{% set true = 1 %}",
    "{{ missing < 1 }}", "{{ range(1000000) }}", "{{ 'x'.nope() }}", "{{ {}['a'].b }}", "{{ -'a' }}",
    "{{ ] }}", "{{ 1 $ 2 }}", "{% for i in 5 %}{% endfor %}", "{{ x(1) }}", "{{ 'a' in 5 }}",
    "{{ loop }}", "{{ s.upper }}x"[:0] + "{{ messages[0].role.upper() }}",
    "{% set ns = namespace(found=false) %}{% for m in messages %}{% if m.role == 'user' and not ns.found %}{% set ns.found = true %}{{ loop.index0 }}{% endif %}{% endfor %}",
    "{% for i in range(3) %}{% set outer = loop %}{% for j in range(2) %}{{ outer.index }}{{ loop.index }} {% endfor %}{% endfor %}",
    "{{ 'a'\n  ~\n 'b' }}\n{%- set q = [\n 1,\n 2 ] -%}\n{{ q }}",
]


# Every filter and test on values of every kind, with and without arguments, and methods, operators and
# loops on them. Generators have an address in their text, so they become lists.
VALUES = ["none", "missing", "''", "'Ab c-d'", "0", "-3", "2.5", "true", "false", "[]", "[3, 'b', none]",
          "['b', 'A']", "[2, 1, 2]", "{}", "{'b': 1, 'a': [none]}", "(1, 2)", "range(3)", "messages",
          "people", "d.items()"]
FILTERS = ["abs", "attr('x')", "batch(2)|list", "capitalize", "center(9)", "count", "default('x')",
           "default('x', true)", "dictsort", "e", "escape", "first", "float", "float(1.5)",
           "format", "format(1)", "groupby('age')", "groupby(0)", "groupby('role')", "indent",
           "indent(2, true)", "int", "int(7)", "items|list", "join", "join('-')", "join(',', attribute='role')",
           "last", "length", "list", "lower", "map('string')|list", "map(attribute='x')|list",
           "map(attribute='x', default=1)|list", "max", "min", "reject|list", "reject('none')|list",
           "rejectattr('x')|list", "replace('A', 'x')", "reverse|list", "round", "round(1, 'floor')", "safe",
           "select|list", "select('none')|list", "select('defined')|list", "selectattr('x')|list",
           "selectattr('role', 'equalto', 'user')|list", "slice(2)|list", "sort", "sort(reverse=true)",
           "sort(attribute='age')", "string", "sum", "sum(start=1)", "sum(attribute='age')", "title",
           "tojson", "tojson(indent=1)", "trim", "trim('A')", "truncate(3)", "unique|list", "upper",
           "wordcount"]
TESTS = ["boolean", "callable", "defined", "divisibleby 2", "eq 0", "even", "odd", "false", "float", "ge 0", "gt 0",
         "in 'Ab'", "in [0, none]", "integer", "iterable", "le 0", "lower", "lt 0", "mapping", "ne none", "none",
         "number", "sameas none", "sequence", "string", "true", "undefined", "upper"]
METHODS = ["upper()", "strip()", "split()", "get('a')", "items()", "keys()", "x", "x is defined", "x.y",
           "startswith('A')", "role"]
OPERATORS = ["+ 1", "- 1", "* 2", "/ 2", "// 2", "% 2", "** 2", "~ 'x'", "== none", "!= ''", "< 1", ">= 'a'",
             "in 'Abc'", "not in [0, 1]", "in {'b': 1}", "and 'y'", "or 'y'", "[0]", "['a']", "[1:]", "[:-1]",
             "[::-1]", "+ []", "+ 'z'", "+ (3,)", "if true else 1"]
MATRIX = ([f"{{{{ ({v})|{f} }}}}" for v in VALUES for f in FILTERS]
          + [f"{{{{ ({v}) is {t} }}}}" for v in VALUES for t in TESTS]
          + [f"{{{{ ({v}).{m} }}}}" for v in VALUES for m in METHODS]
          + [f"{{{{ ({v}) {o} }}}}" for v in VALUES for o in OPERATORS if not ("range" in v and ":" in o)]
          + [f"{{% for x in {v} %}}{{{{ loop.index }}}}{{{{ x }}}};{{% else %}}empty{{% endfor %}}" for v in VALUES]
          + [f"{{% if {v} %}}yes{{% else %}}no{{% endif %}}{{{{ not ({v}) }}}}{{{{ -({v}) }}}}" for v in VALUES]
          + [f"{{{{ '%s|%r' % (({v}), 1) }}}}{{{{ [({v})] }}}}" for v in VALUES])

BEYOND = """
0xff, 0XFF, 0b101, 0o17, 0xdead_beef, 0x_f, 0b1_0, 1_0.5, 1e5, 1E-2, 0_0, 00
people|groupby('at.k'), people|groupby('age', default=0)|map('last')|map('length')|list
messages|groupby('role')|map(attribute='grouper')|list, messages|groupby('role')|map(attribute='list')|map('length')|list
[{'k': 'B'}, {'k': 'a'}, {'k': 'b'}]|groupby('k')|map('first')|list, [{'k': 'B'}, {'k': 'b'}]|groupby('k', case_sensitive=true)|map('first')|list
none|map('upper')|list, none|map(attribute='x')|list, missing|select|list, 0|reject|list, ''|selectattr('x')|list, false|map('x')|list
5|select|list, 5|map('upper')|list, true|select|list
none|list, none|first, none|join, none|length, none|sum, none|sort, none|unique|list
missing|list, missing|first is defined, missing|join, missing|length, missing|sum, missing|sort, missing|unique|list
none|upper, none|trim, none|string, none|int, none|float, none|tojson, none|default('x', true)
missing|upper, missing|trim, missing|string, missing|tojson is defined, missing|default('x')
none ~ missing ~ 1, none == missing, none is sameas none, missing is none, missing == missing, none in [none], missing in [none]
none and 1, none or 1, not none, missing and 1, missing or 1, not missing, missing if false, (missing if false) is defined
tools|default([])|length, (tools or [])|length, tools is defined and tools, tools is not none
'a' in missing, 'a' not in missing, missing.x is defined, none.x, none['x'], none[0]
messages|map(attribute='content')|select('string')|join('|'), messages|map(attribute='nope')|list
messages|map(attribute='tool_calls')|select('defined')|list|length, messages|map('tojson')|first
dict(a=1)|tojson, {'a': missing is defined}|tojson, {'x': none, 'y': [true, false]}|tojson(separators=(',', ':'), sort_keys=true)
'%-10s|%5.1f|%d%%' % ('ab', 2.25, 255)
'a,b;c'.replace(',', ';').split(';'), 'aXbXc'.split('X', 1), 'aXbXc'.rsplit('X', 1)[0], ' a '.strip().join(['1', '2'])
numbers|batch(3, 'x')|map('join')|list, numbers|slice(3)|map('list')|list, range(5)|select('odd')|map('string')|join
words|sort|first, words|sort|last, words|sort(true)|join, [3, 1]|sort|join, words|min, numbers|max, people|max(attribute='name')
"{{ 'x' }}", '{%- x -%}', "a'b" ~ 'c"d', 'a' "b" ~ 'c'
"""

TOOLS = [{"type": "function", "function": {
    "name": "weather", "description": "The weather \u2600 at a place", "parameters": {
        "type": "object", "required": ["place"], "properties": {
            "place": {"type": "string"}, "days": {"type": "array", "items": {"type": "integer"}}}}}}]
CALL = {"id": "abcdefghi", "type": "function",
        "function": {"name": "weather", "arguments": {"place": "Köln", "days": [1, 2]}}}
CONVERSATIONS = [
    {"messages": [{"role": "user", "content": "  Hi there\n"}]},
    {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Ünï 'q'"}],
     "tools": None, "enable_thinking": False},
    {"messages": [{"role": "system", "content": " S "}, {"role": "user", "content": "a"},
                  {"role": "assistant", "content": "<think>\nhm\n</think>\n\nb"},
                  {"role": "user", "content": "c"}]},
    {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]},
    {"messages": [{"role": "user", "content": "Weather?"},
                  {"role": "assistant", "content": "", "tool_calls": [CALL]},
                  {"role": "tool", "content": "{\"t\": 5}"},
                  {"role": "assistant", "content": "Five."}, {"role": "user", "content": "Thanks"}],
     "tools": TOOLS},
    {"messages": [{"role": "user", "content": [{"type": "text", "text": " x "}, {"type": "image"}]}],
     "add_generation_prompt": False},
]
CONVERSATIONS += [
    {"messages": [{"role": "developer", "content": "D"}, {"role": "user", "content": "q"},
                  {"role": "assistant", "content": None, "reasoning_content": "r", "tool_calls": [CALL, CALL]},
                  {"role": "tool", "content": "1", "tool_call_id": "abcdefghi", "name": "weather"},
                  {"role": "tool", "content": {"t": [1, None]}, "tool_call_id": "abcdefghj"},
                  {"role": "user", "content": "and?"}],
     "tools": TOOLS + TOOLS, "enable_thinking": True, "reasoning_effort": "low"},
    {"messages": [{"role": "system", "content": "S"},
                  {"role": "user", "content": [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]},
                  {"role": "assistant", "content": [{"type": "text", "text": "<think>a</think> z"}]},
                  {"role": "user", "content": "w"}],
     "tools": [], "documents": [{"title": "T", "text": "body"}], "enable_thinking": False},
]
SHARED = {"bos_token": "<s>", "eos_token": "</s>", "add_generation_prompt": True}


def golden(template, context=CONTEXT):
    try:
        # A copy, because the filter indent adds to a list.
        return environment.from_string(template).render(**copy.deepcopy(context))
    except Exception:  # whatever it is: refused
        return None


def main():
    cases = [f"{{{{ {line} }}}}" for line in EXPRESSIONS.replace("\\\n", "\0").strip().split("\n")]
    cases = [case.replace("\0", "\\\n") for case in cases] + TEMPLATES
    cases += [f"{{{{ {line} }}}}" for line in BEYOND.strip().split("\n")] + MATRIX
    written = {case: golden(case) for case in cases}
    document = {"context": CONTEXT,
                "cases": [{"template": case, "golden": text} for case, text in written.items()
                          if not (text and " at 0x" in text)]}
    folder = pathlib.Path(__file__).parent
    document["conversations"] = [SHARED | conversation for conversation in CONVERSATIONS]
    document["models"] = {
        path.stem: [golden(path.read_text(encoding="utf-8"), context)
                    for context in document["conversations"]]
        for path in sorted((folder / "models").glob("*.jinja"))}
    path = folder / "goldens.json"
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in document.pop("cases"))
    rest = json.dumps(document, indent=1, ensure_ascii=False)
    path.write_text('{"cases": [\n' + lines + "],\n" + rest[2:] + "\n", encoding="utf-8")
    refused = sum(text is None for text in written.values())
    print(f"{len(written)} cases, {refused} refused, {len(document['models'])} models")


if __name__ == "__main__":
    main()
