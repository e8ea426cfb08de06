// Numbers as people read them.
import { change, changeInterval, duration, named, probability, quantity, share, shareChange } from "../src/format";
import { percentLabels, unitLabels } from "../src/scale";
import { expect, test } from "@playwright/test";

const plain = (text: string) => text.replace(/\u00a0/g, " ");

test("quantities have units that fit", () => {
  const cases: [number | null, string, string][] = [
    [0.4123, "s", "412.3 ms"], [1.5, "s", "1.50 s"], [3.2e-8, "s", "32.0 ns"], [0, "s", "0 s"], [0.99999, "s", "1.00 s"], [7.3e-5, "s", "73.0 µs"],
    [512, "B", "512 B"], [41e6, "B", "39.1 MiB"], [0, "B", "0 B"], [1.2e9, "", "1.20 G"], [12, "", "12"], [0.25, "", "0.250"], [999999, "", "1.00 M"],
    [null, "s", "–"], [5, "frames", "5 frames"],
  ];
  for (const [value, unit, expected] of cases) expect(plain(quantity(value, unit))).toBe(expected);
  expect(plain(named(1.2e9, "", "instructions"))).toBe("1.20 G instructions");
  expect(plain(named(0.2, "s", "wall"))).toBe("200.0 ms");
});

test("changes have signs, and large ones are factors", () => {
  const cases: [number | null, string][] = [[0.0512, "+5.1 %"], [-0.0512, "−5.1 %"], [0, "0.0 %"], [0.0005, "+0.050 %"], [-1e-9, "0.0 %"], [1.5, "+150 %"], [31.86, "× 32.9"], [null, "–"]];
  for (const [value, expected] of cases) expect(plain(change(value))).toBe(expected);
  expect(plain(changeInterval(0.03, 0.07))).toBe("+3.0 to +7.0 %");
  expect(plain(changeInterval(null, 0.07))).toBe("");
});

test("shares, probabilities and durations say no more than is known", () => {
  expect(plain(share(0.1234))).toBe("12.3 %");
  expect(plain(share(0.0004))).toBe("0.04 %");
  expect(plain(share(1))).toBe("100 %");
  expect(plain(shareChange(0.0512))).toBe("+5.1 %");
  expect(plain(shareChange(255))).toBe("+25,500 %");
  expect(plain(probability(0.999))).toBe("> 0.99");
  expect(plain(probability(0.001))).toBe("< 0.01");
  expect(plain(probability(1))).toBe("1.00");
  expect(plain(duration(0.8))).toBe("800 ms");
  expect(plain(duration(300))).toBe("5 min");
  expect(plain(duration(334.1))).toBe("5 min 34 s");
  expect(plain(duration(3840))).toBe("1 h 4 min");
});

test("labels of an axis tell neighbours apart", () => {
  expect(percentLabels([-0.025, 0, 0.025, 0.05], 0.025)).toEqual(["−2.5 %", "0.0 %", "+2.5 %", "+5.0 %"]);
  expect(percentLabels([0, 0.05, 0.1], 0.05)).toEqual(["0 %", "+5 %", "+10 %"]);
  expect(unitLabels([0.4122, 0.4124], 0.0002, "s")).toEqual(["412.2 ms", "412.4 ms"]);
  expect(unitLabels([1.125e9, 1.15e9], 0.025e9, "")).toEqual(["1.125 G", "1.150 G"]);
  expect(unitLabels([0, 1048576], 1048576, "B")).toEqual(["0 MiB", "1 MiB"]);
});
