// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats.h"
#include "json_guess.h"
#include "log.h"
#include "object_splitter.h"

#include "ep/json/document.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::powerlog {

namespace {

using json::Json;

// Finds the values at a path: "a.b", or "a.[].b" for each element of a list.
void findValues(const Json& value, std::string_view path, std::vector<const Json*>& found)
{
    if (path.empty()) {
        if (value.is_array()) {
            for (const Json& element : value)
                found.push_back(&element);
        } else {
            found.push_back(&value);
        }
        return;
    }
    const std::size_t dot = path.find('.');
    const std::string key(path.substr(0, dot));
    const std::string_view rest =
        dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (key == "[]") {
        if (value.is_array()) {
            for (const Json& element : value)
                findValues(element, rest, found);
        }
        return;
    }
    if (!value.is_object())
        return;
    const auto field = value.find(key);
    if (field != value.end())
        findValues(*field, rest, found);
}

std::vector<const Json*> valuesAt(const Json& value, std::string_view path)
{
    std::vector<const Json*> found;
    if (!path.empty())
        findValues(value, path, found);
    return found;
}

class JsonLogReader {
public:
    explicit JsonLogReader(Log& log)
        : m_log(log)
    {
    }

    Status take(const std::string& text, std::int64_t row);
    Status finish();

private:
    Result<Nanoseconds> timeOf(const Json& object, std::int64_t row);
    Status valuesOf(const Json& object, std::int64_t row);
    Result<double> textValue(const std::string& text, const FieldRule& field, std::size_t column,
                             std::int64_t row);

    Log& m_log;
    const JsonFormat* m_format = nullptr;
    std::unique_ptr<GuessedJson> m_guess; // owns m_format if no row of the table fits
    std::int64_t m_objects = 0;
    std::int64_t m_others = 0; // objects of unknown format
    std::int64_t m_firstOther = 0;
    std::string m_firstDevice;
    energy::RowList m_tokensWithoutJoules;
};

Status JsonLogReader::take(const std::string& text, std::int64_t row)
{
    // mactop writes the temperature twice.
    auto object = json::parseUniqueKeys(text, "cpu_temp");
    if (!object)
        return rowError(row, Message("the object that begins here is %1.", object.error().message));
    const auto isFormat = [&](const JsonFormat& format) {
        const auto found = valuesAt(*object, format.required);
        return !found.empty()
            && (format.required[0] != 's' || object->contains("power_mw")
                || std::string_view(format.required) != "start_ns");
    };
    if (m_format == nullptr) {
        const auto formats = jsonFormats();
        const auto format = std::ranges::find_if(formats, isFormat);
        if (format != formats.end())
            m_format = &*format;
        else if ((m_guess = guessJson(*object)))
            m_format = &m_guess->format;
        if (m_format != nullptr) {
            m_log.recording.format = m_format->id;
            m_log.recording.format_title = m_format->title;
            for (const FieldRule& field : m_format->fields)
                m_log.recording.columns.push_back(
                    {field.path, std::string("power of ") + field.rail});
        }
    }
    if (m_format == nullptr || !isFormat(*m_format)) {
        if (m_others++ == 0)
            m_firstOther = row;
        return {};
    }
    return valuesOf(*object, row);
}

Result<Nanoseconds> JsonLogReader::timeOf(const Json& object, std::int64_t row)
{
    for (const char* path : m_format->times) {
        const auto times = valuesAt(object, path);
        if (times.empty())
            continue;
        const Json& time = *times.front();
        if (time.is_string()) {
            if (time.get_ref<const std::string&>().empty())
                continue;
            return m_log.clock.at(time.get_ref<const std::string&>(), row);
        }
        if (time.is_number_integer() || time.is_number_float())
            return m_log.clock.at(time.dump(), row, m_format->time_s);
    }
    if (m_format->event[0] != '\0') {
        m_log.collector.note(Weight::Note, kPerfWithoutTimes);
        return m_log.clock.at(Instant{});
    }
    return m_log.clock.atIndex(m_objects, row);
}

// A number in quotation marks, which may state its unit; NaN if it is not available.
Result<double> JsonLogReader::textValue(const std::string& text, const FieldRule& field,
                                        std::size_t column, std::int64_t row)
{
    const Unit stated = *unitFrom(field.unit);
    const auto number = m_log.numbers.read(text, column, row);
    const auto unit = number && !number->rest.empty() ? unitFrom(number->rest) : stated;
    if (number && unit && unit->of == stated.of)
        return number->value * unit->factor;
    if (!number && isUnavailable(text))
        return std::numeric_limits<double>::quiet_NaN();
    return rowError(row, Message("%1 in %2 is not a number.", quoteCell(text), field.path));
}

Status JsonLogReader::valuesOf(const Json& object, std::int64_t row)
{
    if (m_format->only[0] != '\0') {
        const auto unit = valuesAt(object, m_format->only);
        if (unit.empty() || !unit.front()->is_string() || *unit.front() != "Joules")
            return {};
    }
    const auto at = timeOf(object, row);
    if (!at)
        return at.error();
    ++m_objects;
    Reading reading{.at_ns = *at, .row = row};
    if (const auto lengths = valuesAt(object, m_format->length);
        !lengths.empty() && lengths.front()->is_number())
        reading.length_s = lengths.front()->get<double>() * m_format->length_s;
    std::string device;
    if (const auto ids = valuesAt(object, m_format->device); !ids.empty())
        device = ids.front()->dump();
    if (m_objects == 1)
        m_firstDevice = device;
    for (const FieldRule& field : m_format->fields) {
        const auto found = valuesAt(object, field.path);
        const auto column =
            static_cast<std::size_t>(&field - m_format->fields.data()) + LogNumbers::kTimes + 1;
        for (std::size_t i = 0; i < found.size() && i < 64; ++i) {
            std::string name = field.rail;
            if (device != m_firstDevice)
                name += " " + device;
            if (found.size() > 1)
                name += " " + std::to_string(i + 1);
            RailSpec spec{.name = name,
                          .rule = m_format->rule,
                          .measured = field.measured,
                          .part = field.part,
                          .from_start = m_format->from_start};
            if (const auto events = valuesAt(object, m_format->event);
                !events.empty() && events.front()->is_string())
                spec = perfRail(events.front()->get_ref<const std::string&>());
            const auto rail = m_log.collector.rail(spec, row);
            if (!rail)
                return rail.error();
            const Json& value = *found[i];
            reading.value = std::numeric_limits<double>::quiet_NaN();
            if (value.is_number())
                reading.value = value.get<double>() * unitFrom(field.unit)->factor;
            else if (value.is_string()) {
                const auto read =
                    textValue(value.get_ref<const std::string&>(), field, column, row);
                if (!read)
                    return read.error();
                reading.value = *read;
            } else if (!value.is_null()) {
                return rowError(row, Message("%1 is not a number.", field.path));
            } else if (m_format->rule == Rule::Interval) {
                continue; // a rail that the machine does not have
            }
            if (const Status added = m_log.collector.add(*rail, reading); !added)
                return added;
        }
    }
    const auto tokens = valuesAt(object, m_format->tokens);
    if (!tokens.empty() && tokens.front()->is_number() && tokens.front()->get<double>() > 0
        && reading.value == 0.0)
        m_tokensWithoutJoules.add(row);
    return {};
}

Status JsonLogReader::finish()
{
    if (m_format == nullptr)
        return rowError(m_firstOther == 0 ? 1 : m_firstOther,
                        "no format of power logs in JSON is known that has these fields.");
    if (m_others > 0)
        m_log.collector.note(Weight::Note,
                             Message("%1 objects without power were skipped.", m_others));
    if (m_tokensWithoutJoules.count() > 0)
        m_log.collector.note(
            Weight::Poor,
            Message("Tokens without any energy in %1: the sensor did not move while the model ran.",
                    m_tokensWithoutJoules.text()));
    return {};
}

} // namespace

Status readJsonLog(Log& log)
{
    ObjectSplitter splitter;
    JsonLogReader reader(log);
    ObjectSplitter::Objects objects;
    for (;;) {
        const auto line = log.lines.next();
        if (!line)
            return line.error();
        if (!*line)
            break;
        objects.clear();
        if (const Status split = splitter.feed(**line, log.lines.row(), objects); !split)
            return split;
        for (const auto& [row, text] : objects) {
            if (const Status taken = reader.take(text, row); !taken)
                return taken;
        }
    }
    if (splitter.open())
        log.collector.note(
            Weight::Note,
            Message("The last object, which begins at row %1, is cut off and was left out.",
                    splitter.row()));
    return reader.finish();
}

} // namespace ep::powerlog
