#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes pre_tokenizers.json: how HuggingFace's tokenizers divides the texts below.

Needs the Python package tokenizers (made with 0.23.3). The tests only read pre_tokenizers.json.
"rules": for each name in tokenizer.ggml.pre, the ends of the parts (in characters) given by the rule
in the tokenizer.json of such a model. "definitions": the same for other pre-tokenizers, with the
parts themselves, since they may drop characters.
"""
import json
import pathlib

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers as pre

TEXTS = [
    "Hello, world!", " leading and  double   blanks ", "I'm you're WE'LL they'D it'S don't'", "can't 'tis O'Neil's",
    "3 33 333 3333 33333 333333 3333333", "1234567890 12,345.67 0x1F 1e10", "abc123def 4a b5", "٠١٢٣ ४५६ ①②③ ½ Ⅷ 五",
    "tab\tand\nnew\r\nlines\n\n\n  indented\n", "\n", "   ", "\n \n  \n   x", "trailing   ", "trailing\n", "a  \n  b",
    "def f(x):\n    return x**2 + 1  # comment\n", "if (a<=b && c!=d) {\n\treturn a->b[0];\n}\n",
    "path/to/file.txt https://example.org/a?b=c&d=%20#e", "CamelCaseWordsANDShouting iPhone eBay McDonald XMLHttp",
    "don\u2019t \u201cquotes\u201d \u2014 dash \u2026", "Straße Übergröße naïve café cafe\u0301 e\u0301\u0301", "ΑΒΓ αβγ Привет МИР",
    "\u4f60\u597d\uff0c\u4e16\u754c\uff01\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8\u3067\u3059\u3002abc漢字",
    "\ud55c\uad6d\uc5b4 \ubb38\uc7a5\uc785\ub2c8\ub2e4. \u1100\u1161\u11a8", "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u0e81\u0e82 \u1780\u17b6",
    "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd \u0928\u092e\u0938\u094d\u0924\u0947",
    "😀😃 👨‍👩‍👧 🇩🇪 ❤️ x😀y", "a\u00a0b\u2003c\u3000d\u200be", "$5 €7 +1 -2 =3 <4> ^5 ~6 |7| `8`", "...!!!???---___***",
    "(a) [b] {c} \"d\" 'e' \\f/ @g #h $i %j &k", "a_b __init__ snake_case", "<sentinel:12> IMGIMGABZ <s>", "A1B2C3 x2y2 H2O",
    "１２３ＡＢＣ　全角！", "\u01c5\u01c8 ǅ ʰ ª º ªb", "mixed漢字English日本語text한국어 end", "\u0300\u0301 \u0300a", "1.000.000 1,000 12:34:56 2026-03-05",
    "end with number 42", "a" * 30 + " " + "b" * 30, " " * 17 + "x" + "\t" * 5 + "y", "\r\r\n\n\r", "we've we'vee 'VE 'Ll", "\u2028x\u2029y\u0085z",
    "ﬁ ﬂ ẞ İ ı", "x²y³ ₁₂", "𝒳𝟙𝟚 𐐀𐐨", "、。！？：；「」", "a.b.c...d..e", "/* c */ // d", "ok\u200d\u200cok", "\ufeffbom",
]

S = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LLAMA3 = S + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = S + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
UP, LOW = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"


def cased(suffix, digits):
    lead = r"[^\r\n\p{L}\p{N}]?"
    return (f"{lead}{UP}*{LOW}+{suffix}|{lead}{UP}+{LOW}*{suffix}|{digits}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")


GPT4O = cased(S + "?", r"\p{N}{1,3}")
DEEPSEEK3 = (r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
             r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
CJK = r"[\x{4e00}-\x{9fa5}\x{3040}-\x{309f}\x{30a0}-\x{30ff}]+"
CJ_HANGUL = "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"
LETTERS = (r"\s?[A-Za-z\x{b5}\x{c0}-\x{d6}\x{d8}-\x{f6}\x{f8}-\x{1ba}\x{1bc}-\x{1bf}\x{1c4}-\x{293}\x{295}-\x{2af}"
           r"\x{370}-\x{373}\x{376}\x{377}\x{37b}-\x{37d}\x{37f}\x{386}\x{388}-\x{38a}\x{38c}\x{38e}-\x{3a1}\x{3a3}-"
           r"\x{3f5}\x{3f7}-\x{481}\x{48a}-\x{52f}\x{531}-\x{556}\x{10a0}-\x{10c5}\x{13a0}-\x{13f5}\x{13f8}-\x{13fd}"
           r"\x{1c90}-\x{1cba}\x{1cbd}-\x{1cbf}\x{1d00}-\x{1d2b}\x{1d6b}-\x{1d77}\x{1d79}-\x{1d9a}\x{1e00}-\x{1f15}"
           r"\x{1f18}-\x{1f1d}\x{1f20}-\x{1f45}\x{1f48}-\x{1f4d}\x{1f50}-\x{1f57}\x{1f59}\x{1f5b}\x{1f5d}\x{1f5f}-"
           r"\x{1f7d}\x{1f80}-\x{1fb4}\x{1fb6}-\x{1fbc}\x{1fbe}\x{1fc2}-\x{1fc4}\x{1fc6}-\x{1fcc}\x{1fd0}-\x{1fd3}"
           r"\x{1fd6}-\x{1fdb}\x{1fe0}-\x{1fec}\x{1ff2}-\x{1ff4}\x{1ff6}-\x{1ffc}\x{2102}\x{2107}\x{210a}-\x{2113}"
           r"\x{2115}\x{2119}-\x{211d}\x{2124}\x{2126}\x{2128}\x{212a}-\x{212d}\x{212f}-\x{2134}\x{2139}\x{213c}-"
           r"\x{213f}\x{2145}-\x{2149}\x{214e}\x{2183}\x{2184}\x{2c00}-\x{2c7b}\x{2c7e}-\x{2ce4}\x{2ceb}-\x{2cee}"
           r"\x{2cf2}\x{2cf3}\x{a640}-\x{a66d}\x{a680}-\x{a69b}\x{a722}-\x{a76f}\x{a771}-\x{a787}\x{a78b}-\x{a78e}"
           r"\x{ab70}-\x{abbf}\x{fb00}-\x{fb06}\x{fb13}-\x{fb17}\x{ff21}-\x{ff3a}\x{ff41}-\x{ff5a}\x{10400}-\x{1044f}"
           r"\x{104b0}-\x{104d3}\x{104d8}-\x{104fb}\x{10c80}-\x{10cb2}\x{10cc0}-\x{10cf2}\x{118a0}-\x{118df}\x{1e900}-"
           r"\x{1e943}]+")
KIMI_UP, KIMI_LOW = UP[:-1] + r"&&[^\p{Han}]]", LOW[:-1] + r"&&[^\p{Han}]]"
KIMI = (r"[\p{Han}]+|[^\r\n\p{L}\p{N}]?" + KIMI_UP + "*" + KIMI_LOW + "+" + S + r"?|[^\r\n\p{L}\p{N}]?" + KIMI_UP + "+"
        + KIMI_LOW + "*" + S + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def split(*patterns):
    return [pre.Split(Regex(p), "isolated") for p in patterns] + [pre.ByteLevel(add_prefix_space=False, use_regex=False)]


BYTES = pre.ByteLevel(add_prefix_space=False, use_regex=True)
RULES = {
    "default": split(r"[\p{P}\$\+<=>\^~\|]+", r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
                     r"\p{N}+", "[0-9][0-9][0-9]"),
    "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano smaug-bpe dbrx chatglm-bpe glm4 glm5":
        split(LLAMA3),
    "jais-2": split(LLAMA3[:-len(r"\s+(?!\S)|\s+")] + "|".join(r"\s{%d}(?!\S)" % n for n in (512, 256, 128, 64, 32, 16, 8, 4))
                    + r"|\s{1,2}(?!\S)|\s{1}"),
    "minicpm5": split(r"\p{N}{1,3}", QWEN2.replace(r"|\p{N}|", r"|\p{N}+|")),
    "qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2": split(QWEN2),
    "qwen35": split(S + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"),
    "ufakzeka": split(QWEN2[len(S) + 1:]),
    "laguna": split(r"[^\n]+|[\n]+", QWEN2),
    "seed-coder": split(S + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+"),
    "bailingmoe bailingmoe2 llada-moe": split(
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"),
    "exaone-moe": split(S + r"|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]"
                            r"|\s+(?!\S)|\s+"),
    "gpt-4o llama4 kanana2 talkie minimax-m2 granite-embed-multi-97m": split(GPT4O),
    "tiny_aya cohere2moe": split(r"\d{1,3}(?=(?:\d{3})*\b)", GPT4O),
    "tekken": split(cased("", r"\p{N}")),
    "youtu": split(r"[\x{ac00}-\x{d7a3}\x{3131}-\x{318e}]+|[\x{ff01}\x{2026}\x{201c}\x{201d}\x{2018}\x{2019}\x{2014}\x{ff1a}\x{ff1b}\x{ff0c}\x{3001}-\x{303f}\x{fe30}-\x{fe4f}]+|[\x{3105}-\x{312f}]+|[\x{4e00}-\x{9fa5}\x{3040}-\x{309f}\x{30a0}-\x{30ff}]+", cased(S + "?", r"\p{N}")),
    "kimi-k2": split(KIMI),
    "superbpe": split(r"\p{N}+", r"(?=(\d{3})+(?!\d))"),
    "deepseek-llm": split("[\r\n]", LETTERS, r"\s?[!-/:-~\x{ff01}-\x{ff0f}\x{ff1a}-\x{ff5e}\x{2018}-\x{201f}\x{3000}-\x{3002}]+", r"\s+$", CJ_HANGUL, r"\p{N}+"),
    "deepseek-coder": [pre.Split(Regex(p), "isolated") for p in ("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", CJ_HANGUL)]
                      + [pre.Digits(individual_digits=True), pre.ByteLevel(add_prefix_space=False, use_regex=False)],
    "deepseek-v3 hunyuan-dense joyai-llm hy_v4": split(r"\p{N}{1,3}", CJK, DEEPSEEK3),
    "spark2_5": split(r"\p{N}{1,3}", CJK, DEEPSEEK3.replace(r"[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+", r"[\p{P}\p{S}]+|[\r\n]"), r"\p{N}"),
    "afmoe": split(r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))",
                   r"[\x{4e00}-\x{9fff}\x{3400}-\x{4dbf}\x{f900}-\x{faff}\x{3040}-\x{309f}\x{30a0}-\x{30ff}\x{ff65}-\x{ff9f}\x{2f00}-\x{2fdf}\x{e40}-\x{e7f}\x{e80}-\x{eff}\x{1780}-\x{17ff}\x{1000}-\x{109f}\x{aa60}-\x{aa7f}\x{a9e0}-\x{a9ff}\x{ac00}-\x{d7af}\x{1100}-\x{11ff}]+", DEEPSEEK3),
    "bloom poro-chat gpt3-finnish": split(r" ?[^(\s|.,!?\x{2026}\x{3002}\x{ff0c}\x{3001}\x{964}\x{6d4}\x{60c})]+"),
    "viking": split(r" ?[^(\s|.,!?\x{2026}\x{3002}\x{ff0c}\x{3001}\x{964}\x{6d4}\x{60c})]+", r"\p{N}"),
    "gpt-2 phi-2 olmo mpt jais gigachat exaone4 trillion granite-docling a.x-4.0 mellum modern-bert roberta-bpe jina-es jina-de "
    "jina-v1-en jina-v2-es jina-v2-de jina-v2-code": [BYTES],
    "starcoder refact command-r smollm codeshell exaone minerva-7b mellum2": [pre.Digits(individual_digits=True), BYTES],
    "falcon": split(r"[\p{P}\$\+<=>\^~\|`]+", r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
                    "[0-9][0-9][0-9]"),
    "chameleon": [pre.Split(Regex("<sentinel:[0-9]+>"), "isolated"),
                  pre.Split(Regex("(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z"), "isolated"),
                  pre.Split(Regex(r"([\t\n]|    |  )"), "isolated"), pre.Digits(individual_digits=True),
                  pre.Punctuation("isolated"), BYTES],
}
DEFINITIONS = [
    {"type": "FixedLength", "length": 1}, {"type": "FixedLength", "length": 5}, {"type": "UnicodeScripts"},
    *({"type": "Split", "pattern": {"Regex": p}, "behavior": b, "invert": False} for p, b in (
        (r"\p{Emoji}", "Isolated"), (r"\p{Emoji_Presentation}+", "MergedWithPrevious"), (r"\p{Extended_Pictographic}", "Removed"),
        (r"[\p{Emoji}&&[^0-9#*]]+", "Contiguous"), (r"\P{Emoji}+", "Isolated"), (r"\p{Alphabetic}+", "Isolated"),
        (r"\p{Dash}", "Isolated"), (r"\p{Hex_Digit}+", "Isolated"), (r"\p{Ideographic}+", "Isolated"),
        (r"\p{Uppercase}\p{Lowercase}*", "Isolated"), (r"\p{ID_Start}\p{ID_Continue}*", "Isolated"), (r"\p{Math}", "Isolated"),
        (r"\p{Greek}+|\p{Cyrillic}+", "Isolated"), (r"\p{Quotation_Mark}", "Isolated"), (r"(\()?a(?(1)\))", "Isolated"),
        (r"(?<q>')?\w+(?(<q>)')", "Isolated")))]


def build(definition):
    kind = definition["type"]
    if kind == "FixedLength":
        return pre.FixedLength(definition["length"])
    if kind == "UnicodeScripts":
        return pre.UnicodeScripts()
    behaviors = {"Isolated": "isolated", "Removed": "removed", "MergedWithPrevious": "merged_with_previous",
                 "Contiguous": "contiguous"}
    return pre.Split(Regex(definition["pattern"]["Regex"]), behaviors[definition["behavior"]])


def ends(rule, text):
    parts = [offsets for _, offsets in pre.Sequence(rule).pre_tokenize_str(text)]
    assert [a for a, _ in parts] == [0] + [b for _, b in parts][:-1], (parts, text)
    return [b for _, b in parts]


rules = {}
for names, rule in RULES.items():
    rules[names] = [ends(rule, text) for text in TEXTS]
definitions = []
for definition in DEFINITIONS:
    try:
        tokenizer = build(definition)
    except Exception as problem:
        print(definition, problem)
        continue
    definitions.append({"definition": definition, "parts": [[part for part, _ in tokenizer.pre_tokenize_str(text)] for text in TEXTS]})
# Names whose merges are of characters rather than of bytes: the ids of a small vocabulary.
VOCABULARY = ["<unk>"] + [f"<0x{i:02X}>" for i in range(256)] + list("\u2581\nabcdefghinorstuxyzé日本") + [
    "\u2581\u2581", "\n\n", "th", "he", "\u2581a", "an", "and", "in", "日本", "er", "\u2581\u2581\u2581", "re"]
MERGES = [("\u2581", "\u2581"), ("\n", "\n"), ("t", "h"), ("h", "e"), ("\u2581", "a"), ("a", "n"), ("an", "d"), ("i", "n"),
          ("日", "本"), ("e", "r"), ("\u2581\u2581", "\u2581"), ("r", "e")]
RAW = {
    "gemma4 granite-embed-multi-311m sarvam-moe": (normalizers.Replace(" ", "\u2581"), pre.Split(Regex(r"[^\n]+|[\n]+"), "isolated"), True),
    "whitespace": (None, pre.Whitespace(), False),
}
raw = {}
for names, (normalizer, rule, falls_back) in RAW.items():
    tokenizer = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(VOCABULARY)}, merges=MERGES, unk_token="<unk>",
                                     byte_fallback=falls_back, fuse_unk=falls_back))
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = rule
    raw[names] = [tokenizer.encode(text).ids for text in TEXTS]
lines = ['{"texts": ' + json.dumps(TEXTS, ensure_ascii=False) + ',\n"rules": {']
lines.append(",\n".join(json.dumps(n) + ": " + json.dumps(r, separators=(",", ":")) for n, r in rules.items()) + '},\n"definitions": [')
lines.append(",\n".join(json.dumps(d, ensure_ascii=False) for d in definitions) + '],\n"raw": {"tokens": '
             + json.dumps(VOCABULARY, ensure_ascii=False) + ', "merges": ' + json.dumps([" ".join(m) for m in MERGES], ensure_ascii=False)
             + ', "ids": {')
lines.append(",\n".join(json.dumps(n) + ": " + json.dumps(r, separators=(",", ":")) for n, r in raw.items()) + "}}}\n")
(pathlib.Path(__file__).parent / "pre_tokenizers.json").write_text("\n".join(lines), encoding="utf-8")
print(len(TEXTS), "texts,", sum(len(n.split()) for n in rules), "names,", len(definitions), "definitions")
