// SPDX-License-Identifier: MIT
/// @file
/// A library whose handshake is wrong in the way its build says.
#include <octostore/plugin/Abi.h>
#include <octostore/plugin/AbiTag.h>

#define EXPORTED extern "C" __attribute__((visibility("default")))

#if defined(MISFIT_NO_PLUGIN)

EXPORTED int octostore_sample_of_something_else(void);
int octostore_sample_of_something_else(void)
{
    return 1;
}

#else

#if !defined(MISFIT_SIZE)
#define MISFIT_SIZE sizeof(octostore_plugin_descriptor)
#endif
#if !defined(MISFIT_MAJOR)
#define MISFIT_MAJOR OCTOSTORE_API_MAJOR
#endif
#if !defined(MISFIT_MINOR)
#define MISFIT_MINOR OCTOSTORE_API_MINOR
#endif
#if !defined(MISFIT_TAG)
#define MISFIT_TAG OCTOSTORE_ABI_TAG
#endif

#if defined(MISFIT_MISSING_SYMBOL)
extern "C" int octostore_symbol_that_nobody_defines(void);
EXPORTED int octostore_sample_caller(void);
int octostore_sample_caller(void)
{
    return octostore_symbol_that_nobody_defines();
}
#endif

EXPORTED const octostore_plugin_descriptor* octostore_plugin_describe(void);
const octostore_plugin_descriptor* octostore_plugin_describe(void)
{
    static const octostore_plugin_descriptor descriptor = {
        MISFIT_SIZE, MISFIT_MAJOR, MISFIT_MINOR, MISFIT_TAG, MISFIT_ID, "1", "", "", "Misfit"};
    return &descriptor;
}

#endif
