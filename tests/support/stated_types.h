// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/dtype.h"
#include "ep/model/tensor_list.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// Reads tests/data/formats.
namespace ep::test {

// "0-2,5"
inline std::set<int> numbersIn(const std::string& text)
{
    std::set<int> numbers;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto dash = part.find('-');
        const int first = std::stoi(part);
        const int last = dash == std::string::npos ? first : std::stoi(part.substr(dash + 1));
        for (int number = first; number <= last; ++number)
            numbers.insert(number);
    }
    return numbers;
}

// A model of the file, and for each format the type of each tensor that is not f32.
struct StatedModel {
    std::string name;
    model::TensorList list; // read from shapes.txt
    // By format, part ("attn_v") and type: the layers that have this type; empty: all layers.
    std::map<std::string, std::map<std::string, std::map<std::string, std::set<int>>>> formats;

    // "f32" for a tensor that is not listed
    std::string typeOf(const std::string& format, const std::string& own) const
    {
        std::string part = own.substr(0, own.rfind(".weight"));
        int layer = -1;
        if (part.starts_with("blk.")) {
            layer = std::stoi(part.substr(4));
            part = part.substr(part.find('.', 4) + 1);
        }
        const auto& parts = formats.at(format);
        const auto found = parts.find(part);
        if (found == parts.end())
            return "f32";
        for (const auto& [type, layers] : found->second) {
            if (layers.empty() || layers.contains(layer))
                return type;
        }
        return "f32";
    }
};

inline std::vector<StatedModel> statedModels(const std::string& file)
{
    std::ifstream lines(file);
    std::vector<StatedModel> models;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "model") {
            StatedModel& model = models.emplace_back();
            words >> model.name;
            for (std::string key, value; words >> key >> value;) {
                const int number = std::stoi(value);
                (key == "layers"                ? model.list.layers
                     : key == "experts"         ? model.list.experts
                     : key == "queries_per_key" ? model.list.queries_per_key
                                                : model.list.values_beyond) +=
                    key == "seventy_b" ? 0 : number;
                model.list.seventy_b = model.list.seventy_b || (key == "seventy_b" && number);
            }
        } else if (word == "tensor") {
            std::string part;
            std::int64_t columns = 0;
            std::string layers;
            words >> part >> columns >> layers;
            const auto add = [&](const std::string& own) {
                model::ListedTensor tensor;
                tensor.name = own;
                tensor.own = own;
                tensor.rows = columns == 0 ? 1 : 2;
                tensor.columns = columns == 0 ? 4 : std::abs(columns);
                tensor.stored = model::DType::F32;
                tensor.bytes = 4 * tensor.rows * tensor.columns;
                models.back().list.tensors.push_back(std::move(tensor));
            };
            if (layers.empty())
                add(part + ".weight");
            for (const int layer : numbersIn(layers))
                add("blk." + std::to_string(layer) + '.' + part + ".weight");
        } else if (!word.empty()) {
            auto& parts = models.back().formats[word];
            std::string rest;
            std::getline(words, rest);
            std::istringstream types(rest);
            std::string part; // of the item before
            for (std::string ofType; std::getline(types, ofType, ';');) {
                const auto colon = ofType.find(':');
                const std::string type = ofType.substr(1, colon - 1);
                std::istringstream items(ofType.substr(colon + 1));
                // "attn_v 3-4,6-7": a comma before a blank ends an item
                for (std::string item; std::getline(items, item, ' ');) {
                    if (item.empty())
                        continue;
                    const bool layers = item.front() >= '0' && item.front() <= '9';
                    if (item.back() == ',')
                        item.pop_back();
                    if (layers) {
                        parts[part][type] = numbersIn(item);
                    } else {
                        part = item;
                        parts[part][type] = {};
                    }
                }
            }
        }
    }
    return models;
}

} // namespace ep::test
