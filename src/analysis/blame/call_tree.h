// The calls of a run as a tree: one node for each call path, with its calls and its own cost. A
// call of a function that is on the path already leads back to its node there, so that recursion
// does not make the tree deep (Ammons, Ball and Larus 1997).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::blame {

struct CallNode {
  std::uint32_t function = 0;
  std::uint32_t parent = 0;
  std::uint32_t last_callee = 0;   ///< the node that was called last from here; 0: none
  std::uint32_t last_function = 0; ///< its function
  std::uint64_t calls = 0;
  std::uint64_t cost = 0; ///< of its own, in ticks of whatever clock
};

class CallTree {
public:
  static constexpr std::uint32_t root = 0;
  static constexpr std::uint32_t no_function = 0xffffffff; ///< the root's

  CallTree();

  /// The node of a function that is called from a node; made where it is new.
  std::uint32_t callee(std::uint32_t node, std::uint32_t function) {
    const CallNode& caller = nodes_[node];
    if (caller.last_function == function && caller.last_callee != root)
      return caller.last_callee;
    return find_callee(node, function);
  }

  CallNode& at(std::uint32_t node) { return nodes_[node]; }
  /// A parent comes before its callees; the first is the root.
  const std::vector<CallNode>& nodes() const { return nodes_; }

private:
  std::uint32_t find_callee(std::uint32_t node, std::uint32_t function);
  std::size_t slot_of(std::uint32_t node, std::uint32_t function) const;
  void grow();

  std::vector<CallNode> nodes_;
  std::vector<std::uint32_t> slots_; // open addressing by parent and function; 0: free
};

} // namespace dragnet::blame
