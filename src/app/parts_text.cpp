// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts_text.h"

#include "text_table.h"

#include "ep/core/format.h"
#include "ep/core/run_part.h"
#include "ep/core/run_tree.h"
#include "ep/core/tally.h"

#include <array>
#include <map>
#include <utility>

namespace ep::app {

namespace {

// The sums of one part over all tokens and layers.
struct Part {
    Tally sum;
    // Sum and count, in the order of kOperationFigures.
    std::array<std::pair<double, std::int64_t>, kOperationFigures.size()> figures{};

    void add(const Span& span) { sum.add(tallyOf(span)); }

    void addFigures(const OperationExtras& extras)
    {
        for (std::size_t i = 0; i < figures.size(); ++i) {
            if (const auto value = kOperationFigures[i].of(extras)) {
                figures[i].first += *value;
                ++figures[i].second;
            }
        }
    }

    std::string figuresText() const
    {
        std::string text;
        for (std::size_t i = 0; i < figures.size(); ++i) {
            const auto& [total, count] = figures[i];
            if (count > 0)
                text += (text.empty() ? "" : ", ") + inText(kOperationFigures[i].title) + ' '
                    + formatSignificant(total / static_cast<double>(count));
        }
        return text;
    }
};

class PartsTable {
public:
    explicit PartsTable(Nanoseconds whole)
        : m_whole(whole)
        , m_table({{"part"},
                   {"spans", TextTable::Align::Right},
                   {"time", TextTable::Align::Right},
                   {"of the run", TextTable::Align::Right},
                   {"energy", TextTable::Align::Right},
                   {"mean of"}})
    {
    }

    void add(const std::string& title, const Part& part)
    {
        addRow(title, std::to_string(part.sum.spans), part.sum, part.figuresText());
    }

    void addSum(const std::string& title, const Tally& sum) { addRow(title, "", sum, ""); }

    std::string text() const { return m_table.toString(); }

private:
    void addRow(const std::string& title, std::string spans, const Tally& sum, std::string figures)
    {
        m_table.addRow({title, std::move(spans), formatDuration(sum.duration_ns),
                        m_whole > 0 ? formatPercent(static_cast<double>(sum.duration_ns)
                                                    / static_cast<double>(m_whole))
                                    : kMissingText,
                        formatEnergy(sum), std::move(figures)});
    }

    Nanoseconds m_whole;
    TextTable m_table;
};

} // namespace

Result<std::string> partsText(const store::RunSource& run)
{
    OutsideLayers outside(true);
    std::map<Component, Part> components;
    std::map<std::pair<Component, Operation>, Part> operations;
    const Status read =
        run.read(store::RunSource::Parts::All, [&](const RunTrace& piece) -> Status {
            outside.add(piece.sections);
            for (const Span& span : piece.components) {
                components[span.component].add(span);
                outside.addComponent(span);
            }
            for (const Span& span : piece.operations) {
                Part& part = operations[{span.component, span.operation}];
                part.add(span);
                if (span.extras)
                    part.addFigures(*span.extras);
            }
            return {};
        });
    if (!read)
        return read.error();
    if (components.empty())
        return std::string();

    PartsTable table(run.head().trace.time.duration_ns());
    for (const auto& [component, part] : components) {
        table.add(std::string(name(component)), part);
        Tally inside;
        for (const auto& [key, operation] : operations) {
            if (key.first != component)
                continue;
            table.add("  " + std::string(name(key.second)), operation);
            inside.add(operation.sum);
        }
        if (inside.spans > 0)
            table.addSum("  " + inText(title(Remainder::BetweenOperations)), part.sum - inside);
    }
    // The rest of the run, so that components and these rows add up to it.
    Part other;
    for (const auto& [section, sum] : outside.sections()) {
        other.sum = sum;
        table.add(std::string(name(section)), other);
    }
    for (const auto& [part, sum] : outside.remainders(run.head()))
        table.addSum(inText(title(part)), sum);
    table.addSum("run", tallyOf(run.head().trace.time, run.head().metrics.energy));
    return table.text();
}

} // namespace ep::app
