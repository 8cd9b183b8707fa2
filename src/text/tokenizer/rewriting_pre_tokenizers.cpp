// SPDX-License-Identifier: GPL-3.0-or-later
#include "rewriting_pre_tokenizers.h"

#include "byte_level.h"
#include "pattern.h"
#include "split_pieces.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::text {

namespace {

// The built-in pattern of the ByteLevel pre-tokenizer, from GPT-2.
constexpr std::string_view byteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

class ByteLevel final : public PreTokenizer {
public:
    ByteLevel(bool addPrefixSpace, bool usePattern)
        : m_addPrefixSpace(addPrefixSpace)
    {
        if (usePattern)
            m_pattern = Pattern::regex(byteLevelPattern);
    }
    Status apply(Pieces& pieces) const override
    {
        if (m_addPrefixSpace) {
            for (Piece& piece : pieces.list) {
                if (piece.token == noToken && !piece.text.empty() && piece.text.front() != ' ')
                    piece.text = pieces.keep(std::string(" ").append(piece.text));
            }
        }
        if (m_pattern) {
            PatternSearch search(*m_pattern);
            std::vector<Span> spans;
            Status status =
                splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
                    if (Status found = search.findSpans(piece.text, spans); !found)
                        return found;
                    appendParts(result, piece, spans);
                    return {};
                });
            if (!status)
                return status;
        }
        const std::size_t bytes = toBytes(pieces);
        return pieces.budget.keep(bytes, "the pre-tokenizer ByteLevel");
    }

private:
    // Puts all texts into one string: one allocation instead of one per word.
    static std::size_t toBytes(Pieces& pieces)
    {
        std::string all;
        std::vector<std::size_t> ends;
        ends.reserve(pieces.list.size());
        for (const Piece& piece : pieces.list) {
            if (piece.token == noToken)
                appendByteLevel(all, piece.text);
            ends.push_back(all.size());
        }
        const std::string_view kept = pieces.keep(std::move(all));
        std::size_t begin = 0;
        for (std::size_t i = 0; i < ends.size(); begin = ends[i++]) {
            if (pieces.list[i].token == noToken)
                pieces.list[i].text = kept.substr(begin, ends[i] - begin);
        }
        return kept.size();
    }

    bool m_addPrefixSpace;
    std::optional<Pattern> m_pattern;
};

class MetaspaceSplit final : public PreTokenizer {
public:
    explicit MetaspaceSplit(Metaspace settings)
        : m_settings(std::move(settings))
    {
    }
    Status apply(Pieces& pieces) const override
    {
        return splitEach(pieces, [&](const Piece& piece, std::vector<Piece>& result) -> Status {
            Piece changed = piece;
            changed.text = pieces.keep(rewrite(piece));
            if (Status status =
                    pieces.budget.keep(changed.text.size(), "the pre-tokenizer Metaspace");
                !status)
                return status;
            if (!m_settings.split) {
                appendParts(result, changed, {{0, changed.text.size(), false}});
                return {};
            }
            splitAtReplacements(changed, result);
            return {};
        });
    }

private:
    std::string rewrite(const Piece& piece) const
    {
        std::string text;
        text.reserve(piece.text.size() + piece.text.size() / 2);
        for (const char c : piece.text) {
            if (c == ' ')
                text += m_settings.replacement;
            else
                text += c;
        }
        const bool wanted = m_settings.prefix == Metaspace::Prefix::Always
            || (m_settings.prefix == Metaspace::Prefix::First && piece.beginsText);
        if (wanted && !text.empty() && text.rfind(m_settings.replacement, 0) != 0)
            text.insert(0, m_settings.replacement);
        return text;
    }

    // A part begins at every replacement, as MergedWithNext does for a run of single matches.
    void splitAtReplacements(const Piece& piece, std::vector<Piece>& result) const
    {
        std::size_t begin = 0;
        while (begin < piece.text.size()) {
            const std::size_t end =
                std::min(piece.text.find(m_settings.replacement, begin + 1), piece.text.size());
            result.push_back(partOf(piece, begin, end));
            begin = end;
        }
    }

    Metaspace m_settings;
};

} // namespace

std::unique_ptr<PreTokenizer> makeByteLevel(bool addPrefixSpace, bool usePattern)
{
    return std::make_unique<ByteLevel>(addPrefixSpace, usePattern);
}

std::unique_ptr<PreTokenizer> makeMetaspaceSplit(Metaspace settings)
{
    return std::make_unique<MetaspaceSplit>(std::move(settings));
}

} // namespace ep::text
