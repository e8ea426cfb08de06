#include "report/documents.h"
#include "base/json.h"
#include "model/machine.h"
#include <string>
#include <string_view>

namespace dragnet::report {

Json new_document(std::string_view kind, const std::string& program_version) {
  return {{"document", kind}, {"version", document_version}, {"dragnet", program_version}};
}

Json machine_json(const Machine& machine) {
  return {{"key", machine.key},
          {"host", machine.host_name},
          {"processor", machine.processor},
          {"cores", machine.cores},
          {"memory_bytes", machine.memory_bytes},
          {"kernel", machine.kernel}};
}

} // namespace dragnet::report
