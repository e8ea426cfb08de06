// What long work is doing, told while it does it. The command line shows it on a terminal; tests
// and pipes stay silent.
#pragma once

#include <string>

namespace dragnet {

/// Hears what is going on. Work calls it from one thread.
class Progress {
public:
  virtual ~Progress() = default;

  /// What is being done now ("building 3f2a1c") and how much of the whole work is done, from 0 to
  /// 1; negative when unknown.
  virtual void now(const std::string& doing, double share) = 0;

  /// A step that has ended ("built 3f2a1c in 4.2 s").
  virtual void finished(const std::string& step) = 0;

  /// Something the user should know although the work goes on.
  virtual void warn(const std::string& what) = 0;
};

/// Tells nobody.
class SilentProgress final : public Progress {
public:
  void now(const std::string& /*doing*/, double /*share*/) override {}
  void finished(const std::string& /*step*/) override {}
  void warn(const std::string& /*what*/) override {}
};

} // namespace dragnet
