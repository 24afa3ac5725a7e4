import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './source-files.ts'

/**
 * Test files that take a quarter of a minute or more, the longest first. One that begins last keeps a single
 * core busy while nothing else is left to run; most of them wait for other processes, which others can use.
 */
export const longFiles: readonly string[] = [
  'modules/bills/server/actions.matrix.test.ts',
  'tools/new.db.test.ts',
  'tools/every-call.test.ts',
  'modules/payments/server/money.fault.test.ts',
  'kit/server/jobs.test.ts',
  'apps/agent/update.test.ts',
  'kit/server/database-restart.test.ts',
  'apps/agent/kills.test.ts',
  'modules/accounts/server/sign-in-limits.test.ts',
  'modules/work-orders/server/order-killed.test.ts',
  'kit/server/postgres/cluster.test.ts',
  'kit/server/waiting-memory.test.ts',
]

/** The rest as Vitest orders it: by the times of the last run, and in a fresh clone by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = (file: TestSpecification): number => {
      const rank = longFiles.findIndex(name => join(root, name) === file.moduleId)
      return rank < 0 ? longFiles.length : rank
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own order, not an array's
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
