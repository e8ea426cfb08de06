#include "binary/landmarks.h"
#include "binary/boundaries.h"
#include "binary/decoded.h"
#include "binary/elf_file.h"
#include "binary/function_index.h"
#include "binary/instruction.h"
#include "binary/instruction_decoder.h"
#include "binary/mix.h"
#include "binary/objects.h"
#include "binary/ranges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::binary {
namespace {

// Constants without a name are looked at up to this size.
constexpr std::uint64_t largest_constant = 65536;

// What looks like a text and is longer than this is one; a shorter one may be numbers.
constexpr std::size_t surely_text = 4;

// What has neither name nor content is told by its kind.
enum Kind : std::uint64_t { Nowhere = 1, Anonymous, Variable, JumpTable, Number };

bool is_text(std::byte byte) {
  const auto letter = std::to_integer<unsigned>(byte);
  return letter >= 0x20 ? letter != 0x7f : letter >= 0x07 && letter <= 0x0d;
}

// The length of the text at the beginning, with its final zero; 0 if there is none.
std::size_t text_length(std::span<const std::byte> bytes) {
  const auto end = std::ranges::find_if_not(bytes, is_text);
  if (end == bytes.begin() || end == bytes.end() || *end != std::byte{0})
    return 0;
  return static_cast<std::size_t>(end - bytes.begin()) + 1;
}

bool only_texts(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes,
                             [](std::byte byte) { return byte == std::byte{0} || is_text(byte); });
}

std::uint64_t hash_without_padding(std::span<const std::byte> bytes) {
  while (!bytes.empty() && bytes.back() == std::byte{0})
    bytes = bytes.first(bytes.size() - 1);
  return bytes.empty() ? 0 : hash_of(bytes);
}

} // namespace

Landmarks::Landmarks(const Program& program)
    : program_(program), objects_(program.file), boundaries_(program.file),
      finder_(program.decoded), own_finder_(program.decoded), own_contents_(objects_.size()),
      contents_(objects_.size()) {
  for (const Mention& mention : program.decoded.mentions)
    boundaries_.add(mention.reference.target);
  for (const Pointer& pointer : program.file.pointers())
    boundaries_.add(pointer.target);
  if (program.file.has_fixed_place())
    add_unmarked_pointers();
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    boundaries_.add(objects_[i].address);
    boundaries_.add(objects_[i].end());
  }
}

// In a program that is linked for one place nothing marks pointers; any word may be one.
void Landmarks::add_unmarked_pointers() {
  for (const Section& section : program_.file.sections()) {
    if (section.executable || section.address % 8 != 0)
      continue;
    for (std::size_t at = 0; at + 8 <= section.content.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, &section.content[at], sizeof word);
      boundaries_.add(word);
    }
  }
}

const std::vector<Landmark>& Landmarks::describe(std::span<const Mention> mentions) {
  used_.clear();
  landmarks_.clear();
  for (const Mention& mention : mentions)
    if (const auto object = objects_.at(mention.reference.target))
      used_.push_back(*object);
  for (const Mention& mention : mentions)
    landmarks_.push_back(describe(mention));
  return landmarks_;
}

Landmark Landmarks::describe(const Mention& mention) {
  const Reference& reference = mention.reference;
  switch (reference.how) {
  case Refers::Nothing:
  case Refers::Constant:
    return {};
  case Refers::Jump:
  case Refers::Call:
    return code_at(reference.target);
  case Refers::ThreadLocal:
    return {.identity = objects_.thread_local_at(reference.target), .content = 0};
  case Refers::Memory:
  case Refers::Address:
    return data_at(mention);
  }
  return {};
}

// A function by name, a place in it by the number of the instruction there, a stub by what it jumps
// to.
Landmark Landmarks::code_at(std::uint64_t address) {
  const std::uint32_t number = program_.index.at(address);
  if (number != FunctionIndex::none) {
    const std::uint64_t offset = address - program_.ranges[number].address;
    const std::uint64_t position = offset == 0 ? 0 : std::uint64_t{1} + finder_.at(number, offset);
    return {.identity = mix(program_.name_hashes[number], position), .content = 0};
  }
  const Section* section = program_.file.section_at(address);
  if (section == nullptr || !section->executable)
    return {.identity = Nowhere, .content = 0};
  return stub_at(*section, address);
}

// A stub of the linker's ends in a jump through a slot.
Landmark Landmarks::stub_at(const Section& section, std::uint64_t address) {
  auto code = section.content.subspan(std::min(address - section.address, section.content.size()));
  InstructionDecoder decoder(program_.file.machine(), {});
  Instruction instruction;
  for (int i = 0; i < 4 && !code.empty(); ++i) {
    decoder.decode(code, address, instruction);
    if (instruction.length == 0)
      break;
    const Reference& reference = instruction.references[0];
    if (instruction.mentioned > 0 && reference.how == Refers::Memory)
      if (const Pointer* pointer = program_.file.pointer_at(reference.target))
        return slot_at(*pointer);
    address += instruction.length;
    code = code.subspan(instruction.length);
  }
  return {.identity = hash_of(section.name), .content = 0};
}

Landmark Landmarks::slot_at(const Pointer& pointer) {
  return {.identity = pointer_identity(pointer), .content = 0};
}

// The object that a reference means. An address where no object is but one ends is its end, if the
// function uses that object: loops over a table compare with it.
std::optional<std::size_t> Landmarks::object_meant(const Mention& mention) const {
  const std::uint64_t target = mention.reference.target;
  if (mention.reference.how == Refers::Address && !objects_.at(target)) {
    const auto ended = objects_.before(target);
    if (ended && std::ranges::find(used_, *ended) != used_.end())
      return ended;
  }
  return objects_.at(target);
}

Landmark Landmarks::data_at(const Mention& mention) {
  const Reference& reference = mention.reference;
  const Section* section = program_.file.section_at(reference.target);
  if (const auto object = object_meant(mention))
    return {.identity =
                mix(objects_[*object].name_hash, reference.target - objects_[*object].address),
            .content = content_with_neighbours(*object)};
  if (section == nullptr)
    return {.identity = Nowhere, .content = 0};
  if (section->executable)
    return !reference.certain && is_number(reference.target)
               ? Landmark{.identity = mix(Number, reference.target), .content = 0}
               : code_at(reference.target);
  if (const Pointer* pointer = program_.file.pointer_at(reference.target))
    return slot_at(*pointer);
  if (section->writable)
    return {.identity = mix(Variable, hash_of(section->name)), .content = 0};
  if (reference.how == Refers::Memory)
    return {.identity = Anonymous,
            .content = hash_without_padding(bytes_at(reference.target, reference.width))};
  if (const auto table = jump_table_at(mention))
    return {.identity = mix(JumpTable, *table), .content = 0};
  return {.identity = Anonymous, .content = constant_at(reference.target)};
}

// Whether what could be an address of code is just a number: nobody takes addresses within
// functions.
bool Landmarks::is_number(std::uint64_t target) const {
  const std::uint32_t number = program_.index.at(target);
  return number == FunctionIndex::none || program_.ranges[number].address != target;
}

// The place that an entry of a function's jump table leads to, as a number; 0 if it leads
// elsewhere than into the function or what was split off it.
std::uint64_t Landmarks::jump_target(std::uint32_t function, std::uint64_t target) {
  const std::uint32_t number = program_.index.at(target);
  if (number == FunctionIndex::none)
    return 0;
  const bool split_off = !program_.ranges[function].name.empty() &&
                         program_.ranges[number].name.starts_with(program_.ranges[function].name);
  if (number != function && !split_off)
    return 0;
  InstructionFinder& finder = number == function ? own_finder_ : finder_;
  const std::uint32_t instruction = finder.at(number, target - program_.ranges[number].address);
  return instruction == Decoded::between
             ? 0
             : mix(number == function ? 1 : program_.name_hashes[number], instruction);
}

// Entries are distances from the table, or addresses where the program is linked for one place.
std::optional<std::uint64_t> Landmarks::jump_table_at(const Mention& mention) {
  const std::uint64_t table = mention.reference.target;
  const auto bytes = bytes_at(table, boundaries_.next(table + 1) - table);
  std::uint64_t hash = 0;
  std::size_t entries = 0;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4, ++entries) {
    std::int32_t distance = 0;
    std::memcpy(&distance, &bytes[at], sizeof distance);
    const std::uint64_t target =
        jump_target(mention.function, table + static_cast<std::uint64_t>(std::int64_t{distance}));
    if (target == 0)
      break;
    hash = mix(hash, target);
  }
  if (entries > 0 || !program_.file.has_fixed_place())
    return entries > 0 ? std::optional(hash) : std::nullopt;
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8, ++entries) {
    std::uint64_t address = 0;
    std::memcpy(&address, &bytes[at], sizeof address);
    const std::uint64_t target = jump_target(mention.function, address);
    if (target == 0)
      break;
    hash = mix(hash, target);
  }
  return entries > 0 ? std::optional(hash) : std::nullopt;
}

// What a pointer leads to: by name, or by content where there is none.
std::uint64_t Landmarks::pointer_identity(const Pointer& pointer) {
  if (!pointer.symbol.empty())
    return hash_of(without_copy_number(pointer.symbol));
  if (const auto object = objects_.at(pointer.target))
    return mix(objects_[*object].name_hash, pointer.target - objects_[*object].address);
  const Section* section = program_.file.section_at(pointer.target);
  if (section == nullptr)
    return Nowhere;
  if (section->executable) {
    const std::uint32_t number = program_.index.at(pointer.target);
    return number == FunctionIndex::none ? hash_of(section->name)
                                         : code_at(pointer.target).identity;
  }
  return section->writable ? mix(Variable, hash_of(section->name)) : constant_at(pointer.target);
}

// Words that are addresses in a program that is linked for one place; nothing marks them there.
std::uint64_t Landmarks::pointer_words(std::span<const std::byte> content, std::uint64_t address) {
  std::uint64_t hash = content.size();
  for (std::size_t at = 0; at < content.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, &content[at], std::min<std::size_t>(8, content.size() - at));
    const bool pointer = (address + at) % 8 == 0 && program_.file.section_at(word) != nullptr;
    hash = mix(hash, pointer ? pointer_identity({.slot = 0, .target = word, .symbol = {}}) : word);
  }
  return hash;
}

// The bytes of an object, with what its pointers lead to instead of addresses.
std::uint64_t Landmarks::own_content(std::size_t object) {
  if (own_contents_[object] != 0)
    return own_contents_[object];
  const Object& whole = objects_[object];
  const auto content = bytes_at(whole.address, whole.size);
  const auto& pointers = program_.file.pointers();
  std::uint64_t hash = 1;
  std::uint64_t at = 0;
  if (program_.file.has_fixed_place() && !content.empty()) {
    hash = pointer_words(content, whole.address);
    at = content.size();
  }
  for (auto pointer = std::ranges::lower_bound(pointers, whole.address, {}, &Pointer::slot);
       pointer != pointers.end() && pointer->slot < whole.end() && at < content.size(); ++pointer) {
    const std::uint64_t slot = std::max(pointer->slot - whole.address, at);
    hash =
        mix(hash, hash_of(content.subspan(at, std::min<std::uint64_t>(slot, content.size()) - at)));
    hash = mix(hash, pointer_identity(*pointer));
    at = std::min<std::uint64_t>(slot + 8, content.size());
  }
  own_contents_[object] = mix(hash, hash_of(content.subspan(at)));
  return own_contents_[object];
}

// Tables of pointers to tables: what an object points to takes part, one step far.
std::uint64_t Landmarks::content_with_neighbours(std::size_t object) {
  if (contents_[object] != 0)
    return contents_[object];
  std::uint64_t hash = own_content(object);
  const Object& whole = objects_[object];
  const auto& pointers = program_.file.pointers();
  for (auto pointer = std::ranges::lower_bound(pointers, whole.address, {}, &Pointer::slot);
       pointer != pointers.end() && pointer->slot < whole.end(); ++pointer)
    if (const auto neighbour = objects_.at(pointer->target))
      hash = mix(hash, own_content(*neighbour));
  contents_[object] = hash;
  return hash;
}

// A constant without a name: a text to its end, anything else up to where the next thing begins.
std::uint64_t Landmarks::constant_at(std::uint64_t address) const {
  const auto bytes = bytes_at(address, largest_constant);
  const std::size_t text = text_length(bytes);
  if (text > surely_text)
    return hash_of(bytes.first(text));
  const std::uint64_t end = boundaries_.next(text > 0 ? address + text : address + 1) - address;
  const auto all = bytes.first(std::min<std::uint64_t>(end, bytes.size()));
  return hash_without_padding(only_texts(all) ? all.first(text) : all);
}

std::span<const std::byte> Landmarks::bytes_at(std::uint64_t address, std::uint64_t size) const {
  const Section* section = program_.file.section_at(address);
  if (section == nullptr || address - section->address >= section->content.size())
    return {};
  const auto rest = section->content.subspan(address - section->address);
  return rest.first(std::min<std::uint64_t>(size, rest.size()));
}

} // namespace dragnet::binary
