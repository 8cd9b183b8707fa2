// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/difference_limit.h"

#include <cmath>
#include <sstream>

namespace ep::energy {

namespace {

std::string trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

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
    text = trimmed(rest);
    return value;
}

} // namespace

Result<DifferenceLimit> parseLimit(std::string_view text)
{
    const auto wrong = [&](const std::string& what) {
        std::string names;
        for (const RunFigureFacts& facts : kRunFigures)
            names += std::string(names.empty() ? "" : ", ") + facts.id;
        return Error{ErrorCode::InvalidInput,
                     {"The limit '%1' %2; write it like \"joules_per_token > +5%\" with one of %3.",
                      text, what, names}};
    };
    const auto sign = text.find_first_of("<>");
    if (sign == std::string_view::npos)
        return wrong("contains neither > nor <");
    DifferenceLimit limit;
    const auto metric = runFigureFromName(trimmed(text.substr(0, sign)));
    if (!metric)
        return wrong("does not name a known figure");
    limit.metric = *metric;
    limit.above = text[sign] == '>';
    std::string rest = trimmed(text.substr(sign + 1));
    const auto value = takeNumber(rest);
    if (!value || (!rest.empty() && rest != "%"))
        return wrong("is not followed by a number (with or without %)");
    limit.relative = rest == "%";
    limit.limit = limit.relative ? *value / 100.0 : *value;
    return limit;
}

bool exceeds(const DifferenceLimit& limit, double difference, std::optional<double> relative)
{
    if (limit.relative && !relative)
        return false;
    const double value = limit.relative ? *relative : difference;
    return limit.above ? value > limit.limit : value < limit.limit;
}

} // namespace ep::energy
