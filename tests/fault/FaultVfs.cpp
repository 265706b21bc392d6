// SPDX-License-Identifier: MIT
#include "FaultVfs.h"

#include <octostore/base/Assert.h>

#include <new>
#include <utility>

namespace octostore::test
{

namespace
{

/// What SQLite allocates for a file; the real one lies behind it.
struct FaultFile
{
    sqlite3_file base;
    FaultDisk* disk;
    std::string* path;
};

FaultFile* ours(sqlite3_file* file)
{
    return reinterpret_cast<FaultFile*>(file);
}

sqlite3_file* real(sqlite3_file* file)
{
    return reinterpret_cast<sqlite3_file*>(ours(file) + 1);
}

/// Calls `method` of the real file.
template <auto method, class... Arguments>
int forward(sqlite3_file* file, Arguments... arguments)
{
    return (real(file)->pMethods->*method)(real(file), arguments...);
}

int closeFile(sqlite3_file* file)
{
    delete ours(file)->path;
    return forward<&sqlite3_io_methods::xClose>(file);
}

int writeFile(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset)
{
    return ours(file)->disk->write(*ours(file)->path, real(file), data, size, offset);
}

int truncateFile(sqlite3_file* file, sqlite3_int64 size)
{
    return ours(file)->disk->truncate(*ours(file)->path, real(file), size);
}

int syncFile(sqlite3_file* file, int)
{
    return ours(file)->disk->sync(*ours(file)->path);
}

void shareBarrier(sqlite3_file* file)
{
    real(file)->pMethods->xShmBarrier(real(file));
}

// Version 2: without memory mapping, which would pass the disk by.
constexpr sqlite3_io_methods methods = {
    2,
    &closeFile,
    &forward<&sqlite3_io_methods::xRead, void*, int, sqlite3_int64>,
    &writeFile,
    &truncateFile,
    &syncFile,
    &forward<&sqlite3_io_methods::xFileSize, sqlite3_int64*>,
    &forward<&sqlite3_io_methods::xLock, int>,
    &forward<&sqlite3_io_methods::xUnlock, int>,
    &forward<&sqlite3_io_methods::xCheckReservedLock, int*>,
    &forward<&sqlite3_io_methods::xFileControl, int, void*>,
    &forward<&sqlite3_io_methods::xSectorSize>,
    &forward<&sqlite3_io_methods::xDeviceCharacteristics>,
    &forward<&sqlite3_io_methods::xShmMap, int, int, int, void volatile**>,
    &forward<&sqlite3_io_methods::xShmLock, int, int, int>,
    &shareBarrier,
    &forward<&sqlite3_io_methods::xShmUnmap, int>,
    nullptr,
    nullptr};

/// The real system, and the disk of ours.
struct Behind
{
    sqlite3_vfs* real;
    FaultDisk* disk;
};

const Behind& behind(sqlite3_vfs* vfs)
{
    return *static_cast<const Behind*>(vfs->pAppData);
}

int openFile(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* flagsOut)
{
    sqlite3_vfs* const system = behind(vfs).real;
    file->pMethods = nullptr;
    // The system's own way with a read-only file system, too.
    if ((flags & SQLITE_OPEN_READWRITE) != 0 && behind(vfs).disk->refuses(FaultOperation::Open))
        flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
    const int code = system->xOpen(system, name, real(file), flags, flagsOut);
    if (code != SQLITE_OK)
        return code;
    ours(file)->disk = behind(vfs).disk;
    ours(file)->path = new std::string(name == nullptr ? "" : name);
    file->pMethods = &methods;
    if (name != nullptr)
        behind(vfs).disk->opened(name, real(file));
    return SQLITE_OK;
}

int removeFile(sqlite3_vfs* vfs, const char* name, int syncFolder)
{
    sqlite3_vfs* const system = behind(vfs).real;
    if (behind(vfs).disk->refuses(FaultOperation::Remove))
        return SQLITE_IOERR_DELETE;
    const int code = system->xDelete(system, name, syncFolder);
    if (code == SQLITE_OK)
        behind(vfs).disk->removed(name);
    return code;
}

} // namespace

FaultVfs::FaultVfs(std::string name, FaultDisk& disk, bool byDefault) : _name(std::move(name))
{
    sqlite3_vfs* const system = sqlite3_vfs_find("unix");
    OCTOSTORE_ASSERT(system != nullptr);
    _vfs = *system;
    _vfs.szOsFile += static_cast<int>(sizeof(FaultFile));
    _vfs.zName = _name.c_str();
    _vfs.pNext = nullptr;
    _vfs.pAppData = new Behind{system, &disk};
    _vfs.xOpen = &openFile;
    _vfs.xDelete = &removeFile;
    OCTOSTORE_ASSERT(sqlite3_vfs_register(&_vfs, byDefault ? 1 : 0) == SQLITE_OK);
}

FaultVfs::~FaultVfs()
{
    sqlite3_vfs_unregister(&_vfs);
    delete static_cast<Behind*>(_vfs.pAppData);
}

} // namespace octostore::test
