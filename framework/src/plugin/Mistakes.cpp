// SPDX-License-Identifier: MIT
#include <octostore/plugin/Mistakes.h>

namespace octostore::plugin
{

void Mistakes::add(const Error& error)
{
    _lines += (_lines.empty() ? "" : "\n") + error.message;
}

Result<void> Mistakes::result() const
{
    return _lines.empty() ? Result<void>() : Error{ErrorCode::Configuration, _lines};
}

} // namespace octostore::plugin
