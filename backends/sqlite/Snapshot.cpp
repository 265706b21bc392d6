// SPDX-License-Identifier: MIT
#include "Snapshot.h"

#include "Database.h"
#include "PageCopy.h"

#include <Poco/Data/Session.h>
#include <Poco/Exception.h>

#include <utility>

namespace octostore::sqlite
{

using namespace Poco::Data::Keywords;

namespace
{

Result<void> copyInto(Database& source, const std::string& target,
                      const std::function<bool()>& cancelled)
{
    Result<PlainConnection> copy = createFile(target);
    if (!copy)
        return copy.error();
    try
    {
        // The first read fixes the instant; without it every commit would start the copy anew.
        Poco::Int64 revision = 0;
        source.session() << "BEGIN", now;
        source.session() << "SELECT revision FROM batch", into(revision), now;
    }
    catch (const Poco::Exception& exception)
    {
        return source.failure(exception, "Beginning the copy");
    }
    return copyPages(source.handle(), copy->get(), cancelled);
}

} // namespace

Result<void> takeSnapshot(const Options& options, const StoreFiles& files,
                          const std::string& target, const std::function<bool()>& cancelled)
{
    if (Result<void> same = files.check(); !same)
        return same;
    Result<std::unique_ptr<Database>> source =
        Database::open(files.path(), options, Database::Mode::MustExist);
    if (!source)
        return source.error();
    Result<void> copied = copyInto(**source, target, cancelled);
    if (!copied)
        removeDatabase(target);
    return copied;
}

} // namespace octostore::sqlite
