// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/own_part.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <string>

namespace ep {

namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::string_view kModel = "model.";
constexpr std::string_view kOther = "other";

struct BlockWord {
    LayerBlock block;
    std::string_view prefix;
};
constexpr std::array kBlocks{BlockWord{LayerBlock::Attention, "attention."},
                             BlockWord{LayerBlock::Mlp, "mlp."},
                             BlockWord{LayerBlock::Neither, "layer."}};

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
        || c == '-' || c == '.';
}

// Names are only ever added, so a name that has been counted can be read without a lock.
template <std::size_t N>
class Names {
public:
    explicit Names(std::string_view last) { m_names[N - 1] = last; }

    std::size_t indexOf(std::string_view name)
    {
        const std::lock_guard lock(m_adding);
        const std::size_t count = m_count.load(std::memory_order_relaxed);
        const auto end = m_names.begin() + static_cast<std::ptrdiff_t>(count);
        if (const auto known = std::find(m_names.begin(), end, name); known != end)
            return static_cast<std::size_t>(known - m_names.begin());
        if (count == N - 1 || name == m_names[N - 1])
            return N - 1;
        m_names[count] = name;
        m_count.store(count + 1, std::memory_order_release);
        return count;
    }

    std::string_view at(std::size_t index) const
    {
        const std::size_t count = m_count.load(std::memory_order_acquire);
        return m_names[index < count ? index : N - 1];
    }

private:
    std::mutex m_adding; // guards names that are not published yet
    std::atomic<std::size_t> m_count = 0;
    std::array<std::string, N> m_names;
};

auto& componentNames()
{
    static Names<kComponentSlots - kComponentCount> names("layer.other");
    return names;
}

auto& sectionNames()
{
    static Names<kSectionSlots - kSectionCount> names("model.other");
    return names;
}

// Returns the prefix of a name that we made; empty if we did not make it.
std::string_view prefixOf(std::string_view name, std::string_view prefix)
{
    const bool ours = name.starts_with(prefix) && name.size() > prefix.size()
        && name.size() <= kLongestName && std::ranges::all_of(name, isNameCharacter);
    return ours ? prefix : std::string_view();
}

// The end of a long path tells more than its beginning.
std::string nameOf(std::string_view prefix, std::string_view path)
{
    if (path.size() > kLongestName - prefix.size())
        path = path.substr(path.size() - (kLongestName - prefix.size()));
    std::string name(prefix);
    name += path.empty() ? kOther : path;
    std::ranges::replace_if(
        name, [](char c) { return !isNameCharacter(c); }, '_');
    return name;
}

Component componentAt(std::string_view name)
{
    return static_cast<Component>(kComponentCount + componentNames().indexOf(name));
}

Section sectionAt(std::string_view name)
{
    return static_cast<Section>(kSectionCount + sectionNames().indexOf(name));
}

} // namespace

Component ownComponent(LayerBlock block, std::string_view path)
{
    return componentAt(nameOf(std::ranges::find(kBlocks, block, &BlockWord::block)->prefix, path));
}

Section ownSection(std::string_view path)
{
    return sectionAt(nameOf(kModel, path));
}

std::optional<Component> ownComponentFromName(std::string_view name)
{
    const bool ours = std::ranges::any_of(
        kBlocks, [name](const BlockWord& one) { return !prefixOf(name, one.prefix).empty(); });
    return ours ? std::optional(componentAt(name)) : std::nullopt;
}

std::optional<Section> ownSectionFromName(std::string_view name)
{
    return prefixOf(name, kModel).empty() ? std::nullopt : std::optional(sectionAt(name));
}

std::string_view ownName(Component component)
{
    return componentNames().at(static_cast<std::size_t>(component) - kComponentCount);
}

std::string_view ownName(Section section)
{
    return sectionNames().at(static_cast<std::size_t>(section) - kSectionCount);
}

LayerBlock blockOfOwn(Component component)
{
    const std::string_view name = ownName(component);
    return std::ranges::find_if(
               kBlocks, [name](const BlockWord& one) { return name.starts_with(one.prefix); })
        ->block;
}

} // namespace ep
