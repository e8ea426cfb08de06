#include "binary/alignment.h"
#include "model/function.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <unordered_map>
#include <vector>

namespace dragnet::binary {
namespace {

// More edits than this are not counted exactly.
constexpr int most_edits = 1000;

std::size_t equal_at_end(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  std::size_t count = 0;
  while (count < a.size() && count < b.size() && a[a.size() - 1 - count] == b[b.size() - 1 - count])
    ++count;
  return count;
}

// Myers 1986, "An O(ND) difference algorithm", section 4: on each diagonal, how far a path with d
// edits reaches. What was reached for each d is kept, so that the path can be followed back.
class EditSearch {
public:
  EditSearch(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b)
      : a_(a), b_(b), a_size_(static_cast<int>(a.size())), b_size_(static_cast<int>(b.size())) {}

  // The edits in order; none if there are too many.
  std::vector<Hunk> hunks() {
    const int most = std::min(a_size_ + b_size_, most_edits);
    for (int d = 0; d <= most; ++d)
      if (reach(d))
        return follow_back(d);
    return {};
  }

private:
  // With d edits, diagonals -d to d are reached; stored one after the other.
  int& reached(int d, int diagonal) {
    const int place = diagonal + d;
    return steps_[static_cast<std::size_t>(d)][static_cast<std::size_t>(place)];
  }

  // Whether the best path to a diagonal puts an instruction in rather than takes one away.
  bool puts_in(int d, int diagonal) {
    return diagonal == -d ||
           (diagonal != d && reached(d - 1, diagonal - 1) < reached(d - 1, diagonal + 1));
  }

  bool reach(int d) {
    const auto reach = static_cast<std::size_t>(d);
    steps_.emplace_back((2 * reach) + 1, 0);
    for (int diagonal = -d; diagonal <= d; diagonal += 2) {
      int x = 0;
      if (d > 0)
        x = puts_in(d, diagonal) ? reached(d - 1, diagonal + 1) : reached(d - 1, diagonal - 1) + 1;
      int y = x - diagonal;
      while (x < a_size_ && y < b_size_ && same(x, y)) {
        ++x;
        ++y;
      }
      reached(d, diagonal) = x;
      if (x >= a_size_ && y >= b_size_)
        return true;
    }
    return false;
  }

  bool same(int x, int y) const {
    return a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(y)];
  }

  std::vector<Hunk> follow_back(int d) {
    std::vector<Hunk> found;
    int diagonal = a_size_ - b_size_;
    for (; d > 0; --d) {
      const bool put = puts_in(d, diagonal);
      diagonal += put ? 1 : -1;
      const int x = reached(d - 1, diagonal);
      add(found, x, put);
    }
    std::ranges::reverse(found);
    return found;
  }

  // Edits come from the last to the first; neighbours make one hunk.
  static void add(std::vector<Hunk>& found, int x, bool put) {
    const auto at = static_cast<std::uint32_t>(x);
    const std::uint32_t end = at + (put ? 0 : 1);
    if (found.empty() || found.back().old_first != end)
      found.push_back({.old_first = end, .old_count = 0, .new_count = 0});
    Hunk& hunk = found.back();
    hunk.old_first = at;
    (put ? hunk.new_count : hunk.old_count) += 1;
  }

  std::span<const std::uint16_t> a_;
  std::span<const std::uint16_t> b_;
  int a_size_;
  int b_size_;
  std::vector<std::vector<int>> steps_;
};

// Where a token stands that is the only one of its kind on both sides.
struct Anchor {
  std::size_t in_a = 0;
  std::size_t in_b = 0;
};

// The anchors of two sequences, in the order of the first.
std::vector<Anchor> anchors_of(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  constexpr std::size_t never = SIZE_MAX;
  constexpr std::size_t often = SIZE_MAX - 1;
  const auto places = [&](std::span<const std::uint16_t> tokens) {
    std::vector<std::size_t> place(std::size_t{UINT16_MAX} + 1, never);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      place[tokens[i]] = place[tokens[i]] == never ? i : often;
    return place;
  };
  const auto in_a = places(a);
  const auto in_b = places(b);
  std::vector<Anchor> anchors;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (in_a[a[i]] == i && in_b[a[i]] < often)
      anchors.push_back({.in_a = i, .in_b = in_b[a[i]]});
  return anchors;
}

// The most anchors that are in the same order on both sides: a longest rising sequence.
std::vector<Anchor> in_same_order(const std::vector<Anchor>& anchors) {
  std::vector<std::size_t> last; // by length: the anchor that ends the best sequence of it
  std::vector<std::size_t> before(anchors.size(), SIZE_MAX);
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const auto at = std::ranges::lower_bound(last, anchors[i].in_b, {},
                                             [&](std::size_t j) { return anchors[j].in_b; });
    if (at != last.begin())
      before[i] = *std::prev(at);
    if (at == last.end())
      last.push_back(i);
    else
      *at = i;
  }
  std::vector<Anchor> chain;
  for (std::size_t i = last.empty() ? SIZE_MAX : last.back(); i != SIZE_MAX; i = before[i])
    chain.push_back(anchors[i]);
  std::ranges::reverse(chain);
  return chain;
}

// Aligns two functions: what is equal at both ends is the same; long ones are divided at tokens
// that are the only ones of their kind, as Cohen's patience diff does; the rest is searched.
class Alignment {
public:
  explicit Alignment(std::vector<Hunk>& found) : found_(found) {}

  void align(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
             std::size_t first) {
    const auto [in_a, in_b] = std::ranges::mismatch(a, b);
    const auto same = static_cast<std::size_t>(in_a - a.begin());
    a = a.subspan(same);
    b = b.subspan(same);
    first += same;
    const std::size_t same_end = equal_at_end(a, b);
    a = a.first(a.size() - same_end);
    b = b.first(b.size() - same_end);
    if (a.empty() && b.empty())
      return;
    if (a.size() + b.size() > long_enough && divide(a, b, first))
      return;
    search(a, b, first);
  }

private:
  // Together longer than this, functions are divided.
  static constexpr std::size_t long_enough = 400;

  bool divide(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
              std::size_t first) {
    const std::vector<Anchor> chain = in_same_order(anchors_of(a, b));
    std::size_t a_begin = 0;
    std::size_t b_begin = 0;
    for (const Anchor& anchor : chain) {
      align(a.subspan(a_begin, anchor.in_a - a_begin), b.subspan(b_begin, anchor.in_b - b_begin),
            first + a_begin);
      a_begin = anchor.in_a + 1;
      b_begin = anchor.in_b + 1;
    }
    if (!chain.empty())
      align(a.subspan(a_begin), b.subspan(b_begin), first + a_begin);
    return !chain.empty();
  }

  void search(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b,
              std::size_t first) {
    std::vector<Hunk> parts;
    if (!a.empty() && !b.empty())
      parts = EditSearch(a, b).hunks();
    if (parts.empty())
      parts.push_back({.old_first = 0,
                       .old_count = static_cast<std::uint32_t>(a.size()),
                       .new_count = static_cast<std::uint32_t>(b.size())});
    for (Hunk& hunk : parts) {
      hunk.old_first += static_cast<std::uint32_t>(first);
      found_.push_back(hunk);
    }
  }

  std::vector<Hunk>& found_;
};

// Compilers move blocks about. An instruction that is taken away here and put in there, as many
// times as it is both, is moved.
void count_moves(std::vector<Hunk>& hunks, std::span<const std::uint16_t> old_tokens,
                 std::span<const std::uint16_t> new_tokens) {
  std::unordered_map<std::uint16_t, std::uint32_t> taken;
  for (const Hunk& hunk : hunks)
    for (const std::uint16_t token : old_tokens.subspan(hunk.old_first, hunk.old_count))
      ++taken[token];
  std::unordered_map<std::uint16_t, std::uint32_t> moved;
  std::size_t new_first = 0;
  std::size_t old_end = 0;
  for (Hunk& hunk : hunks) {
    new_first += hunk.old_first - old_end;
    for (const std::uint16_t token : new_tokens.subspan(new_first, hunk.new_count))
      if (const auto found = taken.find(token); found != taken.end() && found->second > 0) {
        --found->second;
        ++moved[token];
        ++hunk.moved_in;
      }
    new_first += hunk.new_count;
    old_end = std::size_t{hunk.old_first} + hunk.old_count;
  }
  for (Hunk& hunk : hunks)
    for (const std::uint16_t token : old_tokens.subspan(hunk.old_first, hunk.old_count))
      if (const auto found = moved.find(token); found != moved.end() && found->second > 0) {
        --found->second;
        ++hunk.moved_out;
      }
}

} // namespace

std::uint32_t edits(std::span<const Hunk> hunks) {
  std::uint32_t sum = 0;
  for (const Hunk& hunk : hunks)
    sum += hunk.old_count + hunk.new_count;
  return sum;
}

std::vector<Hunk> hunks(std::span<const std::uint16_t> old_tokens,
                        std::span<const std::uint16_t> new_tokens) {
  std::vector<Hunk> found;
  Alignment(found).align(old_tokens, new_tokens, 0);
  count_moves(found, old_tokens, new_tokens);
  return found;
}

} // namespace dragnet::binary
