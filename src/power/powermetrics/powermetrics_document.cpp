// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/powermetrics_document.h"

#include "ep/core/number_text.h"
#include "ep/core/utf8.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace ep::power {
namespace {

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '#';
}

// Whether the text after an ampersand makes it a reference, such as `amp;` or `#38;`.
bool isReference(std::string_view rest)
{
    constexpr std::size_t kLongestReference = 10;
    std::size_t i = 0;
    while (i < std::min(rest.size(), kLongestReference) && isNameCharacter(rest[i]))
        ++i;
    return i > 0 && i < rest.size() && rest[i] == ';';
}

// Repairs text that powermetrics' task samplers write incorrectly: `&` outside of a reference
// becomes `&amp;`, control characters and invalid UTF-8 become `?`.
std::string repairPlistText(std::string_view xml)
{
    std::string repaired;
    repaired.reserve(xml.size() + 64);
    for (std::size_t i = 0; i < xml.size(); ++i) {
        const char c = xml[i];
        const bool control =
            static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n';
        repaired.push_back(control ? '?' : c);
        if (c == '&' && !isReference(xml.substr(i + 1)))
            repaired += "amp;";
    }
    return replaceInvalidUtf8(repaired);
}

constexpr std::size_t kMaxDepth = 64; // real documents nest 9 deep

// The positions in the tree whose values are used.
enum class Place : std::uint8_t { Other, Plist, Top, Processor, Gpu, Clusters, Cluster, Cpus, Cpu };

// Position of a container below `parent` with the given key (empty inside an array).
Place placeOf(Place parent, std::string_view key)
{
    switch (parent) {
    case Place::Plist:
        return Place::Top;
    case Place::Top:
        return key == "processor" ? Place::Processor : key == "gpu" ? Place::Gpu : Place::Other;
    case Place::Processor:
        return key == "clusters" ? Place::Clusters : Place::Other;
    case Place::Clusters:
        return Place::Cluster;
    case Place::Cluster:
        return key == "cpus" ? Place::Cpus : Place::Other;
    case Place::Cpus:
        return Place::Cpu;
    case Place::Gpu:
    case Place::Cpu:
    case Place::Other:
        break;
    }
    return Place::Other;
}

struct IntegerKey {
    Place place;
    std::string_view key;
    std::optional<std::int64_t> PowermetricsDocument::*member;
};
constexpr std::array<IntegerKey, 7> kIntegers = {{
    {Place::Top, "elapsed_ns", &PowermetricsDocument::elapsed_ns},
    {Place::Processor, "cpu_energy", &PowermetricsDocument::cpu_energy_mj},
    {Place::Processor, "gpu_energy", &PowermetricsDocument::gpu_energy_mj},
    {Place::Processor, "ane_energy", &PowermetricsDocument::ane_energy_mj},
    {Place::Processor, "dram_energy", &PowermetricsDocument::dram_energy_mj},
    {Place::Processor, "package_energy", &PowermetricsDocument::package_energy_mj},
    {Place::Gpu, "gpu_energy", &PowermetricsDocument::gpu_section_energy_mj},
}};

struct RealKey {
    Place place;
    std::string_view key;
    std::optional<double> PowermetricsDocument::*member;
};
constexpr std::array<RealKey, 8> kReals = {{
    {Place::Processor, "cpu_power", &PowermetricsDocument::cpu_power_mw},
    {Place::Processor, "gpu_power", &PowermetricsDocument::gpu_power_mw},
    {Place::Processor, "ane_power", &PowermetricsDocument::ane_power_mw},
    {Place::Processor, "dram_power", &PowermetricsDocument::dram_power_mw},
    {Place::Processor, "package_power", &PowermetricsDocument::package_power_mw},
    {Place::Processor, "combined_power", &PowermetricsDocument::combined_power_mw},
    {Place::Processor, "package_joules", &PowermetricsDocument::package_joules},
    {Place::Processor, "package_watts", &PowermetricsDocument::package_watts},
}};

struct TextKey {
    std::string_view key;
    std::string PowermetricsDocument::*member;
};
constexpr std::array<TextKey, 4> kTopTexts = {{
    {"hw_model", &PowermetricsDocument::hw_model},
    {"kern_osversion", &PowermetricsDocument::os_build},
    {"timestamp", &PowermetricsDocument::timestamp},
    {"thermal_pressure", &PowermetricsDocument::thermal_pressure},
}};

class Reader {
public:
    Status read(std::string_view xml)
    {
        const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
            XML_ParserCreate(nullptr), &XML_ParserFree);
        if (!parser)
            return Error{ErrorCode::Internal, "There is no memory for an XML parser."};
        m_parser = parser.get();
        XML_SetUserData(m_parser, this);
        XML_SetElementHandler(
            m_parser, [](void* user, const char* name, const char**) { self(user).begin(name); },
            [](void* user, const char* name) { self(user).end(name); });
        XML_SetCharacterDataHandler(m_parser, [](void* user, const char* text, int length) {
            if (self(user).m_collecting)
                self(user).m_text.append(text, static_cast<std::size_t>(length));
        });
        // The Apple DOCTYPE declares nothing inline. A document that does is not the tool's output,
        // and refusing declarations prevents exponential expansion.
        XML_SetEntityDeclHandler(m_parser,
                                 [](void* user, const char*, int, const char*, int, const char*,
                                    const char*, const char*,
                                    const char*) { self(user).stop("it declares entities"); });
        const auto status = XML_Parse(m_parser, xml.data(), static_cast<int>(xml.size()), XML_TRUE);
        if (status == XML_STATUS_OK && m_sawPlist)
            return {};
        std::string reason = m_stopReason;
        if (reason.empty() && status == XML_STATUS_OK)
            reason = "it is not a property list";
        if (reason.empty())
            reason = std::string(XML_ErrorString(XML_GetErrorCode(m_parser))) + " in line "
                + std::to_string(XML_GetCurrentLineNumber(m_parser));
        return Error{
            ErrorCode::InvalidInput,
            {"A powermetrics document could not be read (%1); record it again with `-f plist`.",
             reason}};
    }

    PowermetricsDocument take()
    {
        if (m_busyCount > 0)
            m_document.cores_busy_ratio = m_busySum / m_busyCount;
        return std::move(m_document);
    }

private:
    struct Container {
        Place place = Place::Other;
        bool is_dict = false;
    };

    static Reader& self(void* user) { return *static_cast<Reader*>(user); }

    void begin(std::string_view element)
    {
        if (!m_stopReason.empty()) // expat may deliver one more event after a stop
            return;
        m_collecting = false;
        if (element == "dict" || element == "array" || element == "plist") {
            if (m_stack.size() >= kMaxDepth)
                return stop("it is nested too deeply");
            const bool root = element == "plist" && m_stack.empty();
            m_sawPlist = m_sawPlist || root;
            m_stack.push_back({root ? Place::Plist : placeOf(place(), m_key), element == "dict"});
            if (place() == Place::Processor)
                m_document.has_processor = true;
            if (place() == Place::Cpu) {
                m_idleRatio.reset();
                m_downRatio = 0.0;
            }
            m_key.clear();
            return;
        }
        m_text.clear();
        const bool used = place() != Place::Other;
        m_collecting = used && !m_stack.empty() && m_stack.back().is_dict;
    }

    void end(std::string_view element)
    {
        if (!m_stopReason.empty())
            return;
        m_collecting = false;
        if (element == "dict" || element == "array" || element == "plist") {
            if (place() == Place::Cpu)
                finishCore();
            if (!m_stack.empty())
                m_stack.pop_back();
            m_key.clear();
            return;
        }
        if (element == "key") {
            m_key = m_text;
            return;
        }
        if (!m_key.empty())
            store();
        m_key.clear();
    }

    void stop(std::string reason)
    {
        if (m_stopReason.empty())
            m_stopReason = std::move(reason);
        XML_StopParser(m_parser, XML_FALSE);
    }

    void store()
    {
        const auto here = place();
        if (here == Place::Cpu)
            return storeCoreRatio();
        for (const auto& row : kIntegers) {
            if (row.place == here && row.key == m_key) {
                const auto value = ep::readWhole(m_text);
                m_document.*row.member = value && *value >= 0 ? value : std::nullopt;
                return;
            }
        }
        for (const auto& row : kReals) {
            if (row.place == here && row.key == m_key) {
                const auto value = ep::readNumber(m_text);
                m_document.*row.member = value && *value >= 0 ? value : std::nullopt;
                return;
            }
        }
        if (here != Place::Top)
            return;
        for (const auto& row : kTopTexts) {
            if (row.key == m_key)
                m_document.*row.member = m_text;
        }
    }

    void storeCoreRatio()
    {
        if (m_key == "idle_ratio")
            m_idleRatio = ep::readNumber(m_text);
        else if (m_key == "down_ratio")
            m_downRatio = ep::readNumber(m_text).value_or(0.0);
    }

    void finishCore()
    {
        if (!m_idleRatio)
            return;
        m_busySum += std::clamp(1.0 - *m_idleRatio - m_downRatio, 0.0, 1.0);
        ++m_busyCount;
    }

    Place place() const { return m_stack.empty() ? Place::Other : m_stack.back().place; }

    XML_Parser m_parser = nullptr;
    PowermetricsDocument m_document;
    std::vector<Container> m_stack;
    std::string m_key;
    std::string m_text;
    bool m_collecting = false;
    bool m_sawPlist = false;
    std::string m_stopReason;
    // The core being read.
    std::optional<double> m_idleRatio;
    double m_downRatio = 0.0;
    double m_busySum = 0.0;
    int m_busyCount = 0;
};

// One rail of a document: a difference of counters if there is one, otherwise only a mean power.
struct RailReading {
    std::optional<double> energy_mj;
    std::optional<double> power_mw;

    bool present() const { return energy_mj || power_mw; }
};

RailReading reading(const std::optional<std::int64_t>& energy, const std::optional<double>& power)
{
    RailReading rail; // negative values are left out
    if (energy && *energy >= 0)
        rail.energy_mj = static_cast<double>(*energy);
    if (power && *power >= 0.0)
        rail.power_mw = power;
    return rail;
}

RailReading scaled(const std::optional<double>& joules, const std::optional<double>& watts)
{
    RailReading rail;
    if (joules)
        rail.energy_mj = *joules * 1000.0;
    if (watts)
        rail.power_mw = *watts * 1000.0;
    return rail;
}

RailReading readingOf(const PowermetricsDocument& document, Rail rail)
{
    switch (rail) {
    case Rail::Cpu: {
        const auto cpu = reading(document.cpu_energy_mj, document.cpu_power_mw);
        return cpu.present() ? cpu : scaled(document.package_joules, document.package_watts);
    }
    case Rail::Gpu: {
        const auto gpu = reading(document.gpu_energy_mj, document.gpu_power_mw);
        return gpu.present() ? gpu : reading(document.gpu_section_energy_mj, std::nullopt);
    }
    case Rail::Ane:
        return reading(document.ane_energy_mj, document.ane_power_mw);
    case Rail::Dram:
        return reading(document.dram_energy_mj, document.dram_power_mw);
    case Rail::System:
        break;
    }
    return {};
}

constexpr Nanoseconds kLongestWindow = 86'400'000'000'000; // one day; 100 ms is usual

// The names used by macOS; some systems write Fair, Serious and Critical.
ThermalPressure pressureOf(const std::string& word)
{
    constexpr std::array<std::pair<std::string_view, ThermalPressure>, 8> kWords = {{
        {"Nominal", ThermalPressure::Nominal},
        {"Moderate", ThermalPressure::Moderate},
        {"Fair", ThermalPressure::Moderate},
        {"Heavy", ThermalPressure::Heavy},
        {"Serious", ThermalPressure::Heavy},
        {"Trapping", ThermalPressure::Trapping},
        {"Critical", ThermalPressure::Trapping},
        {"Sleeping", ThermalPressure::Sleeping},
    }};
    for (const auto& [text, pressure] : kWords) {
        if (text == word)
            return pressure;
    }
    return ThermalPressure::Unknown;
}

std::string machineOf(const PowermetricsDocument& document)
{
    if (document.hw_model.empty())
        return "this machine";
    return document.os_build.empty() ? document.hw_model
                                     : document.hw_model + " with system " + document.os_build;
}

Error noEnergy(const PowermetricsDocument& document)
{
    const std::string reason = document.has_processor
        ? "it has no energy counters, as in a virtual machine"
        : "its output has no `processor` section, because it does not support that machine or the "
          "sampler cpu_power was not requested";
    return {ErrorCode::Unsupported,
            {"powermetrics gives no energy on %1 (%2); choose another power source, or `none` for "
             "timing only.",
             machineOf(document), reason}};
}

} // namespace

Result<PowermetricsDocument> readPowermetricsDocument(std::string_view xml)
{
    Reader reader;
    auto status = reader.read(xml);
    if (status)
        return reader.take();
    const std::string repaired = repairPlistText(xml);
    if (repaired == xml)
        return status.error();
    Reader second;
    if (!second.read(repaired))
        return status.error();
    return second.take();
}

std::vector<Rail> railsOf(const PowermetricsDocument& document)
{
    std::vector<Rail> rails;
    for (const Rail rail : kPartRails) {
        if (readingOf(document, rail).present())
            rails.push_back(rail);
    }
    return rails;
}

Result<PowerSample> toPowerSample(const PowermetricsDocument& document, const TimeRange& window,
                                  Nanoseconds arrivalNs)
{
    if (railsOf(document).empty())
        return noEnergy(document);
    if (!document.elapsed_ns || *document.elapsed_ns <= 0 || *document.elapsed_ns > kLongestWindow)
        return Error{ErrorCode::InvalidInput,
                     "A powermetrics document lacks the length of its window (elapsed_ns); record "
                     "it again with `-f plist`."};
    PowerSample sample;
    sample.window = window;
    sample.arrival_ns = arrivalNs;
    sample.thermal = pressureOf(document.thermal_pressure);
    if (document.cores_busy_ratio)
        sample.cores_busy = static_cast<float>(*document.cores_busy_ratio);
    for (const Rail rail : kPartRails) {
        const auto value = readingOf(document, rail);
        if (value.energy_mj) {
            sample.energy_mj[rail] = Millijoules{*value.energy_mj};
            sample.power_mw[rail] = meanPower({*value.energy_mj}, *document.elapsed_ns);
        } else if (value.power_mw) {
            sample.power_mw[rail] = Milliwatts{*value.power_mw};
        }
    }
    sample.total_mw = totalOf(sample.power_mw);
    // If reported, it is exactly the sum of the rails above. Systems with a DRAM rail do not
    // report it.
    if (document.combined_power_mw && !sample.power_mw[Rail::Dram])
        sample.total_mw = Milliwatts{*document.combined_power_mw};
    return sample;
}

} // namespace ep::power
