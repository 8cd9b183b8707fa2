// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/joined.h"
#include "ep/core/utf8.h"
#include "ep/energy/comparison.h"

#include <cmath>
#include <sstream>
#include <vector>

namespace ep::energy {

namespace {

constexpr std::string_view kBlanks = " \t";

// Parses the number at the start of a text, independent of the locale; the rest stays in `text`.
std::optional<double> takeNumber(std::string& text)
{
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    double value = 0.0;
    if (!(stream >> value) || !std::isfinite(value))
        return std::nullopt;
    std::string rest;
    std::getline(stream, rest, '\0');
    text = trimmed(rest, kBlanks);
    return value;
}

} // namespace

Result<DifferenceLimit> parseLimit(std::string_view text)
{
    const auto wrong = [&](const Message& what) {
        std::vector<std::string> names;
        for (const RunFigureFacts& facts : kRunFigures)
            names.emplace_back(facts.id);
        return Error{ErrorCode::InvalidInput,
                     {"The limit '%1' %2; write it like \"joules_per_token > +5%\" with one of %3.",
                      text, what, joined(names)}};
    };
    const auto sign = text.find_first_of("<>");
    if (sign == std::string_view::npos)
        return wrong("contains neither > nor <");
    DifferenceLimit limit;
    const auto metric = runFigureFromName(trimmed(text.substr(0, sign), kBlanks));
    if (!metric)
        return wrong("does not name a known figure");
    limit.metric = *metric;
    limit.above = text[sign] == '>';
    std::string rest(trimmed(text.substr(sign + 1), kBlanks));
    const auto value = takeNumber(rest);
    if (!value || (!rest.empty() && rest != "%"))
        return wrong("is not followed by a number (with or without %)");
    limit.relative = rest == "%";
    limit.limit = limit.relative ? *value / 100.0 : *value;
    return limit;
}

LimitCheck checkLimit(const DifferenceLimit& limit, const std::optional<SideTest>& test,
                      double baseline)
{
    if (!test || !test->interval || (!limit.relative && !(std::abs(baseline) > 0.0)))
        return LimitCheck::NotKnown;
    const double edge = limit.relative ? limit.limit : limit.limit / std::abs(baseline);
    const auto [low, high] = *test->interval;
    if (limit.above ? low > edge : high < edge)
        return LimitCheck::Exceeded;
    return (limit.above ? high <= edge : low >= edge) ? LimitCheck::Within : LimitCheck::NotKnown;
}

} // namespace ep::energy
