import { expect, it } from 'vitest'
import type { Permission } from '#kit/contract/call.ts'
import { menus, nameplate } from '#kit/contract/module.ts'
import { passwordFault } from '../contract/words.ts'
import { counting, failed, lockedWords, needsCaptcha, wrongWords, type Attempts } from './attempts.ts'
import { cannotGrant, cannotTouch, covers, named, type Reach } from './granting.ts'
import { allRights, completed, effective, menuTree } from './rights.ts'

const plate = nameplate({
  name: 'm',
  label: '模块',
  menus: menus('m', { a: { label: '甲', buttons: { export: '导出', audit: '审核' } }, b: { label: '乙' } }),
  screens: [],
})

const known = allRights([plate])

it('knows every right of every menu, with the four flags before the buttons', () =>
  expect([...known.keys()]).toEqual([
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

it('whatever may be done may be seen, and rights of a module taken out fall away (PERM-2)', () =>
  expect(completed(['m.a.audit', 'gone.x.view'], known)).toEqual(['m.a.audit', 'm.a.view']))

it('is the union of the roles; the owner has all; an auditor looks and exports (PERM-1)', () => {
  const role = (...permissions: string[]) => ({ everything: false, permissions })
  expect([...effective('ordinary', [role('m.a.edit'), role('m.b.del')], known)]).toEqual([
    'm.a.edit',
    'm.a.view',
    'm.b.del',
    'm.b.view',
  ])
  expect([...effective('auditor', [role('m.a.edit', 'm.a.export')], known)]).toEqual([
    'm.a.export',
    'm.a.view',
  ])
  expect(effective('owner', [], known).size).toBe(known.size)
  expect(effective('deputy', [{ everything: true, permissions: [] }], known).size).toBe(known.size)
  expect(effective('deputy', [], known).size).toBe(0)
})

it('shows the menus of which something is allowed, and all of them to tick', () => {
  const only = (k: string): boolean => k === 'm.a.view' || k === 'm.a.audit'
  expect(menuTree([plate], only)).toEqual([
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
  expect(menuTree([plate], () => false)).toEqual([])
  expect(menuTree([plate], () => false, 'all')[0]!.children).toHaveLength(2)
})

const some = (o: Record<string, string[] | null>): Reach => ({
  all: false,
  projects: new Map(Object.entries(o).map(([p, b]) => [p, b && new Set(b)])),
})

it.each<[Reach, Reach, boolean]>([
  [{ all: true, projects: new Map() }, some({ A: null }), true],
  [some({ A: null }), { all: true, projects: new Map() }, false],
  [some({ A: null, B: ['1', '2'] }), some({ A: ['9'], B: ['1'] }), true],
  [some({ A: ['1'] }), some({ A: null }), false],
  [some({ A: ['1'] }), some({ A: ['1', '2'] }), false],
  [some({ A: null }), some({}), true],
])('one reach holds another whole (%#)', (a, b, is) => expect(covers(a, b)).toBe(is))

it('who may be touched and what may be given (PERM-4)', () => {
  const label = (k: string): string => (known.get(k) as Permission).label
  const who = (id: number, keys: string[], more: object = {}) => ({
    operatorId: id,
    owner: false,
    permissions: new Set(keys),
    domain: some({ A: null }),
    privacy: false,
    type: 'ordinary' as const,
    ...more,
  })
  const me = who(1, ['m.a.view', 'm.a.edit'], { granter: '超级管理员 甲' })
  expect(cannotTouch(me, who(2, ['m.a.view']), label)).toBeUndefined()
  expect(cannotTouch(me, who(1, []), label)).toContain('个人中心')
  expect(cannotTouch(me, who(2, ['m.b.del']), label)).toBe(
    '该账号拥有你没有的权限「乙·删除」，请由超级管理员 甲操作',
  )
  expect(cannotTouch(me, who(2, [], { domain: some({ B: null }) }), label)).toContain('数据范围超出')
  expect(cannotTouch(me, who(2, [], { type: 'deputy' }), label)).toContain('子管理员只能由')
  expect(cannotTouch({ ...me, owner: true }, who(2, [], { owner: true }), label)).toContain(
    '超级管理员不能被修改',
  )
  expect(cannotGrant(me, ['m.a.edit'], label)).toBeUndefined()
  expect(cannotGrant(me, ['m.b.add', 'm.b.del'], label)).toContain('「乙·新增」「乙·删除」')
  expect(named(['m.a.view', 'm.a.add', 'm.a.edit', 'm.a.del'], label)).toBe(
    '「甲·查看」「甲·新增」「甲·编辑」等 4 项',
  )
})

it('five wrong ones ask for a picture, ten lock for a quarter of an hour, a day forgets (PERM-9)', () => {
  let a: Attempts | undefined
  const words: string[] = []
  for (let i = 0; i < 10; i++) {
    a = failed(a, '2026-11-21 09:00:00')
    words.push(wrongWords(a))
  }
  expect(words[0]).toBe('账号或密码不正确，还可再试 4 次；之后需要填写图形验证码')
  expect(words[4]).toContain('还可再试 5 次，之后锁定 15 分钟')
  expect(words[9]).toBe(lockedWords('2026-11-21 09:15:00'))
  expect(needsCaptcha(a, '2026-11-21 09:15:00')).toBe(true)
  expect(counting(a, '2026-11-21 09:15:00')).toBe(5)
  expect(counting(a, '2026-11-22 08:59:59')).toBe(5)
  expect(counting(a, '2026-11-22 09:00:00')).toBe(0)
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
  fault ? expect(passwordFault(p)).toContain(fault) : expect(passwordFault(p)).toBeUndefined(),
)
