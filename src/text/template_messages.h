// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jinja/template.h"

#include "ep/core/conversation.h"
#include "ep/json/document.h"

#include <ctime>

// Converts messages to the form that a template reads. OpenAI's API has two forms for the content
// of a message and two for the arguments of a call; many templates read only one of each, so
// servers convert them.
namespace ep::text {

// Which form of content a template reads: text, or a list of parts.
struct ContentForm {
    bool texts = true;
    bool parts = false;
};

// Some templates read parts in every message except the system message.
struct ContentForms {
    ContentForm system{};
    ContentForm others{};
};

// Finds the forms by rendering a message in both. variables: those that do not depend on messages.
ContentForms contentFormsOf(const jinja::Template& chat, const json::OrderedJson& variables,
                            const std::tm& now);

// The messages as given, except that parts become a text, or a text becomes a part, if the template
// reads only the other form.
json::OrderedJson messagesFor(const Conversation& conversation, const ContentForms& forms);

// Converts the arguments of all calls to the other form: a text becomes the object that it
// contains, an object becomes text. False if nothing could be converted.
bool exchangeArguments(json::OrderedJson& messages, const std::tm& now);
// Sets every content that is null or absent to an empty text. False if there was none.
bool fillContents(json::OrderedJson& messages);

} // namespace ep::text
