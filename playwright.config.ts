import { defineConfig, devices } from '@playwright/test'
import { join } from 'node:path'

// Inherited by the workers and the product that they try: Node reads these sources itself, as in operation,
// and keeps what it makes of them. Playwright's own reader takes six times as long for all modules.
process.env.PW_DISABLE_TS_ESM ??= '1'
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'dist/compiled-tests')

/**
 * A page of a journey lives for seconds: what V8 optimises in the background, and several threads that look
 * for garbage at once, cost it more than they give. Later, not never: the task of a captcha runs for seconds.
 */
const scriptFlags = [
  '--invocation-count-for-maglev=4000',
  '--invocation-count-for-maglev-osr=1000',
  '--invocation-count-for-turbofan=100000',
  '--invocation-count-for-osr=10000',
  '--single-threaded-gc',
]

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/setup.ts',
  // One more than two cores: a journey waits for the product half of its time. With four the cores are busy all
  // the time (96 % instead of 87 %), and steps wait longer than a journey should have to.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 90_000,
  // A journey that stumbles on a busy machine begins once more, and is reported as flaky; what is broken fails
  // twice.
  retries: 1,
  // A step that finds nothing says so soon.
  expect: { timeout: 10_000 },
  use: {
    ...devices['Desktop Chrome'],
    // Set by the global set-up, which runs before the workers read this file.
    baseURL: process.env.E2E_ADDRESS,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    actionTimeout: 15_000,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    // Of the second try alone, and without its film: to keep the page after each step of every journey costs
    // a twentieth of them, to paint every frame more than the journeys themselves.
    trace: { mode: 'on-first-retry', screenshots: false, snapshots: true, sources: false },
    // Whoever wants no motion gets none; then nothing waits for the end of a fade.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // No window lives long enough to read what V8 would keep of the scripts: a twelfth of a page.
        '--v8-cache-options=none',
        // Three windows on two cores: more threads that paint one of them only wait for each other.
        '--num-raster-threads=1',
        `--js-flags=${scriptFlags.join(' ')}`,
      ],
    },
  },
})
