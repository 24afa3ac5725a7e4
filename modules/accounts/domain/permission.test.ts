import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { expect, it } from 'vitest'
import { menus, defineModule } from '#kit/contract/module.ts'
import { findPasswordFault } from '../contract/credential-fields.ts'
import {
  countActiveFailures,
  recordFailure,
  getLockedMessage,
  needsCaptcha,
  getWrongPasswordMessage,
  type LoginAttempts,
} from './login-attempts.ts'
import {
  whyCannotGrant,
  whyCannotManage,
  coversDomain,
  formatPermissionNames,
  type DataDomain,
} from './granting.ts'
import {
  collectPermissions,
  addViewPermissions,
  resolveEffectivePermissions,
  buildMenuTree,
} from './permission.ts'

const manifest = defineModule({
  name: 'm',
  label: '模块',
  menus: menus('m', { a: { label: '甲', buttons: { export: '导出', audit: '审核' } }, b: { label: '乙' } }),
  screens: [],
})

const knownPermissions = collectPermissions([manifest])

it('knows every right of every menu, with the four flags before the buttons', () =>
  expect([...knownPermissions.keys()]).toEqual([
    'm.a.view',
    'm.a.add',
    'm.a.edit',
    'm.a.del',
    'm.a.export',
    'm.a.audit',
    'm.b.view',
    'm.b.add',
    'm.b.edit',
    'm.b.del',
  ]))

it('every permission includes view, and permissions of a removed module are dropped (PERM-2)', () =>
  expect(addViewPermissions(['m.a.audit', 'gone.x.view'], knownPermissions)).toEqual([
    'm.a.audit',
    'm.a.view',
  ]))

it('is the union of the roles; the owner has all; an auditor looks and exports (PERM-1)', () => {
  const role = (...permissions: string[]) => ({ everything: false, permissions })
  expect([
    ...resolveEffectivePermissions('ordinary', [role('m.a.edit'), role('m.b.del')], knownPermissions),
  ]).toEqual(['m.a.edit', 'm.a.view', 'm.b.del', 'm.b.view'])
  expect([
    ...resolveEffectivePermissions('auditor', [role('m.a.edit', 'm.a.export')], knownPermissions),
  ]).toEqual(['m.a.export', 'm.a.view'])
  expect(resolveEffectivePermissions('owner', [], knownPermissions).size).toBe(knownPermissions.size)
  expect(
    resolveEffectivePermissions('deputy', [{ everything: true, permissions: [] }], knownPermissions).size,
  ).toBe(knownPermissions.size)
  expect(resolveEffectivePermissions('deputy', [], knownPermissions).size).toBe(0)
})

it('shows the menus of which something is allowed, and all of them to tick', () => {
  const only = (k: string): boolean => k === 'm.a.view' || k === 'm.a.audit'
  expect(buildMenuTree([manifest], only)).toEqual([
    {
      menuCode: 'm',
      menuName: '模块',
      allowView: true,
      allowAdd: false,
      allowEdit: false,
      allowDel: false,
      children: [
        {
          menuCode: 'm.a',
          menuName: '甲',
          parentCode: 'm',
          allowView: true,
          allowAdd: false,
          allowEdit: false,
          allowDel: false,
          buttonCodes: ['audit'],
          buttons: [
            { code: 'export', name: '导出', allow: false },
            { code: 'audit', name: '审核', allow: true },
          ],
        },
      ],
    },
  ])
  expect(buildMenuTree([manifest], () => false)).toEqual([])
  expect(defined(buildMenuTree([manifest], () => false, 'all')[0]).children).toHaveLength(2)
})

const toDataDomain = (o: Record<string, string[] | null>): DataDomain => ({
  all: false,
  projects: new Map(Object.entries(o).map(([p, b]) => [p, b && new Set(b)])),
})

it.each<[DataDomain, DataDomain, boolean]>([
  [{ all: true, projects: new Map() }, toDataDomain({ A: null }), true],
  [toDataDomain({ A: null }), { all: true, projects: new Map() }, false],
  [toDataDomain({ A: null, B: ['1', '2'] }), toDataDomain({ A: ['9'], B: ['1'] }), true],
  [toDataDomain({ A: ['1'] }), toDataDomain({ A: null }), false],
  [toDataDomain({ A: ['1'] }), toDataDomain({ A: ['1', '2'] }), false],
  [toDataDomain({ A: null }), toDataDomain({}), true],
])('one reach holds another whole (%#)', (a, b, is) => expect(coversDomain(a, b)).toBe(is))

it('who may be touched and what may be given (PERM-4)', () => {
  const label = (k: string): string => defined(knownPermissions.get(k)).label
  const accountOf = (id: Id, keys: string[], overrides: object = {}) => ({
    operatorId: id,
    isOwner: false,
    permissions: new Set(keys),
    domain: toDataDomain({ A: null }),
    canSeePersonalData: false,
    type: 'ordinary' as const,
    ...overrides,
  })
  const me = accountOf(asId(1), ['m.a.view', 'm.a.edit'], { granterLabel: '超级管理员 甲' })
  expect(whyCannotManage(me, accountOf(asId(2), ['m.a.view']), label)).toBeUndefined()
  expect(whyCannotManage(me, accountOf(asId(1), []), label)).toContain('个人中心')
  expect(whyCannotManage(me, accountOf(asId(2), ['m.b.del']), label)).toBe(
    '该账号拥有你没有的权限「乙·删除」，请由超级管理员 甲操作',
  )
  expect(whyCannotManage(me, accountOf(asId(2), [], { domain: toDataDomain({ B: null }) }), label)).toContain(
    '数据范围超出',
  )
  expect(whyCannotManage(me, accountOf(asId(2), [], { type: 'deputy' }), label)).toContain('子管理员只能由')
  expect(
    whyCannotManage({ ...me, isOwner: true }, accountOf(asId(2), [], { isOwner: true }), label),
  ).toContain('超级管理员不能被修改')
  expect(whyCannotGrant(me, ['m.a.edit'], label)).toBeUndefined()
  expect(whyCannotGrant(me, ['m.b.add', 'm.b.del'], label)).toContain('「乙·新增」「乙·删除」')
  expect(formatPermissionNames(['m.a.view', 'm.a.add', 'm.a.edit', 'm.a.del'], label)).toBe(
    '「甲·查看」「甲·新增」「甲·编辑」等 4 项',
  )
})

it('five wrong passwords require a captcha, ten lock for fifteen minutes, a day resets the count (PERM-9)', () => {
  let a: LoginAttempts | undefined
  const words: string[] = []
  for (let i = 0; i < 10; i++) {
    a = recordFailure(a, '2026-11-21 09:00:00')
    words.push(getWrongPasswordMessage(a))
  }
  expect(words[0]).toBe('账号或密码不正确，还可再试 4 次；之后需要填写图形验证码')
  expect(words[4]).toContain('还可再试 5 次，之后锁定 15 分钟')
  expect(words[9]).toBe(getLockedMessage('2026-11-21 09:15:00'))
  expect(needsCaptcha(a, '2026-11-21 09:15:00')).toBe(true)
  expect(countActiveFailures(a, '2026-11-21 09:15:00')).toBe(5)
  expect(countActiveFailures(a, '2026-11-22 08:59:59')).toBe(5)
  expect(countActiveFailures(a, '2026-11-22 09:00:00')).toBe(0)
})

it.each([
  ['abc12', '长度'],
  ['abcdef', '两类'],
  ['123456', '两类'],
  ['abcdefg123456789', '长度'],
  ['abc 123', '空格'],
  ['密码abc123', '中文'],
  ['abc123', undefined],
  ['ABCabc', undefined],
  ['12345!', undefined],
])('a chosen password %s', (p, fault) =>
  fault ? expect(findPasswordFault(p)).toContain(fault) : expect(findPasswordFault(p)).toBeUndefined(),
)
