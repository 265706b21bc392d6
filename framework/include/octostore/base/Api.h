// SPDX-License-Identifier: MIT
/// @file
/// Marks what liboctostore.so exports; everything else in it is hidden.
#pragma once

#define OCTOSTORE_API __attribute__((visibility("default")))
