// Runs in the kernel when a system call ends: counts what it did under a stack that is known, or
// sends what is needed to know it (kernel_wire.h).

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "kernel/kernel_wire.h"
#include "runtime/stacks_format.h"

#define CALL_MEANINGS_ELSEWHERE
#include "runtime/call_meanings.h"

char LICENSE[] SEC("license") = "GPL";

enum { stop_signal = 19, no_such_file = 9, code_of_64_bits = 0x33, deepest_path = 48 };

#include "kernel/kernel_parts.inc"

const volatile struct kernel_settings settings;

struct kernel_shared shared;

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 16384);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, __u32);   // process
  __type(value, __u32); // image
} images SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 32768);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, struct kernel_place);
  __type(value, struct kernel_shape);
} shapes SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, 65536);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, struct kernel_use);
  __type(value, struct kernel_count);
} uses SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, KERNEL_EVENTS_SIZE);
} events SEC(".maps");

// Work space of a processor.
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u64[KERNEL_BLOCK_WORDS]);
} blocks SEC(".maps");

struct event_room {
  struct kernel_event event;
  char stack[KERNEL_STACK_SIZE + KERNEL_PAGE];
};

// One for each processor; set before this is loaded. A value of this size cannot be per processor.
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct event_room);
} rooms SEC(".maps");

// A call that is being counted.
struct call {
  struct kernel_use use;
  __u64 rbp;
};

static __always_inline __u32 this_process(void) {
  if (settings.space_inode == 0)
    return bpf_get_current_pid_tgid() >> 32;
  struct bpf_pidns_info known = {};
  if (bpf_get_ns_current_pid_tgid(settings.space_device, settings.space_inode, &known,
                                  sizeof known) != 0)
    return 0;
  return known.tgid;
}

static __always_inline struct file* file_behind(__u32 descriptor) {
  struct file** all = bpf_get_current_task_btf()->files->fdt->fd;
  struct file* found = NULL;
  bpf_probe_read_kernel(&found, sizeof found, all + descriptor);
  return found;
}

struct entry {
  struct dentry* parent;
  __u64 hash_of_name;
};

// Both parts lie side by side, so far, and are read at once.
static __always_inline struct entry entry_of(struct dentry* dentry) {
  const __u32 parent_at = bpf_core_field_offset(struct dentry, d_parent);
  struct entry entry = {};
  if (bpf_core_field_offset(struct dentry, d_name.hash_len) == parent_at + sizeof entry.parent) {
    bpf_probe_read_kernel(&entry, sizeof entry, (void*)dentry + parent_at);
  } else {
    entry.parent = BPF_CORE_READ(dentry, d_parent);
    entry.hash_of_name = BPF_CORE_READ(dentry, d_name.hash_len);
  }
  return entry;
}

// What tells files apart: the name and the folder, so that one that is made anew stays the same.
static __always_inline __u64 identity(struct file* file) {
  if (file == NULL)
    return 0;
  struct dentry* dentry = BPF_CORE_READ(file, f_path.dentry);
  const struct entry entry = entry_of(dentry);
  if (entry.parent == dentry)
    return kernel_mixed(BPF_CORE_READ(file, f_inode, i_ino),
                        (__u64)BPF_CORE_READ(file, f_path.mnt));
  return kernel_mixed(entry.hash_of_name, (__u64)entry.parent);
}

// A walk from a file to the root of all files, or to what the program has for it. As with all that is copied in steps, the size is
// kept in the event: of what lies there the kernel's check assumes nothing, so that one step stands
// for all of them. Elsewhere it would try each size, which takes longer than short programs run.
struct name_walk {
  struct event_room* room;
  struct dentry* dentry;
  struct mount* mount;
  struct dentry* root;
  struct mount* root_mount;
};

static __always_inline struct mount* mount_of(struct vfsmount* mounted) {
  return (void*)mounted - bpf_core_field_offset(struct mount, mnt);
}

static __always_inline bool is_at_root(const struct name_walk* walk) {
  return walk->dentry == walk->root && walk->mount == walk->root_mount;
}

// Goes up from where a file system is mounted; false at the root.
static __always_inline bool leave_mount(struct name_walk* walk) {
  struct mount* mount = walk->mount;
  struct mount* below = BPF_CORE_READ(mount, mnt_parent);
  if (below == mount)
    return false;
  walk->dentry = BPF_CORE_READ(mount, mnt_mountpoint);
  walk->mount = below;
  return true;
}

// One step of the walk; 1 ends it.
static long add_name(__u32 step, void* context) {
  struct name_walk* walk = context;
  struct dentry* dentry = walk->dentry;
  struct mount* mount = walk->mount;
  struct dentry* parent = BPF_CORE_READ(dentry, d_parent);
  const bool at_root = is_at_root(walk);
  if (at_root || dentry == parent || dentry == BPF_CORE_READ(mount, mnt.mnt_root)) {
    if (!at_root && leave_mount(walk))
      return 0;
    walk->room->event.is_named = step > 0;
    if (step > 0)
      return 1;
  }
  const __u32 size = walk->room->event.names_size;
  if (size > KERNEL_NAMES_SIZE - KERNEL_NAME_SIZE)
    return 1;
  const long added = bpf_probe_read_kernel_str(walk->room->event.names + size, KERNEL_NAME_SIZE,
                                               BPF_CORE_READ(dentry, d_name.name));
  if (added > 0)
    walk->room->event.names_size = size + added;
  walk->dentry = parent;
  // What has no folder at all, as a pipe, has no more than this name.
  return added <= 0 || dentry == parent;
}

// Writes the names of a file and the folders above it, innermost first.
static __always_inline void add_names(struct event_room* room, struct file* file) {
  const struct path* root = &bpf_get_current_task_btf()->fs->root;
  struct name_walk walk = {.room = room,
                           .dentry = BPF_CORE_READ(file, f_path.dentry),
                           .mount = mount_of(BPF_CORE_READ(file, f_path.mnt)),
                           .root = BPF_CORE_READ(root, dentry),
                           .root_mount = mount_of(BPF_CORE_READ(root, mnt))};
  bpf_loop(deepest_path, add_name, &walk, 0);
}

struct stack_walk {
  struct event_room* room;
  __u64 rsp;
};

// Copies up to the end of a page: the next one may not be there. 1 ends it.
static long add_page(__u32 step, void* context) {
  struct stack_walk* walk = context;
  const __u32 size = walk->room->event.stack_size;
  const __u32 part = KERNEL_PAGE - ((walk->rsp + size) & (KERNEL_PAGE - 1));
  if (size > KERNEL_STACK_SIZE || part > KERNEL_PAGE ||
      bpf_probe_read_user(walk->room->stack + size, part, (void*)(walk->rsp + size)) != 0)
    return 1;
  walk->room->event.stack_size = size + part;
  return 0;
}

static __always_inline void add_stack(struct event_room* room, __u64 rsp) {
  struct stack_walk walk = {.room = room, .rsp = rsp};
  bpf_loop(KERNEL_STACK_SIZE / KERNEL_PAGE + 1, add_page, &walk, 0);
}

// Not static, as hash_words: the kernel then checks it once and not for each caller.
__noinline int send(const struct call* call, __u64 file_address, __u64 amount) {
  struct file* file = (struct file*)file_address;
  const __u32 processor = bpf_get_smp_processor_id();
  struct event_room* room = bpf_map_lookup_elem(&rooms, &processor);
  if (room == NULL || call == NULL) {
    __sync_fetch_and_add(&shared.lost, 1);
    return 0;
  }
  struct kernel_event* event = &room->event;
  event->use = call->use;
  event->rbp = call->rbp;
  event->amount = amount;
  event->names_size = event->stack_size = event->is_named = event->file_system = 0;
  event->inode = 0;
  if (file != NULL) {
    event->inode = BPF_CORE_READ(file, f_inode, i_ino);
    event->file_system = BPF_CORE_READ(file, f_inode, i_sb, s_magic);
    add_names(room, file);
  }
  add_stack(room, call->use.rsp);
  __u64 size = sizeof *event + event->stack_size;
  if (size > sizeof *room || bpf_ringbuf_output(&events, room, size, 0) != 0)
    __sync_fetch_and_add(&shared.lost, 1);
  // Who is too fast for us is stopped, and goes on when we have seen the stop and all events.
  if (bpf_ringbuf_query(&events, BPF_RB_AVAIL_DATA) > KERNEL_EVENTS_SIZE / 4)
    bpf_send_signal_thread(stop_signal);
  return 0;
}

struct word_walk {
  const struct kernel_shape* shape;
  const __u64* block; // NULL: words are read one by one
  __u64 rsp;
  __u64 hash;
  bool failed;
};

// Several words at once: a call of a function costs more here than all that is done with a word.
static long add_words(__u32 step, void* context) {
  struct word_walk* walk = context;
  if (step >= KERNEL_SHAPE_WORDS / KERNEL_SHAPE_STEP)
    return 1;
  const __u16* distances = walk->shape->words + step * KERNEL_SHAPE_STEP;
  const __u64* block = walk->block;
  __u64 hash = walk->hash;
#pragma unroll
  for (int i = 0; i < KERNEL_SHAPE_STEP; ++i) {
    __u64 word = 0;
    if (block != NULL)
      word = block[distances[i] & (KERNEL_BLOCK_WORDS - 1)];
    else if (bpf_probe_read_user(&word, sizeof word, (void*)(walk->rsp + distances[i] * 8)) != 0)
      walk->failed = true;
    hash = kernel_mixed(hash, word);
  }
  walk->hash = hash;
  return 0;
}

// Hashes the words that decide a walk, if the place is known in this variant; 0 where it is not.
__noinline int hash_words(struct call* call, __u32 variant) {
  const __u32 zero = 0;
  __u64* block = bpf_map_lookup_elem(&blocks, &zero);
  if (block == NULL || call == NULL)
    return 0;
  const struct kernel_place place = {
      .pc = call->use.pc, .rsp = call->use.rsp, .image = call->use.image, .variant = variant};
  const struct kernel_shape* shape = bpf_map_lookup_elem(&shapes, &place);
  if (shape == NULL)
    return 0;
  const bool at_once = shape->reach <= KERNEL_BLOCK_WORDS;
  const __u32 size = (shape->reach * 8) & (KERNEL_BLOCK_WORDS * 16 - 1);
  if (at_once && (size > KERNEL_BLOCK_WORDS * 8 ||
                  bpf_probe_read_user(block, size, (void*)call->use.rsp) != 0))
    return 0;
  struct word_walk walk = {.shape = shape,
                           .block = at_once ? block : NULL,
                           .rsp = call->use.rsp,
                           .hash = shape->needs_rbp ? call->rbp : 0};
  bpf_loop(shape->count / KERNEL_SHAPE_STEP, add_words, &walk, 0);
  if (walk.failed)
    return 0;
  call->use.hash = walk.hash;
  return 1;
}

// Adds to a use that is known; false where there is none.
static __always_inline bool add_known(struct call* call, __u64 amount) {
#pragma unroll
  for (__u32 variant = 0; variant < KERNEL_SHAPE_COUNT; ++variant) {
    if (hash_words(call, variant) == 0)
      return false;
    struct kernel_count* count = bpf_map_lookup_elem(&uses, &call->use);
    if (count == NULL)
      continue;
    __sync_fetch_and_add(&count->calls, 1);
    __sync_fetch_and_add(&count->amount, amount);
    return true;
  }
  return false;
}

enum { without_file = 0xffffffff };

__noinline int add(struct call* call, __u32 kind, __u32 descriptor, __u64 amount) {
  if (call == NULL)
    return 0;
  struct file* file = descriptor == without_file ? NULL : file_behind(descriptor);
  call->use.kind = kind;
  call->use.file = identity(file);
  if (add_known(call, amount))
    return 0;
  call->use.hash = 0;
  return send(call, (__u64)file, amount);
}

struct message_walk {
  __u64 messages;
  __u64 sum;
};

static long add_message(__u32 step, void* context) {
  enum { message_size = 64, size_place = 56 }; // struct mmsghdr
  struct message_walk* walk = context;
  __u32 size = 0;
  const __u64 at = walk->messages + step * message_size + size_place;
  if (bpf_probe_read_user(&size, sizeof size, (void*)at) != 0)
    return 1;
  walk->sum += size;
  return 0;
}

static __always_inline __u64 message_bytes(__u64 messages, long count) {
  struct message_walk walk = {.messages = messages};
  if (count > 0)
    bpf_loop(count, add_message, &walk, 0);
  return walk.sum;
}

// What is looked at of the registers, each once: for each look the kernel's check searches all of
// its types.
struct registers {
  __u64 pc, rsp, rbp, di, si, dx;
};

// Which uses a call is: up to two.
struct meant {
  __u32 count;
  __u32 kinds[2];
  __u32 descriptors[2];
  __u64 amount;
};

static __always_inline void one(struct meant* meant, __u32 kind, __u32 descriptor, __u64 amount) {
  meant->count = 1;
  meant->kinds[0] = kind;
  meant->descriptors[0] = descriptor;
  meant->amount = amount;
}

static __always_inline void two(struct meant* meant, __u32 to, __u32 from, __u64 amount) {
  one(meant, DRAGNET_WRITTEN, to, amount);
  meant->count = 2;
  meant->kinds[1] = DRAGNET_READ;
  meant->descriptors[1] = from;
}

static __always_inline void understand(struct meant* meant, __u8 meaning,
                                       const struct registers* regs, long result) {
  const __u64 amount = result > 0 ? result : 0;
  switch (meaning & 15) {
  case CALL_TRANSFERS:
    return one(meant, meaning >> 4, regs->di, amount);
  case CALL_TRANSFERS_MESSAGES:
    return one(meant, meaning >> 4, regs->di, message_bytes(regs->si, result));
  case CALL_SENDS_FILE:
    return two(meant, regs->di, regs->si, amount);
  case CALL_COPIES:
    return two(meant, regs->dx, regs->di, amount);
  case CALL_SPLICES:
    return one(meant, DRAGNET_SPLICED, regs->dx, amount);
  case CALL_TEES:
    return one(meant, DRAGNET_SPLICED, regs->si, amount);
  case CALL_SYNCS:
    return one(meant, DRAGNET_SYNCED, regs->di, result == 0);
  case CALL_SYNCS_ALL:
    return one(meant, DRAGNET_SYNCED, without_file, result == 0);
  case CALL_OPENS:
    if (result >= 0)
      one(meant, DRAGNET_OPENED, result, 1);
    return;
  default:
    return;
  }
}

// 0 where the process is not watched.
static __always_inline __u32 image_of(__u32 process) {
  const __u64 quick = shared.quick_images[process & (KERNEL_QUICK_IMAGES - 1)];
  if (quick >> 32 == process)
    return quick;
  const __u32* image = bpf_map_lookup_elem(&images, &process);
  return image == NULL ? 0 : *image;
}

// Not by BTF, as newer programs are: the library would read all of the kernel's types for it, page
// by page, which takes longer than everything else here.
SEC("raw_tp/sys_exit")
int on_call_end(struct bpf_raw_tracepoint_args* context) {
  const struct pt_regs* kept = (void*)bpf_task_pt_regs(bpf_get_current_task_btf());
  const long result = context->args[1];
  const __u64 number = kept->orig_ax;
  if (number >= CALL_NUMBER_LIMIT || result == -no_such_file)
    return 0;
  const __u8 meaning = settings.meanings[number];
  if (meaning == CALL_DOES_NOTHING || (meaning & 15) >= CALL_CLOSES)
    return 0;
  const __u32 image = image_of(this_process());
  if (image == 0 || (kept->cs & 0xffff) != code_of_64_bits)
    return 0;
  const struct registers regs = {.pc = kept->ip,
                                 .rsp = kept->sp & ~7ull,
                                 .rbp = kept->bp,
                                 .di = kept->di,
                                 .si = kept->si,
                                 .dx = kept->dx};
  struct call call = {.use = {.pc = regs.pc, .rsp = regs.rsp, .image = image}, .rbp = regs.rbp};
  struct meant meant = {};
  understand(&meant, meaning, &regs, result);
  if (meant.count > 0)
    add(&call, meant.kinds[0], meant.descriptors[0], meant.amount);
  if (meant.count > 1)
    add(&call, meant.kinds[1], meant.descriptors[1], meant.amount);
  return 0;
}
