import { expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { modules } from '#modules/index.ts'
import { grantsOf, offeredJobRoles } from './job-role-grants.ts'
import type { JobRole } from './job-role.ts'
import { jobRoles, type JobRoleKey } from './job-roles.ts'
import { collectPermissions } from './permission.ts'

const known = collectPermissions(modules)
const roles: readonly JobRole[] = jobRoles
const grantsOfKey = (key: JobRoleKey): readonly string[] =>
  grantsOf(defined(roles.find(role => role.key === key)), modules)

it('every job names menus, modules and flags that are installed', () => {
  const flagsOf = (place: string): Set<string> =>
    new Set(
      [...known.values()]
        .filter(({ menu, module }) => place === '*' || place === menu || place === `${module}.*`)
        .map(({ flag }) => flag),
    )
  const unknown = roles.flatMap(({ name, grants }) =>
    Object.entries(grants).flatMap(([place, flags]) =>
      flags
        .split(' ')
        .filter(flag => (flag === '*' ? flagsOf(place).size === 0 : !flagsOf(place).has(flag)))
        .map(flag => `${name} ${place} ${flag}`),
    ),
  )
  expect(unknown).toEqual([])
})

it('a cashier has the counter, bills, receipts, refunds, prestore, deposits and hand-over', () => {
  expect(grantsOfKey('cashier')).toEqual(
    expect.arrayContaining([
      'payments.cashier.pay',
      'bills.bill.view',
      'payments.record.print',
      'payments.refund.apply',
      'payments.handover.view',
      'prestore.account.topUp',
      'deposits.deposit.receive',
      'meters.reading.view',
    ]),
  )
})

it('a cashier changes no fees and grants no rights', () => {
  const changing = grantsOfKey('cashier').filter(key => /^(fees|accounts)\./.test(key))
  expect(changing.filter(key => !/\.(view|export)$/.test(key))).toEqual([])
})

it('refunds are approved and days closed by others than the cashier', () => {
  for (const key of ['payments.refund.audit', 'payments.close.close', 'payments.handover.confirm']) {
    expect(grantsOfKey('finance')).toContain(key)
    expect(grantsOfKey('cashier')).not.toContain(key)
  }
})

it('the booth releases cars and lowers prices with a reason; the counter does not (PRK-10)', () => {
  const rights = ['parking-booth.shift.duty', 'parking-lanes.stay.release', 'parking-lanes.charge.reprice']
  expect(grantsOfKey('security')).toEqual(expect.arrayContaining(rights))
  expect(grantsOfKey('cashier')).not.toContain('parking-lanes.charge.reprice')
})

it('a job without its module is not offered', () => {
  const names = (without: string): string[] =>
    offeredJobRoles(modules.filter(({ name }) => name !== without)).map(({ key }) => key)
  expect(names('')).toContain('security')
  expect(names('parking')).not.toContain('security')
})

it('a project manager plans the tasks of standards, the people on site do them', () => {
  const rights = ['planned-work.standard.edit', 'planned-work.plan.add', 'planned-work.plan.arrange']
  expect(grantsOfKey('manager')).toEqual(expect.arrayContaining(rights))
  for (const key of ['security', 'environment'] as const) {
    const granted = grantsOfKey(key).filter(right => right.startsWith('planned-work.'))
    expect(granted.toSorted()).toEqual([
      'planned-work.overview.view',
      'planned-work.plan.execute',
      'planned-work.plan.view',
    ])
  }
})

it('those whom passengers call see who is trapped, and the auditor sees who may go where', () => {
  for (const key of ['service', 'security', 'engineer'] as const) {
    expect(grantsOfKey(key)).toContain('elevators.alarm.view')
  }
  expect(grantsOfKey('auditor')).toEqual(
    expect.arrayContaining(['elevators.right.reach', 'access.doorway.reach']),
  )
})

it('who moves people in and issues their cards passes their links as well', () => {
  expect(grantsOfKey('service')).toEqual(
    expect.arrayContaining(['access.passCode.view', 'access.passCode.link']),
  )
})
