// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/diagnosis.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

constexpr double kWorthMentioning = 0.02; // share of the largest part

Amount amountOfRun(const Diagnosis& diagnosis)
{
    Amount all;
    for (const DividedNode& divided : diagnosis.nodes)
        all += divided.node.amount;
    return all;
}

// Effect of the changed amount alone; the rest of the difference is the effect of the price.
Picojoules amountEffect(const DifferencePart& part, double before, double after)
{
    const double a = toDouble(part.after);
    const double b = toDouble(part.before);
    if (!(a > 0.0 && b > 0.0 && before > 0.0 && after > 0.0))
        return part.difference();
    return roundedPicojoules(logMean(a, b) * std::log(after / before));
}

Picojoules scaled(Picojoules value, double factor)
{
    return factor == 1.0 ? value : roundedPicojoules(toDouble(value) * factor);
}

const char* ofPart(std::string_view title)
{
    constexpr std::array kPatterns{"%1 of compute",
                                   "%1 of memory",
                                   "%1 of static power",
                                   "%1 of waiting",
                                   "%1 of what cannot be divided",
                                   "%1 of what the model does not explain"};
    return *std::ranges::find_if(
        kPatterns, [title](std::string_view pattern) { return pattern.ends_with(title); });
}

// `divided`: both sides are divided into parts, which then say where the difference is.
Message sentenceFor(const CauseDifference& difference, const Diagnosis& unit, const Message& label,
                    bool divided)
{
    const double change = toDouble(difference.difference()) * kPico;
    const bool saves = change < 0.0;
    const auto text = [&](double value) { return formatAmount(unit, std::fabs(value)); };
    const bool perToken = difference.per_token;
    const auto sentence = [&](const char* ofToken, const char* ofRun) {
        return Message(perToken ? ofToken : ofRun, label, text(change));
    };
    const Message whole = saves ? sentence("%1 saves %2 per output token", "%1 saves %2")
                                : sentence("%1 needs %2 more per output token", "%1 needs %2 more");
    if (!divided)
        return {"%1.", whole};
    std::vector<const DifferencePart*> parts;
    double largest = 0.0;
    for (const DifferencePart& part : difference.parts) {
        parts.push_back(&part);
        largest = std::max(largest, std::fabs(toDouble(part.difference())));
    }
    const auto along = [&](const DifferencePart* part) {
        return (saves ? -1.0 : 1.0) * toDouble(part->difference());
    };
    std::ranges::stable_sort(parts, std::ranges::greater(), along);
    std::vector<Message> words;
    for (const DifferencePart* part : parts) {
        const double share = along(part);
        if (std::fabs(share) < kWorthMentioning * largest || share == 0.0)
            continue;
        const Message amount(ofPart(part->title), text(share * kPico));
        words.push_back(share < 0.0 ? Message("minus %1", amount) : amount);
    }
    return words.empty() ? Message("%1.", whole)
                         : Message("%1: %2.", whole, sequence(std::move(words), ", "));
}

} // namespace

double logMean(double a, double b)
{
    if (!(a > 0.0 && b > 0.0))
        return 0.0;
    const double x = std::log(a / b);
    // Near equality the quotient loses digits, so its series is used.
    constexpr double kNear = 1e-4;
    return std::fabs(x) < kNear ? std::sqrt(a * b) * (1.0 + x * x / 24.0) : (a - b) / x;
}

CauseDifference differenceOf(const Diagnosis& before, const Diagnosis& after, int tokensBefore,
                             int tokensAfter, const Message& label)
{
    CauseDifference result;
    result.of_time = before.of_time;
    result.per_token = tokensBefore != tokensAfter && tokensBefore > 0 && tokensAfter > 0;
    const double perBefore = result.per_token ? 1.0 / tokensBefore : 1.0;
    const double perAfter = result.per_token ? 1.0 / tokensAfter : 1.0;
    const Amount a = amountOfRun(before) * perBefore;
    const Amount b = amountOfRun(after) * perAfter;
    // If only one side is divided, the whole energy of the other side is in the rest.
    const auto isDivided = [](const Diagnosis& side) {
        return side.inside == Inside::Known && side.costs.ceilings != CostOrigin::Unknown;
    };
    struct Row {
        const char* id;
        const char* title;
        Picojoules Division::*value;
        double Division::*sd;
        double Amount::*amount;
    };
    const std::array<Row, 4> rows{
        Row{"compute", "compute", &Division::compute, &Division::compute_sd, &Amount::flops},
        Row{"memory", "memory", &Division::memory, &Division::memory_sd, &Amount::bytes},
        Row{"static", "static power", &Division::idle, &Division::idle_sd, &Amount::seconds},
        Row{"rest", restOf(isDivided(before) ? after : before).phrase, &Division::rest,
            &Division::rest_sd, nullptr}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        DifferencePart& part = result.parts[i];
        part.id = row.id;
        part.title = row.title;
        part.before = scaled(before.whole.*row.value, perBefore);
        part.after = scaled(after.whole.*row.value, perAfter);
        part.by_amount = row.amount != nullptr ? amountEffect(part, a.*row.amount, b.*row.amount)
                                               : part.difference();
        part.by_price = part.difference() - part.by_amount;
        part.sd = std::hypot(before.whole.*row.sd * perBefore, after.whole.*row.sd * perAfter);
        result.before += part.before;
        result.after += part.after;
    }
    result.sentence = sentenceFor(result, before, label, isDivided(before) && isDivided(after));
    return result;
}

} // namespace ep::energy
