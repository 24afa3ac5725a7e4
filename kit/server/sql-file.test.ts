import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from './db.ts'
import { sqlFile } from './sql-file.ts'
import { compileStatement } from './statement.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sql-file-'))
  writeFileSync(
    join(folder, 'find.sql'),
    `-- Finds rows of :nothing; needs the index on code.
select a.id::text, ':text' as label -- :neither
from a
where a.owner_id = :ownerId
  and a.code = any(:codes::text[])
  and :live
  and a.created_by <> :ownerId
`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

it('puts values and fragments where their names stand, and leaves comments, texts and casts alone', () => {
  const find = sqlFile(folder, 'find.sql', ['ownerId', 'codes', 'live'])
  const { sql: text, parameters } = compileStatement(
    find({ ownerId: 7, codes: ['x'], live: sql`a.n = ${3}` }),
  )
  expect(text.replace(/\s+/g, ' ')).toBe(
    `select a.id::text, ':text' as label from a where a.owner_id = $1 and a.code = any($2::text[]) and a.n = $3 and a.created_by <> $4`,
  )
  expect(parameters).toEqual([7, ['x'], 3, 7])
})

it('refuses a file whose names differ from those of its caller', () => {
  expect(() => sqlFile(folder, 'find.sql', ['ownerId', 'codes'])).toThrow(
    'find.sql takes codes, live, ownerId',
  )
  expect(() => sqlFile(folder, 'find.sql', ['ownerId', 'codes', 'live', 'month'])).toThrow('month')
})
