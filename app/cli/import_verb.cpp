// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"
#include "core/model/read_architecture.h"
#include "core/report/architecture_report.h"

namespace kvplan::cli {

namespace {

Result<ExitCode> import(const Flags& flags)
{
    const auto path = flags.value("PATH");
    if (!path) {
        return failure(ErrorCode::InvalidValue, "no file is given", "kvplan import", "write kvplan import PATH");
    }
    const auto architecture = readArchitecture(*path);
    if (!architecture) {
        return tl::unexpected<Error>(architecture.error());
    }
    const auto text = flags.isSet("--json") ? architectureJson(*architecture) : architectureText(*architecture);
    return text.and_then([](const std::string& shown) { return printAndEnd(shown); });
}

} // namespace

Result<ExitCode> runImport(const Arguments& arguments)
{
    Flags flags("import", "Read a model's architecture from its own config.json.");
    flags.addPositional("PATH", "A config.json or params.json, or a folder with one.");
    flags.addSwitch("json", "Print one JSON object.", "Output");
    return answer(flags, arguments, [&] { return import(flags); });
}

} // namespace kvplan::cli
