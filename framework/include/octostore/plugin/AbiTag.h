// SPDX-License-Identifier: MIT
/// @file
/// One string for everything two binaries must agree on before C++ objects may cross.
#pragma once

// <version> defines _GLIBCXX_USE_CXX11_ABI: without it the tag would have the name in it.
#include <Poco/Version.h>

#include <version>

#define OCTOSTORE_TEXT_OF(x) #x
#define OCTOSTORE_TEXT(x) OCTOSTORE_TEXT_OF(x)

#if defined(_GLIBCXX_DEBUG)
#define OCTOSTORE_GLIBCXX_DEBUG "1"
#else
#define OCTOSTORE_GLIBCXX_DEBUG "0"
#endif

#if defined(__SANITIZE_ADDRESS__)
#define OCTOSTORE_SANITIZER_TAG "address"
#elif defined(__SANITIZE_THREAD__)
#define OCTOSTORE_SANITIZER_TAG "thread"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OCTOSTORE_SANITIZER_TAG "address"
#elif __has_feature(thread_sanitizer)
#define OCTOSTORE_SANITIZER_TAG "thread"
#else
#define OCTOSTORE_SANITIZER_TAG "none"
#endif
#else
#define OCTOSTORE_SANITIZER_TAG "none"
#endif

#if POCO_VERSION >> 16 != 0x010B
#error "OctoStore is built with Poco 1.11; another Poco needs another ABI tag."
#endif

/// spdlog and fmt are pinned by the SDK package; plugins log through octostore::Logger.
#define OCTOSTORE_ABI_TAG                                                                          \
    "octostore-1;cxx=202002;cxx11abi=" OCTOSTORE_TEXT(                                             \
        _GLIBCXX_USE_CXX11_ABI) ";glibcxx-debug=" OCTOSTORE_GLIBCXX_DEBUG                          \
                                ";poco=1.11;spdlog=1.10;fmt=9.1;san=" OCTOSTORE_SANITIZER_TAG
