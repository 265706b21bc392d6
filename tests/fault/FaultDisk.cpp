// SPDX-License-Identifier: MIT
#include "FaultDisk.h"

#include <algorithm>
#include <utility>

#include <signal.h>

namespace octostore::test
{

namespace
{

constexpr std::size_t sectorBytes = 512;

bool strikes(Fault fault, FaultOperation operation)
{
    switch (fault)
    {
    case Fault::None:
        return false;
    case Fault::DiskFull:
    case Fault::ShortWrite:
        return operation == FaultOperation::Write;
    case Fault::WriteError:
        return operation == FaultOperation::Write || operation == FaultOperation::Truncate;
    case Fault::ReadOnly:
        return true;
    case Fault::SyncError:
    case Fault::SyncLie:
        return operation == FaultOperation::Sync;
    case Fault::PowerFailure:
    case Fault::KillBefore:
    case Fault::KillWithin:
    case Fault::KillBehind:
        return operation != FaultOperation::Open && operation != FaultOperation::Remove;
    }
    return false;
}

void endProcess()
{
    ::raise(SIGKILL);
}

std::string contentOf(sqlite3_file* real)
{
    sqlite3_int64 size = 0;
    std::string content;
    if (real->pMethods->xFileSize(real, &size) != SQLITE_OK || size == 0)
        return content;
    content.resize(static_cast<std::size_t>(size));
    real->pMethods->xRead(real, content.data(), static_cast<int>(size), 0);
    return content;
}

} // namespace

void FaultDisk::reset()
{
    MutexLock lock(_mutex);
    _files.clear();
    _powerFailed = false;
}

Fault FaultDisk::strike(FaultOperation operation)
{
    if (_powerFailed)
        return Fault::PowerFailure;
    const auto fault = static_cast<Fault>(_plan.fault.load());
    if (!strikes(fault, operation))
        return Fault::None;
    const std::uint32_t number = ++_plan.seen;
    if (number < _plan.at || number - _plan.at >= _plan.most)
        return Fault::None;
    ++_plan.fired;
    if (fault == Fault::KillBefore)
        endProcess();
    return fault;
}

bool FaultDisk::isRefused(Fault fault) const
{
    return fault == Fault::WriteError || fault == Fault::ReadOnly ||
           (fault == Fault::PowerFailure && _powerFailed);
}

bool FaultDisk::refuses(FaultOperation operation)
{
    MutexLock lock(_mutex);
    return strike(operation) == Fault::ReadOnly;
}

void FaultDisk::remember(const std::string& path, Change change)
{
    if (_remembers && !_powerFailed)
        _files[path].pending.push_back(std::move(change));
}

void FaultDisk::opened(const std::string& path, sqlite3_file* real)
{
    MutexLock lock(_mutex);
    if (!_remembers || _files.count(path) != 0)
        return;
    // What was there before is taken for durable.
    _files[path].durable = contentOf(real);
}

void FaultDisk::removed(const std::string& path)
{
    MutexLock lock(_mutex);
    if (!_powerFailed)
        _files.erase(path);
}

int FaultDisk::write(const std::string& path, sqlite3_file* real, const void* data, int size,
                     std::int64_t offset)
{
    MutexLock lock(_mutex);
    const Fault fault = strike(FaultOperation::Write);
    const auto* const bytes = static_cast<const char*>(data);
    if (isRefused(fault))
        return SQLITE_IOERR_WRITE;
    if (fault == Fault::DiskFull)
        return SQLITE_FULL;
    const bool half = fault == Fault::ShortWrite || fault == Fault::KillWithin;
    const int length = half ? size / 2 : size;
    const int code = real->pMethods->xWrite(real, bytes, length, offset);
    if (code != SQLITE_OK)
        return code;
    remember(path, {offset, std::string(bytes, static_cast<std::size_t>(length)), false});
    if (fault == Fault::KillWithin || fault == Fault::KillBehind)
        endProcess();
    _powerFailed = fault == Fault::PowerFailure;
    if (fault == Fault::PowerFailure)
        return SQLITE_IOERR_WRITE;
    return fault == Fault::ShortWrite ? SQLITE_FULL : SQLITE_OK;
}

int FaultDisk::truncate(const std::string& path, sqlite3_file* real, std::int64_t size)
{
    MutexLock lock(_mutex);
    const Fault fault = strike(FaultOperation::Truncate);
    if (isRefused(fault))
        return SQLITE_IOERR_TRUNCATE;
    const int code = real->pMethods->xTruncate(real, size);
    if (code != SQLITE_OK)
        return code;
    remember(path, {size, {}, true});
    if (fault == Fault::KillWithin || fault == Fault::KillBehind)
        endProcess();
    _powerFailed = fault == Fault::PowerFailure;
    return fault == Fault::PowerFailure ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

int FaultDisk::sync(const std::string& path)
{
    MutexLock lock(_mutex);
    const Fault fault = strike(FaultOperation::Sync);
    switch (fault)
    {
    case Fault::PowerFailure:
        _powerFailed = true;
        return SQLITE_IOERR_FSYNC;
    case Fault::SyncError:
        // As Linux does it: the pages count as clean afterwards and are never written.
        _files[path].pending.clear();
        return SQLITE_IOERR_FSYNC;
    case Fault::SyncLie:
        return SQLITE_OK;
    case Fault::ReadOnly:
        return SQLITE_IOERR_FSYNC; // as an aborted journal answers; a later sync may do it
    default:
        break;
    }
    if (_remembers)
    {
        File& file = _files[path];
        for (const Change& change : file.pending)
            apply(file.durable, change);
        file.pending.clear();
    }
    if (fault == Fault::KillWithin || fault == Fault::KillBehind)
        endProcess();
    return SQLITE_OK;
}

FaultDisk::Files FaultDisk::afterPowerFailure(bool torn, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    MutexLock lock(_mutex);
    Files left;
    for (const auto& [path, file] : _files)
    {
        std::string& content = left[path];
        content = file.durable;
        for (const Change& change : file.pending)
        {
            if (torn)
                applySome(content, change, random);
        }
    }
    return left;
}

void FaultDisk::apply(std::string& content, const Change& change)
{
    const auto offset = static_cast<std::size_t>(change.offset);
    if (change.truncates)
        return content.resize(std::min(content.size(), offset));
    content.resize(std::max(content.size(), offset + change.bytes.size()));
    content.replace(offset, change.bytes.size(), change.bytes);
}

void FaultDisk::applySome(std::string& content, const Change& change, std::mt19937_64& random)
{
    if (change.truncates)
    {
        if (random() % 2 == 0)
            apply(content, change);
        return;
    }
    for (std::size_t at = 0; at < change.bytes.size();)
    {
        const std::size_t place = static_cast<std::size_t>(change.offset) + at;
        const std::size_t length =
            std::min(change.bytes.size() - at, sectorBytes - place % sectorBytes);
        if (random() % 2 == 0)
            apply(content,
                  {static_cast<std::int64_t>(place), change.bytes.substr(at, length), false});
        at += length;
    }
}

} // namespace octostore::test
