// SPDX-License-Identifier: GPL-3.0-or-later
#include "text.h"

#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_title.h"
#include "ep/core/utf8.h"
#include "ep/ui/theme.h"
#include "ep/viz/metric.h"

#include <QDateTime>
#include <QFile>
#include <QLocale>

#include <set>

namespace ep::ui {

using namespace Qt::Literals::StringLiterals;

QString pathText(const std::filesystem::path& path)
{
    return QFile::decodeName(path.c_str());
}

std::filesystem::path toPath(const QString& path)
{
    return QFile::encodeName(path).toStdString();
}

QString missingText()
{
    return QString::fromUtf8(kMissingText);
}

QString energyText(std::optional<Millijoules> energy)
{
    return toQString(formatEnergy(energy));
}

QString energyText(const RunSummary& run)
{
    return toQString(formatEnergy(knownEnergy(run)));
}

QString intervalText(Millijoules standardDeviation)
{
    return toQString(formatInterval95(standardDeviation));
}

QString intervalExplanation()
{
    return translated("95 % interval: two standard deviations to either side.");
}

QString powerText(std::optional<Milliwatts> power)
{
    return toQString(formatPower(power));
}

QString durationText(std::optional<Nanoseconds> duration)
{
    return duration ? toQString(formatDuration(*duration)) : missingText();
}

void useNumberStyle(EnergyUnit unit)
{
    static std::set<std::string> words; // words are never removed, because formatting uses them
    const auto kept = [](const char* word) { return words.insert(said(word)).first->c_str(); };
    // Our own numbers have the digits 0 to 9, so the fields and dates of Qt must not have those of
    // Arabic or Persian.
    if (QLocale().zeroDigit() != u"0"_s)
        QLocale::setDefault(QLocale(QLocale::English));
    const QString point = QLocale().decimalPoint();
    setNumberStyle({.decimal_point = point == u","_s ? ',' : '.',
                    .energy = unit,
                    .token = kept(QT_TRANSLATE_NOOP("ep::ui", "token")),
                    .tokens = kept(QT_TRANSLATE_NOOP("ep::ui", "tokens"))});
}

QString energyPerTokenTitle()
{
    return term(heading(RunFigure::JoulesPerToken));
}

QString energyPerTokenText(std::optional<double> joules)
{
    return toQString(formatCell(RunFigure::JoulesPerToken, joules));
}

QString energyPerTokenText(const std::optional<energy::PerToken>& figure)
{
    return energyPerTokenText(figure ? std::optional(figure->joules) : std::nullopt);
}

QString numberText(std::optional<double> value)
{
    return value ? toQString(formatSignificant(*value)) : missingText();
}

QString dateText(std::int64_t wallClockMs)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(wallClockMs);
    const QLocale locale;
    // English-speaking countries disagree on the order of day and month; ISO is unambiguous.
    if (locale.language() == QLocale::C || locale.language() == QLocale::English)
        return time.toString(u"yyyy-MM-dd HH:mm"_s);
    return locale.toString(time, QLocale::ShortFormat);
}

QString countText(qsizetype runs)
{
    return runs == 1 ? translated("1 run") : translated("%1 runs").arg(runs);
}

QString statusText(RunStatus status)
{
    QString text = term(name(status));
    text.front() = text.front().toUpper();
    return text;
}

QString sourceText(const std::string& source)
{
    return term(source.empty() || source == "none" ? "none (timing only)" : source);
}

QString factsText(const ModelFacts& facts)
{
    QStringList parts;
    QString family = toQString(facts.architecture);
    if (family.endsWith("ForCausalLM"_L1))
        family.chop(11);
    if (!family.isEmpty())
        parts << family;
    if (facts.parameters > 0)
        parts << translated("%1 parameters").arg(toQString(formatCount(facts.parameters)));
    if (facts.layers > 0)
        parts << translated("%1 layers × %2").arg(facts.layers).arg(facts.hidden_size);
    if (!facts.stored_dtype.empty())
        parts << toQString(facts.stored_dtype);
    if (facts.weight_bytes > 0)
        parts << toQString(formatBytes(facts.weight_bytes));
    return parts.join(u" · "_s);
}

QString factText(const energy::Fact& fact)
{
    return fact.kind == energy::FactKind::Verbatim ? toQString(fact.value.english())
                                                   : term(fact.value);
}

QString factText(const energy::FactSubject& run, std::string_view word)
{
    return factText(energy::factOf(run, word));
}

QString energyOriginText(const std::string& source, Provenance provenance)
{
    const QString label = energyLabel(source, provenance);
    return source == name(provenance) || label == powerOriginLabel(source)
        ? label
        : label + u" (%1)"_s.arg(sourceText(source));
}

QString runLineText(const RunInfo& info, Provenance energy)
{
    constexpr std::size_t kPromptBytes = 80;
    return translated("%1 · %2 · energy %3 · run %4 · “%5”")
        .arg(toQString(info.model.name), dateText(info.created_at_ms),
             energyLabel(info.power.source, energy), toQString(shortId(info.id)),
             toQString(previewUtf8(info.prompt, kPromptBytes)).simplified());
}

QString noTokensText(const Run& run)
{
    if (run.info.power.source != kImportedSource)
        return translated("This run produced no token.");
    return run.info.output_tokens > 0
        ? translated("The requests state how many tokens there were, not which.")
        : translated("This recording names no tokens: import it with the file of its requests.");
}

QString selectionText(const viz::Selection& selection)
{
    QStringList parts;
    if (selection.phase) {
        parts << term(viz::title(*selection.phase));
    } else if (selection.tokens) {
        const auto [first, last] = *selection.tokens;
        parts << (last - first == 1 ? translated("token %1").arg(first)
                                    : translated("tokens %1 to %2").arg(first).arg(last - 1));
    } else if (selection.time) {
        parts << translated("a time range");
    }
    if (selection.layer)
        parts << translated("layer %1").arg(*selection.layer);
    if (selection.component)
        parts << toQString(name(*selection.component));
    if (selection.operation)
        parts << toQString(name(*selection.operation));
    return parts.join(u" · "_s);
}

} // namespace ep::ui
