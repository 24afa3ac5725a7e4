import { expect, it } from 'vitest'
import { methodOf } from '#kit/contract/call.ts'
import { allRights } from '#modules/accounts/domain/rights.ts'
import { installed } from '#apps/server/modules.ts'
import { demoRoles, grantsOf, mayOf } from '../db/golden/roles.ts'
import { writtenMatrix } from './role-matrix.ts'
import { textOf } from './tree.ts'

const all = await installed()
const plates = all.map(m => m.plate)
const known = allRights(plates)

const of = (key: string): Set<string> =>
  mayOf(
    demoRoles.find(r => r.key === key)!,
    plates,
  )

it('the matrix in the docs is what the roles may do', () =>
  expect(textOf('docs/role-matrix.md') === writtenMatrix(all), 'run: npm run map').toBe(true))

it('every grant names a module that is installed, and a menu of it', () => {
  const names = new Set([...known.values()].flatMap(p => [p.menu, `${p.module}.*`]))
  const modules = new Set(plates.map(p => `${p.name}.*`))
  expect(
    demoRoles.flatMap(r => Object.keys(r.grants)).filter(k => k !== '*' && !names.has(k) && !modules.has(k)),
  ).toEqual([])
})

it('every role may do something, and none but the owner everything', () => {
  for (const r of demoRoles) {
    expect(grantsOf(r, plates).length, r.name).toBeGreaterThan(4)
    expect(mayOf(r, plates).size, r.name).toBeLessThan(known.size)
  }
})

it('nobody of the estates gives rights, and the auditor changes nothing', () => {
  for (const r of demoRoles.filter(x => x.key !== 'auditor')) {
    expect(
      [...mayOf(r, plates)].filter(k => /^accounts\.(manager|role|company)\./.test(k)),
      r.name,
    ).toEqual([])
  }
  const writes = all
    .flatMap(m => m.contract.calls)
    .filter(
      c => methodOf(c) !== 'GET' && !c.reads && typeof c.needs === 'object' && of('auditor').has(c.needs.key),
    )
  // Sheets are made as tasks: asking for one is a POST.
  expect(writes.filter(c => !/export/i.test((c.needs as { key: string }).key)).map(c => c.at)).toEqual([])
})
