// SPDX-License-Identifier: MIT
// The parts of Asio that are no templates, compiled once. Beast has one user, RequestReader.cpp,
// and is compiled there.
#include <boost/asio/impl/src.hpp>

#include <utility>
