#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the views that show packed spans as rows, for a migration (resources/schema/store_vN.sql).

They decode the bytes with plain SQL, so that any program can read them (docs/schema.md, "Packed spans"). The fields
are those of src/store/tables/pack_fields.def; what a view shows is written below. A field of the extras of operations
shows itself.
"""
import pathlib
import re
import textwrap

FIELDS = pathlib.Path(__file__).resolve().parent.parent / "src/store/tables/pack_fields.def"
ROW = re.compile(r"^EP_PACK(_\w+)?\((\w+), (\w+), (\w+), ([^)]*)\)$", re.MULTILINE)

# Column of a view = field, if decoded; / 1e6 converts to milliseconds. "stats" has four columns.
SECTIONS = """id run_id phase section_name token_index start_ns duration_ns start_ms end_ms duration_ms energy_mj=energy
    energy_provenance=provenance cpu_energy_mj=cpu gpu_energy_mj=gpu ane_energy_mj=ane dram_energy_mj=dram
    system_energy_mj=system flops_estimate=flops bytes_estimate=bytes energy_sd_mj=sd energy_alternative_mj=alternative
    activation=stats"""
LAYERS = """id token_id layer_index start_ns duration_ns total_time_ms=duration/1e6 attention_time_ms=attention/1e6
    mlp_time_ms=mlp/1e6 energy_mj=energy activation=stats energy_sd_mj=sd energy_alternative_mj=alternative run_id
    token_index"""
COMPONENTS = """id layer_metric_id component_name start_ns duration_ns time_ms=duration/1e6 energy_mj=energy
    activation=stats flops_estimate=flops bytes_estimate=bytes energy_sd_mj=sd energy_alternative_mj=alternative run_id
    token_index layer_index token_id"""
OPERATIONS = """id component_metric_id operation_name start_ns duration_ns time_ms=duration/1e6 energy_mj=energy
    flops_estimate=flops tensor=stats extra_metrics bytes_estimate=bytes energy_sd_mj=sd
    energy_alternative_mj=alternative run_id token_index layer_index component_name token_id"""
VIEWS = [("pipeline_sections", "section", SECTIONS), ("layer_metrics", "layer", LAYERS),
         ("component_metrics", "component", COMPONENTS), ("deep_operation_metrics", "operation", OPERATIONS)]
# By code (kPackedProvenances); any other code means missing.
PROVENANCES = {0: "measured", 1: "attributed", 2: "calibrated", 3: "modelled", 5: "imported"}


def bits(at, length, read):
    """The bytes as an integer: the value of a byte is its position in pack_codec.byte_order."""
    parts = " | ".join(f"((instr(byte_order, substr(cell, {i + 1}, 1)) - 1) << {8 * i})" for i in range(read))
    return f"SELECT {parts}", f"FROM (SELECT substr(p.data, {at}, {length}) AS cell, byte_order FROM pack_codec)"


def whole(at, length):
    return "({} {})".format(*bits(at, length, 8))


def fraction(at, size):
    """IEEE 754: a mantissa times a power of two, of which pack_numbers.scale has every 32nd."""
    sign, special, mantissa, shift = (63, 2047, 52, "- 1") if size == 8 else (31, 255, 23, "+ 924")
    power = f"(max(e, 1) {shift})"
    value, source = bits(at, size, size)
    return (f"(SELECT CASE WHEN e < {special} THEN (1.0 - 2.0 * s) * (m + (min(e, 1) << {mantissa})) * (1 << ({power} & 31))"
            f" * (SELECT scale FROM pack_numbers WHERE n = {power} >> 5) END FROM (SELECT (u >> {sign}) & 1 AS s,"
            f" (u >> {mantissa}) & {special} AS e, u & {(1 << mantissa) - 1} AS m FROM ({value} AS u {source})))")


class Field:
    def __init__(self, group, column, encoding, member):
        self.group, self.column, self.encoding, self.member = group, column, encoding, member

    def sql(self, kind):
        at = f"s.{self.column}_at"
        if self.encoding in ("Start", "Duration", "Count"):
            value = whole(at, f"s.{self.encoding.lower()}_bytes")
            return f"coalesce(s.{self.column}_estimate, {value})" if self.group == "_WORK" else value
        if self.encoding == "Code":
            known = " ".join(f"WHEN {code} THEN '{name}'" for code, name in PROVENANCES.items())
            return f"CASE {whole(at, 1)} {known} ELSE 'missing' END"
        return fraction(at, 8 if self.encoding == "Double" or self.encoding == "Deviation" and kind == "section" else 4)

    def members(self, kind):
        """Members of extra_metrics: for heads, their mean and the single values."""
        if self.encoding != "Heads":
            return [f"'{self.member}', {self.sql(kind)}"]
        heads = (f"FROM (SELECT {fraction(f's.{self.column}_at + 4 * n', 4)} AS x FROM pack_numbers"
                 f" WHERE n < s.{self.column}_heads))")
        return [f"'{self.member}', (SELECT avg(x) {heads}",
                f"'{self.member}_heads', (SELECT json(nullif(json_group_array(x), '[]')) {heads}"]


def fields():
    found = [Field(group, column, encoding, member)
             for group, _, column, encoding, member in ROW.findall(FIELDS.read_text(encoding="utf-8"))]
    return {field.column: field for field in found}


def extras(known):
    own = [field for field in known.values() if field.group == "_EXTRA"]
    own.sort(key=lambda field: field.encoding != "Heads")
    members = ", ".join(member for field in own for member in field.members("operation"))
    return f"nullif(json_patch('{{}}', json_object({members})), '{{}}')"


def columns(kind, names, known):
    """Yields (expression, column)."""
    row = "p.id" if kind == "section" else "p.token_id"
    token = {"run_id": "p.run_id", "token_index": "(SELECT token_index FROM tokens t WHERE t.id = p.token_id)"} \
        if kind == "section" else {"run_id": "t.run_id", "token_index": "t.token_index"}
    start, duration = f"p.origin_ns + {known['start'].sql(kind)}", known["duration"].sql(kind)
    others = {"id": f"({row} << 24) | s.span", "token_id": "p.token_id", "start_ns": start, "duration_ns": duration,
              "start_ms": f"({start}) / 1e6", "end_ms": f"({start} + {duration}) / 1e6",
              "duration_ms": f"({duration}) / 1e6", "extra_metrics": extras(known), **token}
    for text in names.split():
        name, _, field = text.partition("=")
        if field == "stats":
            for i, part in enumerate(("mean", "std", "max", "sparsity")):
                yield fraction(f"s.stats_at + {4 * i}", 4), f"{name}_{part}"
        elif field.endswith("/1e6"):
            yield f"({known[field[:-4]].sql(kind)}) / 1e6", name
        elif field:
            yield known[field].sql(kind), name
        elif name.endswith("_metric_id"):
            yield f"({row} << 24) | s.parent", name
        else:
            yield others.get(name, f"s.{name}"), name


def view(name, kind, names, known):
    rows = [textwrap.fill(f"{expression} AS {column}", width=116, initial_indent=" " * 4, subsequent_indent=" " * 8,
                          break_long_words=False, break_on_hyphens=False)
            for expression, column in columns(kind, names, known)]
    tokens = "" if kind == "section" else "JOIN tokens t ON t.id = p.token_id\n"
    return (f"CREATE VIEW {name} AS SELECT\n" + ",\n".join(rows)
            + f"\nFROM packs p JOIN pack_spans s ON s.shape_id = p.shape_id\n{tokens}WHERE p.kind = '{kind}';\n")


def views():
    known = fields()
    return "\n".join(view(name, kind, names, known) for name, kind, names in VIEWS)


if __name__ == "__main__":
    print(views(), end="")
