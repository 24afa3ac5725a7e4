import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/longest-first.ts'
import { alone, sharing, untimed } from './tools/test-projects.ts'

// What Node makes of the sources is kept: each server test file, and each program that a test starts, is a
// process of its own that reads the whole product.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'dist/compiled-tests')
enableCompileCache(process.env.NODE_COMPILE_CACHE)

const apart = [...configDefaults.exclude, 'e2e/**', 'dist/**', 'data/**']

const onDatabase = {
  globalSetup: ['kit/server/fixtures/vitest-setup.ts', 'tools/statement-lint.ts'],
  setupFiles: ['kit/server/fixtures/resolve-sources.ts', 'kit/server/fixtures/known-hashes.ts'],
  // Node reads these sources itself, as in operation; nothing here mocks a module.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What is waited for may be slow on a busy machine; the default is one second.
  expect: { poll: { timeout: 15_000 } },
}

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than two cores: many tests wait for a process, a clock or PostgreSQL.
    maxWorkers: Math.max(3, Math.min(8, availableParallelism())),
    sequence: { sequencer: LongestFirst },
    env: { TZ: 'Asia/Shanghai' },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          testTimeout: 30_000,
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...apart, ...sharing, ...alone, ...untimed],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'untimed',
          // In the background a second of work takes many.
          testTimeout: 300_000,
          include: [...untimed],
          exclude: [...apart, ...alone],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...onDatabase,
          name: 'server',
          include: [...sharing],
          exclude: [...apart, ...alone],
          // One after the other in a process that has read the product once, each on a database of its own.
          isolate: false,
          setupFiles: [...onDatabase.setupFiles, 'kit/server/fixtures/left-behind.ts'],
        },
      },
      { extends: true, test: { ...onDatabase, name: 'server-alone', include: [...alone], exclude: apart } },
    ],
  },
})
