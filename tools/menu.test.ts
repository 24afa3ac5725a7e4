import { everyone } from '#kit/contract/call.ts'
import { keysOfRecord } from '#kit/domain/records.ts'
import { expect, it } from 'vitest'
import { menuSections } from '#kit/contract/module.ts'
import { buildScreenMap } from '#kit/web/shell/screen-map.ts'
import { modules } from '#modules/index.ts'
import { dailyScreens } from '#apps/web/daily-screens.ts'
import { menuGroups } from '#apps/web/menu-groups.ts'
import { demoRoles, permissionsOf } from '#db/golden/roles.ts'
import { defined } from '#kit/domain/defined.ts'
import { chooseQuickLinks } from '#kit/web/shell/choose-quick-links.ts'
import { workQueues as bills } from '#modules/bills/server/work-queues.ts'
import { workQueues as companies } from '#modules/companies/server/work-queues.ts'
import { workQueues as invoices } from '#modules/invoices/server/work-queues.ts'
import { workQueues as meters } from '#modules/meters/server/work-queues.ts'
import { workQueues as payments } from '#modules/payments/server/work-queues.ts'
import { workQueues as prestore } from '#modules/prestore/server/work-queues.ts'
import { workQueues as products } from '#modules/products/server/work-queues.ts'
import { workQueues as reconcile } from '#modules/reconcile/server/work-queues.ts'
import { workQueues as residents } from '#modules/residents/server/work-queues.ts'
import { workQueues as system } from '#modules/system/server/work-queues.ts'
import { collectPermissions } from '#modules/accounts/domain/permission.ts'

/** The most screens a group may hold. */
const maxScreens = 7
const screens = buildScreenMap(modules, menuGroups)
const everything = () => true

it('no group of the panel holds more than seven screens', () => {
  const crowded = keysOfRecord(menuSections).flatMap(d =>
    screens
      .groups(d, everything)
      .filter(g => g.screens.length > maxScreens)
      .map(g => `${menuSections[d]} › ${g.title}: ${g.screens.map(s => s.title).join('、')}`),
  )
  expect(crowded).toEqual([])
})

it('no two screens of one group share a name', () => {
  const twice = keysOfRecord(menuSections).flatMap(d =>
    screens
      .groups(d, everything)
      .flatMap(g =>
        g.screens
          .filter((s, i) => g.screens.findIndex(x => x.title === s.title) !== i)
          .map(s => `${d} › ${g.title} › ${s.title}`),
      ),
  )
  expect(twice).toEqual([])
})

it('收费 is ordered by the day, settings last, and every named group is there', () => {
  const groups = screens.groups('fee', everything).map(g => g.title)
  expect(groups).toEqual(menuGroups)
  expect(screens.groups('fee', everything)[0]?.screens[0]?.title).toBe('收银台')
})

it('收费 begins with what a day begins with', () => {
  const titles = screens.groups('fee', everything).flatMap(g => g.screens.map(screen => screen.title))
  const day = [
    '收银台',
    '收费列表',
    '收款记录',
    '退款',
    '预存账户',
    '押金管理',
    '待开票',
    '抄表',
    '财务首页',
    '收费设置',
  ]
  expect(day.map(title => titles.indexOf(title)).toSorted((a, b) => a - b)).toEqual(
    day.map(title => titles.indexOf(title)),
  )
  expect(titles).toEqual(expect.arrayContaining(day))
})

const shortcutsOf = (roleKey: string, counts: Readonly<Record<string, number>> = {}): string[] => {
  const role = defined(demoRoles.find(each => each.key === roleKey))
  const rights = permissionsOf(role, modules)
  return chooseQuickLinks(screens, dailyScreens, key => rights.has(key), {
    favourites: [],
    counts,
  }).map(screen => screen.title)
}

it('a role that has used nothing yet is offered its daily work, and no settings', () => {
  expect(shortcutsOf('cashier')).toEqual(['收银台', '收费列表', '收款记录', '退款', '交账'])
  expect(shortcutsOf('service')).toEqual(['工单登记', '入住与迁出', '住户管理', '意见反馈', '房态图'])
  expect(shortcutsOf('engineer')).toEqual(['抄表', '手机抄表', '我的工单', '抄表记录', '房态图'])
  expect(shortcutsOf('manager')[0]).toBe('收银台')
  expect(shortcutsOf('auditor')).toEqual(['收费列表', '收款记录', '退款', '交账', '房态图'])
})

it('shortcuts follow the use; a screen that was opened once or twice is none yet', () => {
  expect(
    shortcutsOf('cashier', {
      '/finance/chargemanage/debtors': 2,
      '/finance/chargemanage/demandmoney': 9,
    }).slice(0, 2),
  ).toEqual(['催缴管理', '收银台'])
})

it('every daily screen is in the menu, and its right is one that a role may hold', () => {
  const known = collectPermissions(modules)
  for (const { path, right } of dailyScreens) {
    expect(screens.find(path)?.group, path).toBeDefined()
    expect(known.has(right), right).toBe(true)
  }
})

it('no text asks for an action that the role can only view', () => {
  const queues = [
    bills,
    companies,
    invoices,
    meters,
    payments,
    prestore,
    products,
    reconcile,
    residents,
    system,
  ].flat()
  expect(queues.length).toBeGreaterThan(12)
  expect(
    queues.filter(({ needs }) => needs !== everyone && needs.flag === 'view').map(queue => queue.key),
  ).toEqual([])
})

it('who may only look is not offered what begins work', () => {
  const auditor = defined(demoRoles.find(each => each.key === 'auditor'))
  const rights = permissionsOf(auditor, modules)
  const isOffered = (path: string): boolean => rights.has(defined(screens.find(path)?.needs).key)
  expect(isOffered('/setting/permission/managerchange')).toBe(false)
  expect(isOffered('/setting/baseSetting/initGuide')).toBe(false)
  const cashier = defined(screens.find('/finance/chargemanage/cashier'))
  expect(rights.has(defined(cashier.workNeeds).key)).toBe(false)
})
