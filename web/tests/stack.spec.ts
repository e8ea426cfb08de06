// Names and stacks as they are shown, and the steps of an axis.
import type { Frame } from "../src/explanation";
import { unitLabels, stepsOf } from "../src/scale";
import { aligned, shortName, stackShort } from "../src/stack";
import { expect, test } from "@playwright/test";

const frame = (name: string, binary = "larder"): Frame => ({ function: name, demangled: name, binary, file: "", line: null, inlined: false });
const frames = (names: string) => names.split(" ").filter(Boolean).map((name) => frame(name));

for (const [long, short] of [
  ["larder::Log::append(larder::Record const&)", "larder::Log::append"],
  ["void larder::put<int, std::vector<int>>(int)", "larder::put"],
  ["std::vector<char, std::allocator<char>>::push_back(char&&)", "std::vector::push_back"],
  ["larder::(anonymous namespace)::hash(char const*)", "larder::{anonymous}::hash"],
  ["Record::operator<(Record const&) const", "Record::operator<"],
  ["Visitor::operator()(int) const", "Visitor::operator()"],
  ["bool operator==<char>(std::basic_string<char> const&)", "bool operator=="],
  ["main", "main"],
  ["", ""],
  ["<<<", "<<<"],
])
  test(`${long || "an empty name"} is ${short || "empty"} in short`, () => expect(shortName(long!)).toBe(short));

test("a stack in short has the innermost frames of the build", () => {
  expect(stackShort([frame("start", "/lib/libc.so.6"), ...frames("main run"), frame("write", "/lib/libc.so.6")])).toBe("main › run");
  expect(stackShort(frames("a b c d e f"))).toBe("… › c › d › e › f");
  expect(stackShort([frame("write", "/lib/libc.so.6"), frame("?", "[vdso]")])).toBe("write › ?");
  expect(stackShort([])).toBe("(no stack)");
});

test("what headers of the system put into the build tells less than the project's source", () => {
  const header = { ...frame("allocate"), file: "/usr/include/c++/12/bits/allocator.h", inlined: true };
  expect(stackShort([...frames("main"), { ...frame("Image::append"), file: "src/record.cpp" }, header, header])).toBe("main › Image::append");
  expect(stackShort([frame("start", "/lib/libc.so.6"), header])).toBe("allocate");
});

const beside = (before: string, now: string) => aligned(frames(before), frames(now)).map(([one, other]) => `${one?.function ?? "-"}|${other?.function ?? "-"}`).join(" ");

test("stacks are laid beside each other by their common functions", () => {
  expect(beside("main run flush", "main run flush")).toBe("main|main run|run flush|flush");
  expect(beside("main run flush", "main wrap run flush")).toBe("main|main -|wrap run|run flush|flush");
  expect(beside("main old write", "main new write")).toBe("main|main old|new write|write");
  expect(beside("main a b write", "main c write")).toBe("main|main a|c b|- write|write");
  expect(beside("", "main")).toBe("-|main");
  expect(beside("f f f", "f f")).toBe("f|f f|f f|-");
});

test("bytes on an axis step by powers of two, in few digits", () => {
  const { ySteps } = stepsOf("B");
  expect(ySteps).toContain(1024 ** 2);
  expect(unitLabels([5 * 2 ** 20, 5.5 * 2 ** 20], 2 ** 19, "B")).toEqual(["5.0 MiB", "5.5 MiB"]);
  expect(stepsOf("s")).toEqual({});
});
