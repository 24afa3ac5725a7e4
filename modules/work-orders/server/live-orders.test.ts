import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { resignManager } from '#modules/accounts/contract/manager.ts'
import { acceptOrder, dispatchOrder } from '../contract/order-actions.ts'
import {
  orderRoles,
  personConfigs,
  saveOrderRole,
  savePersonConfig,
  setMyDuty,
} from '../contract/person-config.ts'
import { setRunningApp } from './live-orders.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture

beforeAll(async () => {
  w = await openOrderFixture()
  setRunningApp(w.t.app)
})

afterAll(() => w?.close())
afterEach(() => vi.restoreAllMocks())

const handler = (i = 0) => defined(w.handlers[i])

/** Topics that open screens hear of while something is done. */
async function topicsOf(action: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = []
  const note = (to: unknown): void => {
    if (typeof to === 'object' && to !== null && 'topic' in to) {
      heard.push(String(to.topic))
    }
  }
  vi.spyOn(w.t.app.live, 'publish').mockImplementation((_, to) => note(to))
  vi.spyOn(w.t.app.live, 'publishOnCommit').mockImplementation((tx, _, to) => tx.onCommit(() => note(to)))
  await action()
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0))
  return [...new Set(heard)]
}

it('WO-13: boards hear at once when an engineer stops taking orders, and takes them again', async () => {
  for (const isPaused of [true, false]) {
    expect(await topicsOf(() => w.t.call(setMyDuty, { isPaused }, handler().as))).toEqual(['workOrders'])
  }
})

it('WO-11, WO-13: boards and lists hear when it changes who is given orders, or sees them', async () => {
  const managerIds = [String(handler().id)]
  const config = { projectCode, managerIds, onlyOnDuty: true }
  const save = () => w.t.call(savePersonConfig, config, w.owner)
  expect(await topicsOf(save)).toEqual(['workOrders'])
  const { rows } = await w.t.call(personConfigs.list, { projectCode }, w.owner)
  const remove = () =>
    w.t.call(personConfigs.delete, { ids: rows.map(row => String(row.id)), reason: '不再负责' }, w.owner)
  expect(await topicsOf(remove)).toEqual(['workOrders'])
  const role = { roleName: '水工', managerIds, visibility: 'own' as const }
  expect(await topicsOf(() => w.t.call(saveOrderRole, role, w.owner))).toEqual(['workOrders'])
  const [saved] = (await w.t.call(orderRoles.list, {}, w.owner)).rows
  const drop = () =>
    w.t.call(orderRoles.delete, { ids: [String(defined(saved).id)], reason: '不再负责' }, w.owner)
  expect(await topicsOf(drop)).toEqual(['workOrders'])
  expect(await topicsOf(() => w.addType())).toEqual(['workOrders'])
})

it('PERM-8: boards hear when orders are handed over and when an account can do no more', async () => {
  const { id } = await w.register()
  await w.t.call(dispatchOrder, { id, handlerId: handler(1).id }, w.dispatcher)
  await w.t.call(acceptOrder, { id }, handler(1).as)
  const resign = { id: handler(1).id, handTo: handler().id, reason: '离职' }
  const heard = await topicsOf(() => w.t.call(resignManager, resign, w.owner))
  expect(heard.toSorted()).toEqual(['accounts', 'workOrders'])
})
