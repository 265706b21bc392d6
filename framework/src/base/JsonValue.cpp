// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>

namespace octostore
{

const JsonValue::Array* JsonValue::asArray() const noexcept
{
    const auto* array = std::get_if<std::shared_ptr<Array>>(&_value);
    return array != nullptr ? array->get() : nullptr;
}

const JsonValue::Object* JsonValue::asObject() const noexcept
{
    const auto* object = std::get_if<std::shared_ptr<Object>>(&_value);
    return object != nullptr ? object->get() : nullptr;
}

} // namespace octostore
