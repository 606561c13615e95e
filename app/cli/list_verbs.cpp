// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"
#include "core/report/catalogue_report.h"
#include "ui/panel/bundled_catalogue.h"

#include <functional>

namespace kvplan::cli {

namespace {

/// A verb whose only flag is --json. `list` makes the text or the JSON of what it lists.
Result<ExitCode> runList(std::string_view verb, const std::string& purpose, const Arguments& arguments,
    const std::function<Result<std::string>(bool json)>& list)
{
    Flags flags(verb, purpose);
    flags.addSwitch("json", "Print one JSON object.", "Output");
    return answer(flags, arguments, [&] {
        return list(flags.isSet("--json")).and_then([](const std::string& text) { return printAndEnd(text); });
    });
}

} // namespace

Result<ExitCode> runModels(const Arguments& arguments)
{
    return runList("models", "The models of the catalogue.", arguments, [](bool json) {
        return bundledCatalogue().and_then(
            [&](const Catalogue& known) { return json ? modelsJson(known.models()) : modelsText(known.models()); });
    });
}

Result<ExitCode> runAccelerators(const Arguments& arguments)
{
    return runList("accelerators", "The cards of the catalogue.", arguments, [](bool json) {
        return bundledCatalogue().map([&](const Catalogue& known) {
            return json ? acceleratorsJson(known.accelerators()) : acceleratorsText(known.accelerators());
        });
    });
}

Result<ExitCode> runFormats(const Arguments& arguments)
{
    return runList("formats", "The formats of a cached key or value.", arguments,
        [](bool json) -> Result<std::string> { return json ? formatsJson() : formatsText(); });
}

} // namespace kvplan::cli
