import { createHash } from 'node:crypto'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './source-files.ts'

/**
 * Test files that take a quarter of a minute or more, the longest first. One that begins last keeps a single
 * core busy while nothing else is left to run; most of them wait for other processes, which others can use.
 */
export const longFiles: readonly string[] = [
  'tools/every-call.test.ts',
  'tools/company-data.db.test.ts',
  'tools/upgrade.db.test.ts',
  'tools/new.db.test.ts',
  'tools/data-domain.db.test.ts',
  'kit/server/jobs.test.ts',
  'tools/code-entrances.db.test.ts',
  'tools/controllers.db.test.ts',
  'tools/exports.db.test.ts',
  'tools/list-filters.db.test.ts',
  'kit/server/database-restart.test.ts',
  'kit/server/postgres/cluster.test.ts',
  'tools/agent.db.test.ts',
  'kit/server/waiting-memory.test.ts',
  'apps/agent/update.test.ts',
  'apps/agent/kills.test.ts',
  'modules/payments/server/money.fault.test.ts',
  'modules/work-orders/server/order-killed.test.ts',
  'modules/accounts/server/sign-in-limits.test.ts',
  'modules/payments/server/database-restart.fault.test.ts',
  'modules/accounts/server/sign-in.test.ts',
]

const rankOf = (file: TestSpecification): number => {
  const rank = longFiles.findIndex(name => join(root, name) === file.moduleId)
  return rank < 0 ? longFiles.length : rank
}

/**
 * The long ones that have a process of their own, then project by project: a process that the files of one
 * share ends as soon as another project's file is next.
 */
const turnOf = (file: TestSpecification): number => {
  const turn = ['untimed', 'fast', 'server', 'server-alone'].indexOf(file.project.name)
  return turn === 3 && rankOf(file) < longFiles.length ? -1 : turn
}

/**
 * With `TEST_ORDER=7` the files of each project follow each other in another order, always the same one for a
 * number: it shows a file that needs, or suffers from, what another has left.
 */
const shuffled = (files: readonly TestSpecification[], seed: string): TestSpecification[] => {
  const keyOf = (file: TestSpecification): string =>
    createHash('sha256')
      .update(`${seed} ${relative(root, file.moduleId)}`)
      .digest('hex')
  return files.toSorted((a, b) => turnOf(a) - turnOf(b) || (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** The rest as Vitest orders it: by the times of the last run, and in a fresh clone by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seed = process.env.TEST_ORDER
    if (seed) return shuffled(files, seed)
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's own order, not an array's
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => turnOf(a) - turnOf(b) || rankOf(a) - rankOf(b))
  }
}
