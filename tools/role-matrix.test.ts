import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { methodOf } from '#kit/contract/call.ts'
import { collectPermissions } from '#modules/accounts/domain/permission.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { grantsOf } from '#modules/accounts/domain/job-role-grants.ts'
import { demoRoles, permissionsOf } from '#db/golden/roles.ts'
import { renderRoleMatrix } from './role-matrix.ts'
import { readSource } from './source-files.ts'

const all = await loadInstalledModules()
const manifests = all.map(m => m.manifest)
const knownPermissions = collectPermissions(manifests)

const permissionsOfRole = (key: string): Set<string> =>
  permissionsOf(defined(demoRoles.find(r => r.key === key)), manifests)

it('docs/role-matrix.md is up to date', () =>
  expect(readSource('docs/role-matrix.md') === renderRoleMatrix(all), 'run: npm run map').toBe(true))

it('every grant names a module that is installed, and a menu of it', () => {
  const names = new Set([...knownPermissions.values()].flatMap(p => [p.menu, `${p.module}.*`]))
  const modules = new Set(manifests.map(p => `${p.name}.*`))
  expect(
    demoRoles.flatMap(r => Object.keys(r.grants)).filter(k => k !== '*' && !names.has(k) && !modules.has(k)),
  ).toEqual([])
})

it('every role may do something, and none but the owner everything', () => {
  for (const r of demoRoles) {
    expect(grantsOf(r, manifests).length, r.name).toBeGreaterThan(4)
    expect(permissionsOf(r, manifests).size, r.name).toBeLessThan(knownPermissions.size)
  }
})

it('no role of an estate grants permissions, and the auditor changes nothing', () => {
  for (const r of demoRoles.filter(x => x.key !== 'auditor')) {
    expect(
      [...permissionsOf(r, manifests)].filter(k => /^accounts\.(manager|role|company)\./.test(k)),
      r.name,
    ).toEqual([])
  }
  const auditorPermissions = permissionsOfRole('auditor')
  const writes = all
    .flatMap(m => m.contract.calls)
    .flatMap(c =>
      methodOf(c) !== 'GET' &&
      !c.readOnly &&
      typeof c.needs === 'object' &&
      auditorPermissions.has(c.needs.key)
        ? [{ route: c.route, needs: c.needs.key }]
        : [],
    )
  // Sheets are made as tasks: asking for one is a POST. Showing a whole phone is recorded in the audit.
  const changing = writes.filter(c => !/export/i.test(c.needs) && !c.route.endsWith('/PostShown'))
  expect(changing.map(c => c.route)).toEqual([])
})
