// SPDX-License-Identifier: MIT
#include "plugin/Guarded.h"

#include <Poco/Exception.h>

namespace octostore::plugin
{

std::string describeCurrentException() noexcept
{
    try
    {
        throw;
    }
    catch (const Poco::Exception& e)
    {
        return e.displayText();
    }
    catch (const std::exception& e)
    {
        return e.what();
    }
    catch (...)
    {
        return "an exception of an unknown type";
    }
}

} // namespace octostore::plugin
