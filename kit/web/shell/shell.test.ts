import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { menus, defineModule } from '#kit/contract/module.ts'
import { judgeProjectRequest } from './requested-project.ts'
import { buildScreenMap, tabKey } from './screen-map.ts'
import {
  tabAtOffset,
  changeTab,
  closeTabs,
  pathAfterClosing,
  homeKey,
  otherTabKeys,
  pinTab,
  tabLimit,
  tabKeysToRight,
  visitTab,
  type Tabs,
} from './tabs.ts'

const m = menus('fee', { bill: { label: '账单' }, refund: { label: '退款' } })

const manifest = defineModule({
  name: 'fee',
  label: '收费',
  menus: m,
  screens: [
    { path: '/finance', title: '收费', needs: undefined, redirectTo: '/finance/bill' },
    {
      path: '/finance/bill',
      title: '未缴账单',
      needs: m.bill.permissions.view,
      section: 'fee',
      group: '日常',
    },
    { path: '/finance/bill/edit', title: '编辑账单', needs: m.bill.permissions.edit },
    {
      path: '/finance/refund',
      title: '退款账单',
      needs: m.refund.permissions.view,
      section: 'fee',
      group: '日常',
    },
    { path: '/finance/Rate', title: '费率', needs: undefined, section: 'fee', group: '设置' },
    { path: '/finance/order/:no', title: '订单', needs: undefined },
    { path: '/finance/import', title: '导入', needs: undefined },
    { path: '/login', title: '登录', needs: undefined, standalone: true },
    {
      path: '/finance/phone',
      title: '手机收款',
      needs: m.bill.permissions.view,
      section: 'fee',
      group: '设置',
      standalone: true,
    },
  ],
})

const map = buildScreenMap([manifest])
const all = (): boolean => true
const onlyRefunds = (p: { key: string } | undefined): boolean => !p || p.key === 'fee.refund.view'

it('the panel groups permitted screens in order; sections without any are absent', () => {
  expect(map.groups('fee', all).map(g => [g.title, g.screens.map(s => s.title)])).toEqual([
    ['日常', ['未缴账单', '退款账单']],
    // Also what is outside the shell, where it is named for the menu.
    ['设置', ['费率', '手机收款']],
  ])
  expect(map.groups('fee', onlyRefunds).map(g => g.screens.length)).toEqual([1, 1])
  expect(map.domains(all)).toEqual(['work', 'fee'])
  expect(
    buildScreenMap([{ ...manifest, screens: manifest.screens.filter(s => s.needs) }]).domains(p => !p),
  ).toEqual(['work'])
})

it('addresses match in any case; a sub-screen belongs to the section of the screen above it', () => {
  expect(map.find('/FINANCE/bill/')?.title).toBe('未缴账单')
  expect([
    map.domainOf(defined(map.find('/finance/bill/edit'))),
    map.domainOf(defined(map.find('/finance/import'))),
    map.domainOf(defined(map.find('/finance'))),
  ]).toEqual(['fee', 'fee', 'fee'])
})

it('a group address opens its own screen, or the first permitted one below it', () => {
  expect(map.resolve(defined(map.find('/finance')), all)?.path).toBe('/finance/bill')
  expect(map.resolve(defined(map.find('/finance')), onlyRefunds)?.path).toBe('/finance/refund')
  expect(map.resolve(defined(map.find('/finance')), () => false)).toBeUndefined()
})

it('one tab per screen whatever its filter, one per record', () => {
  expect(tabKey(defined(map.find('/finance/bill')), '/finance/bill', '?id=3&page=2')).toBe('/finance/bill')
  expect([
    tabKey(defined(map.find('/finance/bill/edit')), '/finance/bill/Edit', '?id=3'),
    tabKey(defined(map.find('/finance/bill/edit')), '', ''),
  ]).toEqual(['/finance/bill/edit?id=3', '/finance/bill/edit'])
  expect([
    map.find('/finance/order/77')?.title,
    tabKey(defined(map.find('/finance/order/77')), '/finance/Order/77', ''),
    map.find('/finance/order'),
  ]).toEqual(['订单', '/finance/order/77', undefined])
})

const open = (...keys: string[]): Tabs =>
  keys.reduce<Tabs>((s, k) => visitTab(s, k, k, k), { tabs: [], active: '' })

const keys = (s: Tabs): string[] => s.tabs.map(t => t.key)

it('a page opens beside the one it came from; the workbench is first and stays', () => {
  const s = visitTab(open('/a', '/b', homeKey), '/b', '/b?x=1', 'b')
  expect(keys(s)).toEqual([homeKey, '/a', '/b'])
  expect(defined(s.tabs[2]).path).toBe('/b?x=1')
  expect(keys(visitTab(visitTab(s, '/a', '/a', 'a'), '/c', '/c', 'c'))).toEqual([homeKey, '/a', '/c', '/b'])
  expect(keys(closeTabs(s, [homeKey, '/b']))).toEqual([homeKey, '/a'])
})

it('closing goes back to where it was opened from, else to the last visited', () => {
  const s = open(homeKey, '/a', '/b', '/c')
  expect(closeTabs(visitTab(visitTab(s, '/a', '/a', 'a'), '/d', '/d', 'd'), ['/d']).active).toBe('/a')
  expect(closeTabs(s, ['/c', '/b']).active).toBe('/a')
  expect(closeTabs(s, ['/a']).active).toBe('/c')
})

it('an address that is no page has no tab once one goes on', () => {
  const lost = visitTab(open(homeKey, '/a'), '/nowhere', '/nowhere', '页面不存在', true)
  expect(keys(lost)).toEqual([homeKey, '/a', '/nowhere'])
  expect(keys(visitTab(lost, '/b', '/b', 'b'))).toEqual([homeKey, '/a', '/b'])
  expect(keys(visitTab(lost, '/a', '/a', 'a'))).toEqual([homeKey, '/a'])
})

it('at most twelve: the oldest clean one closes silently, unsaved and pinned ones never', () => {
  const names = Array.from({ length: tabLimit - 1 }, (_, i) => `/p${i}`)
  const full = changeTab(pinTab(open(homeKey, ...names), '/p0', true), '/p1', { dirty: true })
  const s = visitTab(full, '/new', '/new', 'new')
  expect(s.tabs).toHaveLength(tabLimit)
  expect([keys(s).includes('/p0'), keys(s).includes('/p1'), keys(s).includes('/p2')]).toEqual([
    true,
    true,
    false,
  ])
  const dirty = { ...full, tabs: full.tabs.map(t => ({ ...t, dirty: true })) }
  expect(visitTab(dirty, '/new', '/new', 'new').tabs).toHaveLength(tabLimit + 1)
})

it('关闭其他 and 关闭右侧 keep pinned pages; next and previous wrap around the row', () => {
  const s = pinTab(open(homeKey, '/a', '/b', '/c'), '/c', true)
  expect(keys(s)).toEqual([homeKey, '/c', '/a', '/b'])
  expect([otherTabKeys(s, '/a'), tabKeysToRight(s, '/a'), tabKeysToRight(s, homeKey)]).toEqual([
    ['/b'],
    ['/b'],
    ['/a', '/b'],
  ])
  expect([
    tabAtOffset(s, 1)?.key,
    tabAtOffset(s, -1)?.key,
    tabAtOffset({ ...s, active: '/b' }, 1)?.key,
  ]).toEqual(['/a', homeKey, homeKey])
})

it('an address with a project that is forbidden or missing shows a message; the chosen project stays', () => {
  const own = { code: 'A1', name: '安居苑' }
  expect(judgeProjectRequest('A1', [own], own)).toEqual({ kind: 'switch', to: own })
  expect(judgeProjectRequest('NOSUCH', [own], own)).toEqual({
    kind: 'refused',
    message: '无权访问该项目，已切换到安居苑',
  })
  expect(judgeProjectRequest(null, [own], own)).toEqual({ kind: 'none' })
  expect(judgeProjectRequest('NOSUCH', undefined, own)).toEqual({ kind: 'none' })
})

it('a page opened by its address closes to its list, another to where it came from', () => {
  const neighbour = visitTab({ tabs: [], active: '' }, '/deposits', '/deposits?page=2', '押金')
  const byAddress = visitTab({ ...neighbour, active: '' }, '/fees/edit', '/fees/edit?id=3', '编辑')
  const closed = closeTabs(byAddress, ['/fees/edit'])
  expect(pathAfterClosing(byAddress, closed, '/fees')).toBe('/fees')
  expect(pathAfterClosing(byAddress, closed)).toBe('/deposits?page=2')
  const fromNeighbour = visitTab(neighbour, '/fees/edit', '/fees/edit?id=3', '编辑')
  expect(pathAfterClosing(fromNeighbour, closeTabs(fromNeighbour, ['/fees/edit']), '/fees')).toBe(
    '/deposits?page=2',
  )
})
