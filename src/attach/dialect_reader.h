// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/dialect.h"

// Interprets the messages of each family of servers.
namespace ep::attach {

// Chat and text completions: vLLM, LM Studio, MLX, llama.cpp, Ollama and others.
Result<Message> readOpenAi(std::string_view message);
Result<Message> readOllama(std::string_view message); // /api/chat and /api/generate
Result<Message> readLlamaCpp(std::string_view message); // /completion and /infill
Result<Message> readAnthropic(std::string_view message); // /v1/messages
Result<Message> readResponses(std::string_view message); // /v1/responses, in OpenAI's form
Result<Message> readLmStudio(std::string_view message); // /api/v1/chat

} // namespace ep::attach
