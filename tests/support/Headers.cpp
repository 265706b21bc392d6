// SPDX-License-Identifier: MIT
// Empty: its target exists for the precompiled headers of all tests.
