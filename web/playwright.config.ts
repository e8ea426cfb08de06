import { defineConfig } from "@playwright/test";

// Debian's Chromium; DRAGNET_CHROMIUM names another one.
const executablePath = process.env.DRAGNET_CHROMIUM ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  workers: 2,
  timeout: 60_000,
  // A busy machine may take long to draw, and lose a browser: what fails once is told as flaky.
  expect: { timeout: 20_000 },
  retries: 1,
  reporter: [["dot"]],
  snapshotPathTemplate: "{testDir}/golden/{arg}{ext}",
  // A new golden picture is made only when asked for: --update-snapshots.
  updateSnapshots: "none",
  projects: [
    { name: "pages", testIgnore: "speed.spec.ts", fullyParallel: true },
    { name: "speed", testMatch: "speed.spec.ts", dependencies: ["pages"] },
  ],
  use: {
    viewport: { width: 1280, height: 900 },
    deviceScaleFactor: 1,
    locale: "en-GB",
    timezoneId: "UTC",
    colorScheme: "light",
    launchOptions: { executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none", "--disable-lcd-text"] },
  },
});
