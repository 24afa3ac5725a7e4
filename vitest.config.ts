import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

const apart = [...configDefaults.exclude, 'e2e/**', 'dist/**', 'data/**']

// Everything that talks to a database; the rest runs without one.
const withDatabase = [
  'kit/server/**/*.test.ts',
  'modules/*/server/**/*.test.ts',
  'apps/server/**/*.test.ts',
  'db/**/*.test.ts',
  'tools/every-call.test.ts',
  'tools/schema.test.ts',
  'tools/*.db.test.ts',
]

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: Math.max(2, Math.min(8, availableParallelism())),
    env: { TZ: 'Asia/Shanghai' },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          testTimeout: 30_000,
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...apart, ...withDatabase],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: withDatabase,
          exclude: apart,
          globalSetup: ['kit/server/fixtures/vitest-setup.ts', 'tools/statement-lint.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
