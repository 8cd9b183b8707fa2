// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/model_facts_rows.h"

#include "text.h"

#include "ep/core/format.h"

#include <QCoreApplication>

namespace ep::ui {

namespace {

// Names multi-head, grouped-query or multi-query attention by the number of key heads.
QString headsText(const ModelFacts& facts)
{
    const char* kind = facts.kv_heads == facts.attention_heads ? "%1 heads of %2 (MHA)"
        : facts.kv_heads == 1                                  ? "%1 heads of %2, 1 key head (MQA)"
                              : "%1 heads of %2, %3 key heads (GQA)";
    QString text = translated(kind);
    text = text.arg(facts.attention_heads).arg(facts.head_dim);
    return text.contains(QLatin1String("%3")) ? text.arg(facts.kv_heads) : text;
}

} // namespace

std::vector<std::pair<QString, QString>> factRows(const ModelFacts& facts)
{
    std::vector<std::pair<QString, QString>> rows;
    const auto add = [&](const char* name, bool known, const QString& value) {
        if (known && !value.isEmpty())
            rows.emplace_back(translated(name), value);
    };
    const auto count = [&](const char* name, std::int64_t value) {
        add(name, value > 0, toQString(formatCount(value)));
    };
    const auto bytes = [&](const char* name, std::int64_t value) {
        add(name, value > 0, toQString(formatBytes(value)));
    };
    add("Architecture", true, toQString(facts.architecture));
    count("Parameters", facts.parameters);
    if (facts.active_parameters != facts.parameters)
        count("Active per token", facts.active_parameters);
    count("Embedding", facts.embedding_parameters);
    count("Attention", facts.attention_parameters);
    count("MLP", facts.mlp_parameters);
    add("Layers", facts.layers > 0, QString::number(facts.layers));
    add("Hidden size", facts.hidden_size > 0, QString::number(facts.hidden_size));
    add("Intermediate size", facts.intermediate_size > 0, QString::number(facts.intermediate_size));
    add("Attention heads", facts.attention_heads > 0, headsText(facts));
    add("Experts", facts.experts > 0,
        translated("%1, %2 per token").arg(facts.experts).arg(facts.experts_per_token));
    add("Vocabulary", facts.vocabulary_size > 0, QString::number(facts.vocabulary_size));
    add("Context", facts.context_length > 0, QString::number(facts.context_length));
    add("Stored as", true, toQString(facts.stored_dtype));
    bytes("Weights", facts.weight_bytes);
    bytes("Cache per token", facts.kv_bytes_per_token);
    add("Folder", true, toQString(facts.path));
    return rows;
}

} // namespace ep::ui
