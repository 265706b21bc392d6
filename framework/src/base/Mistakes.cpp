// SPDX-License-Identifier: MIT
#include <octostore/base/Mistakes.h>

namespace octostore
{

void Mistakes::add(const Error& error)
{
    _lines += (_lines.empty() ? "" : "\n") + error.message;
}

Result<void> Mistakes::result() const
{
    return _lines.empty() ? Result<void>() : Error{ErrorCode::Configuration, _lines};
}

} // namespace octostore
