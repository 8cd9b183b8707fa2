// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/environment.h"

#include <QString>
#include <QSysInfo>

#include <fstream>
#include <thread>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace ep::session {

namespace {

#ifdef __APPLE__

std::string systemText(const char* key)
{
    std::size_t size = 0;
    if (sysctlbyname(key, nullptr, &size, nullptr, 0) != 0 || size == 0)
        return {};
    std::string text(size, '\0');
    if (sysctlbyname(key, text.data(), &size, nullptr, 0) != 0)
        return {};
    text.resize(size > 0 ? size - 1 : 0); // without the NUL
    return text;
}

std::string readCpu()
{
    return systemText("machdep.cpu.brand_string");
}

std::string readMachine()
{
    return systemText("hw.model");
}

#else

std::string readCpu()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos && line.rfind("model name", 0) == 0)
            return line.substr(colon + 2);
    }
    return {};
}

std::string readMachine()
{
    std::ifstream file("/sys/class/dmi/id/product_name");
    std::string line;
    std::getline(file, line);
    return line;
}

#endif

} // namespace

std::string applicationVersion()
{
    return EP_VERSION;
}

Environment readEnvironment()
{
    Environment environment;
    environment.app_version = applicationVersion();
    environment.os = QSysInfo::prettyProductName().toStdString();
    environment.machine = readMachine();
    environment.cpu = readCpu();
    const std::string architecture = QSysInfo::currentCpuArchitecture().toStdString();
    if (environment.machine.empty())
        environment.machine = architecture;
    if (environment.cpu.empty())
        environment.cpu = architecture;
    environment.threads = static_cast<int>(std::thread::hardware_concurrency());
    return environment;
}

} // namespace ep::session
