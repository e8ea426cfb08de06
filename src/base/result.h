// Failures as values: Result carries either a value or the Error that prevented it, and TRY passes
// an Error on. The members are those of std::expected, so that it can take over later.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace dragnet {

/// Why something failed, from the general to the particular, and what the user can do about it.
struct Error {
  std::string what;
  std::string hint;
};

/// The same Error with what was being done in front of it.
inline Error while_doing(const std::string& doing, Error error) {
  error.what = doing + ": " + error.what;
  return error;
}

/// A value, or the Error that prevented it.
template <class T = std::monostate>
class [[nodiscard]] Result {
public:
  // Both conversions are implicit so that `return value;` and `return Error{...};` read plainly.
  // NOLINTBEGIN(google-explicit-constructor)
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}
  // NOLINTEND(google-explicit-constructor)

  explicit operator bool() const { return content_.index() == 0; }
  bool has_value() const { return content_.index() == 0; }

  T& operator*() & { return std::get<0>(content_); }
  const T& operator*() const& { return std::get<0>(content_); }
  T&& operator*() && { return std::get<0>(std::move(content_)); }
  T* operator->() { return &std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }

  const Error& error() const& { return std::get<1>(content_); }
  Error&& error() && { return std::get<1>(std::move(content_)); }

private:
  std::variant<T, Error> content_;
};

/// Success without a value.
inline Result<> success() {
  return std::monostate{};
}

} // namespace dragnet

/// The value of a Result, or return its Error from this function.
#define TRY(...)                                                                                   \
  __extension__({                                                                                  \
    auto&& result_ = (__VA_ARGS__);                                                                \
    if (!result_)                                                                                  \
      return std::move(result_).error();                                                           \
    *std::move(result_);                                                                           \
  })

/// The value of a Result, or return its Error with what was being done in front of it.
#define TRY_WHILE(doing, ...)                                                                      \
  __extension__({                                                                                  \
    auto&& result_ = (__VA_ARGS__);                                                                \
    if (!result_)                                                                                  \
      return ::dragnet::while_doing((doing), std::move(result_).error());                          \
    *std::move(result_);                                                                           \
  })
