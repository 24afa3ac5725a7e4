import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { registerHandlers } from '#kit/server/handler.ts'

/** Method and path of every specified call of the built modules; where its base is open, one row for each. */
const rows = readFileSync(join(import.meta.dirname, 'every-call/specified-calls.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map(line => line.replace('\t', ' '))

it('every specified call answers under its method, with and without a base that is left open', async () => {
  const handlers = registerHandlers(await loadInstalledModules())
  const isAnswered = (row: string): boolean => {
    const [method, path = ''] = row.split(' ')
    return handlers.has(`${method} ${path.toLowerCase()}`)
  }
  expect(rows.length).toBeGreaterThan(500)
  expect(rows.filter(row => !isAnswered(row))).toEqual([])
})
