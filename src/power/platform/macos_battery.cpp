// SPDX-License-Identifier: GPL-3.0-or-later
#include "platform/macos_battery.h"

#include "ep/power/reading_check.h"

#include <QFileInfo>
#include <QProcess>

#include <charconv>
#include <cstdint>
#include <string>

namespace ep::power {

namespace {

constexpr int kPatienceMs = 2000;
constexpr double kSecondsPerHour = 3600.0;

// The text after `"Key" = `, up to the end of the line.
std::optional<std::string_view> valueOf(std::string_view text, std::string_view key)
{
    const std::string quoted = '"' + std::string(key) + "\" = ";
    const std::size_t found = text.find(quoted);
    if (found == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = text.substr(found + quoted.size());
    return rest.substr(0, rest.find('\n'));
}

std::optional<double> numberOf(std::string_view text, std::string_view key)
{
    const auto value = valueOf(text, key);
    if (!value || value->empty())
        return std::nullopt;
    const char* const end = value->data() + value->size();
    if (value->front() == '-') {
        std::int64_t number = 0;
        if (std::from_chars(value->data(), end, number).ec != std::errc())
            return std::nullopt;
        return static_cast<double>(number);
    }
    std::uint64_t number = 0;
    if (std::from_chars(value->data(), end, number).ec != std::errc())
        return std::nullopt;
    return static_cast<double>(static_cast<std::int64_t>(number));
}

// Charge at a voltage, mAh x mV, converted to energy.
std::optional<Millijoules> capacityOf(std::string_view text)
{
    // On Apple Silicon MaxCapacity is a percentage; the charge has another key there.
    auto charge = numberOf(text, "AppleRawMaxCapacity");
    constexpr double kHundredPercent = 100.0;
    if (!charge)
        charge = numberOf(text, "MaxCapacity");
    const auto voltage = numberOf(text, "Voltage");
    if (!charge || !voltage || *charge <= kHundredPercent || *voltage <= 0.0)
        return std::nullopt;
    return Millijoules{*charge * *voltage * 1e-3 * kSecondsPerHour};
}

std::string outputOf(const QString& program, const QStringList& arguments)
{
    if (!QFileInfo(program).isExecutable())
        return {};
    QProcess process;
    process.start(program, arguments, QIODevice::ReadOnly);
    if (!process.waitForFinished(kPatienceMs)) {
        process.kill();
        process.waitForFinished(kPatienceMs);
        return {};
    }
    return process.readAllStandardOutput().toStdString();
}

} // namespace

std::optional<BatteryState> batteryFromIoreg(std::string_view text)
{
    const auto external = valueOf(text, "ExternalConnected");
    if (!external || valueOf(text, "BatteryInstalled").value_or("Yes").starts_with("No"))
        return std::nullopt;
    BatteryState state;
    state.discharging = external->starts_with("No");
    state.full_mj = capacityOf(text);
    auto current = numberOf(text, "InstantAmperage");
    if (!current)
        current = numberOf(text, "Amperage");
    const auto voltage = numberOf(text, "Voltage");
    const bool error = current && (*current == -1.0 || isErrorCode(-*current));
    if (state.discharging && current && !error && voltage)
        state.power_mw = Milliwatts{-*current * *voltage * 1e-3};
    return state;
}

std::optional<PowerMode> powerModeFromPmset(std::string_view text)
{
    // The longer key contains the shorter one, so the end of the word must match, too.
    constexpr std::string_view kKey = "powermode";
    const std::size_t found = text.find(kKey);
    if (found == std::string_view::npos)
        return std::nullopt;
    const std::size_t digit = text.find_first_not_of(" \t", found + kKey.size());
    if (digit == std::string_view::npos)
        return std::nullopt;
    switch (text[digit]) {
    case '0':
        return PowerMode::Automatic;
    case '1':
        return PowerMode::Low;
    case '2':
        return PowerMode::High;
    default:
        return std::nullopt;
    }
}

std::optional<BatteryState> readMacBattery()
{
    return batteryFromIoreg(outputOf(QStringLiteral("/usr/sbin/ioreg"),
                                     {QStringLiteral("-r"), QStringLiteral("-n"),
                                      QStringLiteral("AppleSmartBattery"), QStringLiteral("-w0")}));
}

std::optional<PowerMode> readMacPowerMode()
{
    return powerModeFromPmset(outputOf(QStringLiteral("/usr/bin/pmset"), {QStringLiteral("-g")}));
}

} // namespace ep::power
