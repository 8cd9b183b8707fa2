// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/kept_cards.h"

#include <QSaveFile>

#include <algorithm>
#include <system_error>
#include <tuple>

namespace ep::session {

namespace {

QString fileName(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

auto placeOf(const KeptCard& kept)
{
    return std::tuple(kept.card.machine_class,
                      kept.card.pairs.empty() ? 0 : kept.card.pairs.front().a.created_at_ms,
                      kept.file);
}

} // namespace

std::filesystem::path cardFolder(const std::filesystem::path& database)
{
    return database.parent_path() / "cards";
}

Result<std::filesystem::path> keepCard(const PaysCard& card, const std::filesystem::path& database)
{
    const std::filesystem::path folder = cardFolder(database);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    constexpr std::size_t kHashDigits = 12;
    const std::size_t digits = card.hash.find(':') + 1; // after the prefix "sha256:"
    const std::filesystem::path file =
        folder / ("card-" + card.hash.substr(digits, kHashDigits) + ".json");
    QSaveFile saved(fileName(file));
    const std::string text = cardJson(card);
    const auto size = static_cast<qint64>(text.size());
    if (!saved.open(QIODevice::WriteOnly) || saved.write(text.data(), size) != size
        || !saved.commit())
        return Error{ErrorCode::Io,
                     {"The card cannot be written to %1: %2.", file.string(),
                      saved.errorString().toStdString()}};
    return file;
}

Result<std::filesystem::path> keepCardOf(const std::filesystem::path& file,
                                         const std::filesystem::path& database)
{
    const auto card = readCard(file);
    if (!card)
        return card.error();
    return keepCard(*card, database);
}

KeptCards keptCards(const std::filesystem::path& database)
{
    KeptCards kept;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(cardFolder(database), error), end;
         !error && entry != end; entry.increment(error)) {
        if (entry->path().extension() != ".json")
            continue;
        auto card = readCard(entry->path());
        if (card)
            kept.cards.push_back({.file = entry->path(), .card = *std::move(card)});
        else
            kept.problems.push_back(card.error().message);
    }
    std::ranges::sort(kept.cards, {}, placeOf);
    std::ranges::sort(kept.problems, {}, &Message::english);
    return kept;
}

} // namespace ep::session
