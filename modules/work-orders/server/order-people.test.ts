import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { saveDataDomain } from '#modules/accounts/contract/data-domain.ts'
import { addManager, deleteManagers, resignManager } from '#modules/accounts/contract/manager.ts'
import { acceptOrder, dispatchOrder, setObservers } from '../contract/order-actions.ts'
import { getOrder } from '../contract/order.ts'
import { countOrders, listDispatchOrders, listOrders } from '../contract/order-list.ts'
import {
  personConfigs,
  saveOrderRole,
  savePersonConfig,
  type PersonConfig,
} from '../contract/person-config.ts'
import { findReceivers, listReceivers } from '../contract/receivers.ts'
import { orderNotifies } from '../contract/settings.ts'
import { openOrderFixture, projectCode, type OrderFixture } from './order.fixtures.ts'

let w: OrderFixture
/** Handles orders, in building B1 alone. */
let limited: { readonly id: Id; readonly as: CallOptions; readonly name: string }
/** May read orders and no more. */
let auditor: Id
let roomOfB2: string

const idOf = async (loginCode: string): Promise<Id> =>
  defined(
    await w.t.database
      .reader(w.t.ownerId)
      .one<{ id: Id }>(sql`select id from manager where login_code = ${loginCode}`),
  ).id

const limitTo = (managerId: Id, buildCodes: string[]) =>
  w.t.call(saveDataDomain, { managerId, allProject: false, places: [{ projectCode, buildCodes }] }, w.owner)

beforeAll(async () => {
  w = await openOrderFixture({ handlerCount: 3 })
  const clerk = await w.t.addClerk(
    ['order.view', 'order.handle', 'person.view', 'person.edit', 'person.del'].map(
      key => `work-orders.${key}`,
    ),
  )
  limited = { id: await idOf(clerk.loginCode), as: clerk.as, name: clerk.loginCode }
  await limitTo(limited.id, ['B1'])
  auditor = await idOf((await w.t.addClerk(['work-orders.order.view'])).loginCode)
  roomOfB2 = defined(
    await w.t.database.reader(w.t.ownerId).one<{ code: string }>(sql`
      select code from room where project_code = ${projectCode} and build_code = 'B2' and delete_tag = 0 limit 1
    `),
  ).code
}, 120_000)

afterAll(() => w?.close())

const handler = (index: number) => defined(w.handlers[index])

const dispatched = async (to: Id, overrides = {}) => {
  const order = await w.register(overrides)
  return w.t.call(dispatchOrder, { id: order.id, handlerId: to }, w.dispatcher)
}

/** As the board of the dispatcher shows it. */
const inHandOf = async (managerId: Id): Promise<number> => {
  const people = await w.t.call(listReceivers, { projectCode }, w.dispatcher)
  return defined(people.find(person => person.managerId === managerId)).openCount
}

const resign = (id: Id, handTo?: Id) =>
  w.t.call(resignManager, { id, ...(handTo ? { handTo } : {}), reason: '个人原因' }, w.owner)

it('PERM-8: a leaver hands orders over to who could be given each of them; the refusal says how many and why', async () => {
  const departing = handler(0)
  const inB1 = await dispatched(departing.id, { roomCode: w.roomCode })
  await dispatched(departing.id, { roomCode: roomOfB2, address: undefined })
  expect(await refusalTextOf(resign(departing.id, auditor))).toContain('没有「工单·接单处理」权限 2 项')
  expect(await refusalTextOf(resign(departing.id, limited.id))).toBe(
    `不能交接给「${limited.name}」，其中 1 项工单无法办理：数据范围不含该位置 1 项。请另选交接人，或先将这些工单改派他人`,
  )
  expect(await w.t.call(getOrder, { id: inB1.id }, w.owner)).toMatchObject({ handlerId: departing.id })

  const copied = await w.register()
  const people = [String(departing.id), String(auditor)]
  await w.t.call(setObservers, { id: copied.id, observerIds: people, assistIds: people }, w.supervisor)
  const type = await w.addType()
  const both = [String(departing.id), String(limited.id)]
  const config = { projectCode, typeId: type.id, managerIds: both, onlyOnDuty: false } as const
  const saved = await w.t.call(savePersonConfig, config, w.owner)
  const role = await w.t.call(
    saveOrderRole,
    { roleName: '离任角色', managerIds: both, visibility: 'domain' },
    w.owner,
  )
  await w.t.call(orderNotifies.add, { managerId: departing.id, events: ['registered'], isOn: true }, w.owner)

  await resign(departing.id, handler(1).id)
  await w.t.call(acceptOrder, { id: inB1.id }, handler(1).as)
  expect(await w.t.call(getOrder, { id: copied.id }, w.owner)).toMatchObject({
    observerIds: [String(auditor)],
    assistIds: [String(auditor)],
  })
  const configs = await w.t.call(personConfigs.list, { typeId: [String(type.id)], size: 10 }, w.owner)
  expect(configs.rows.map(row => [row.id, row.managerIds])).toEqual([[saved.id, [String(limited.id)]]])
  const roles = await w.t.database.reader(w.t.ownerId).rows<{ managerIds: string[] }>(sql`
    select manager_ids from work_order_role where id = ${role.id}
  `)
  expect(roles).toEqual([{ managerIds: [String(limited.id)] }])
  const notifies = await w.t.call(
    orderNotifies.list,
    { managerId: [String(departing.id)], size: 10 },
    w.owner,
  )
  expect(notifies.total).toBe(0)
})

it('PERM-8: all of a leaver goes over in one action, and the answer says whose limit that exceeds (WO-13)', async () => {
  const type = await w.addType()
  for (let i = 0; i < 2; i++) {
    await dispatched(handler(2).id, { typeId: type.id })
  }
  await w.t.call(
    savePersonConfig,
    { projectCode, typeId: type.id, managerIds: [String(limited.id)], onlyOnDuty: false, maxOpen: 1 },
    w.owner,
  )
  await limitTo(limited.id, ['B1', 'B2', 'B3'])
  await w.t.call(saveDataDomain, { managerId: limited.id, allProject: true }, w.owner)
  const before = await inHandOf(limited.id)
  const handed = await resign(handler(2).id, limited.id)
  expect(handed).toMatchObject([
    { what: '工单', count: 2, remark: `${limited.name}在办 ${before + 2} 单，超过上限 1 单，请及时改派` },
  ])
  await limitTo(limited.id, ['B1'])
})

it('WO-11: what is in no building is not given to somebody who has single buildings: they do not see it', async () => {
  await limitTo(limited.id, ['B1'])
  const { id } = await w.register()
  expect(await refusalTextOf(w.t.call(dispatchOrder, { id, handlerId: limited.id }, w.dispatcher))).toContain(
    '数据范围不含该位置',
  )
  const people = await w.t.call(findReceivers, { projectCode, typeId: w.typeOf('TS01').id }, w.dispatcher)
  expect(people.map(person => person.managerId)).not.toContain(limited.id)
})

it('WO-11, WO-13: orders of a handler whose data domain was narrowed wait for another, and fill no quota', async () => {
  await w.t.call(saveDataDomain, { managerId: limited.id, allProject: true }, w.owner)
  const before = await inHandOf(limited.id)
  const kept = await dispatched(limited.id, { roomCode: w.roomCode, address: undefined })
  const lost = await dispatched(limited.id, { roomCode: roomOfB2, address: undefined })
  await w.t.call(acceptOrder, { id: lost.id }, limited.as)
  const listed = async () =>
    (await w.t.call(listOrders, { view: 'lostHandler', size: 200 }, w.dispatcher)).rows.map(row => row.id)
  expect(await listed()).toEqual([])
  await limitTo(limited.id, ['B1'])
  expect(await listed()).toContain(lost.id)
  expect(await listed()).not.toContain(kept.id)
  const board = await w.t.call(listDispatchOrders, { view: 'lostHandler', size: 200 }, w.dispatcher)
  expect(board.rows.find(row => row.id === lost.id)).toMatchObject({ state: 'processing' })
  const { views } = await w.t.call(countOrders, { projectCode }, w.dispatcher)
  expect(views.find(({ view }) => view === 'lostHandler')?.count).toBe(board.total)
  expect(await inHandOf(limited.id)).toBeLessThanOrEqual(before + 1)
  const other = await w.t.call(dispatchOrder, { id: lost.id, handlerId: handler(1).id }, w.dispatcher)
  expect(other).toMatchObject({ state: 'dispatched', handlerId: handler(1).id })
  expect(await listed()).not.toContain(lost.id)
})

it('an account that is deleted leaves the configurations, too', async () => {
  const temporary = await w.t.call(
    addManager,
    {
      loginCode: 'gone01',
      realName: '临时工',
      managerType: 'ordinary',
      showPrivacy: false,
      password: 'Gone2026',
    },
    w.owner,
  )
  await w.t.call(saveDataDomain, { managerId: temporary.id, allProject: true }, w.owner)
  const config = {
    projectCode,
    managerIds: [String(temporary.id)],
    onlyOnDuty: false,
    remark: '临时',
  } as const
  await w.t.call(savePersonConfig, config, w.owner)
  await w.t.call(deleteManagers, { ids: [String(temporary.id)], reason: '不用了' }, w.owner)
  const { rows } = await w.t.call(personConfigs.list, { keyword: '临时', size: 10 }, w.owner)
  expect(rows.map(row => row.managerIds ?? [])).toEqual([[]])
})

it('G-13: receivers are named for places of the data domain alone', async () => {
  const { id: typeId } = w.typeOf('TS01')
  const find = (buildCode: string) => w.t.call(findReceivers, { projectCode, typeId, buildCode }, limited.as)
  await find('B1')
  expect((await refusalOf(find('B2'))).code).toBe(resultCode.forbidden)
})

it('G-13: a manager of one building writes no configuration of others, nor of the whole project', async () => {
  const draft = { projectCode, managerIds: [String(limited.id)], onlyOnDuty: false } as const
  const save = (values: Partial<PersonConfig>, as: CallOptions) =>
    w.t.call(savePersonConfig, { ...draft, ...values }, as)
  const codeOf = async (call: Promise<unknown>) => (await refusalOf(call)).code
  const own = await save({ buildCodes: ['B1'] }, limited.as)
  const whole = await save({}, w.owner)
  const other = await save({ buildCodes: ['B1', 'B2'] }, w.owner)
  const hidden = await save({ buildCodes: ['B2'] }, w.owner)
  expect(await codeOf(save({ buildCodes: ['B2'] }, limited.as))).toBe(resultCode.notFound)
  expect(await codeOf(save({}, limited.as))).toBe(resultCode.forbidden)
  const edit = (row: PersonConfig, values = {}) => save({ ...row, ...values }, limited.as)
  for (const row of [whole, other, hidden]) {
    expect(await codeOf(edit(row, { buildCodes: ['B1'] }))).toBe(resultCode.forbidden)
    expect(
      await codeOf(w.t.call(personConfigs.delete, { ids: [String(row.id)], reason: '不用了' }, limited.as)),
    ).toBe(resultCode.forbidden)
  }
  expect(await codeOf(edit(own, { buildCodes: [] }))).toBe(resultCode.forbidden)
  const seen = await w.t.call(personConfigs.list, { projectCode, size: 50 }, limited.as)
  expect(seen.rows.map(row => row.id)).toEqual(expect.arrayContaining([own.id, whole.id, other.id]))
  expect(seen.rows.map(row => row.id)).not.toContain(hidden.id)
  expect((await save({ ...other, buildCodes: undefined }, w.owner)).buildCodes).toBeUndefined()
  await edit(own, { remark: '一栋' })
  await w.t.call(personConfigs.delete, { ids: [String(own.id)], reason: '不用了' }, limited.as)
  expect(await refusalTextOf(save({ projectCode: 'GOLD0002', buildCodes: ['NOSUCH'] }, w.owner))).toBe(
    '楼栋不存在或不属于所选项目，请重新选择',
  )
  await w.t.call(
    personConfigs.delete,
    { ids: [whole, other, hidden].map(row => String(row.id)), reason: '试完' },
    w.owner,
  )
})

it('a role names types that are there', async () => {
  const role = { roleName: '无此类型', managerIds: [String(limited.id)], visibility: 'domain' } as const
  expect(await refusalTextOf(w.t.call(saveOrderRole, { ...role, typeIds: ['99999999'] }, w.owner))).toBe(
    '负责的类型不存在或已被删除，请重新选择',
  )
})

it('a reporter and a related order are records of the company, as room, area and device are', async () => {
  const foreign = async (table: string): Promise<Id> =>
    defined(
      await w.t.database.reader('*').one<{ id: Id }>(sql`
        select id from ${sql.table(table)} t
        where t.owner_id <> ${w.t.ownerId}
          and not exists (select from ${sql.table(table)} o where o.owner_id = ${w.t.ownerId} and o.id = t.id)
        order by id desc
        limit 1
      `),
    ).id
  for (const reporterId of [parseId('99999999'), await foreign('resident')]) {
    const refusal = await refusalOf(w.register({ reporterId }))
    expect([refusal.code, refusal.message]).toEqual([
      resultCode.notFound,
      '报事人不存在或已被删除，请重新选择',
    ])
  }
  expect(await faultTextsOf(w.register({ relatedOrderId: parseId('99999999') }))).toEqual({
    RelatedOrderID: '关联工单不存在或已被删除，请重新选择',
  })
  const first = await w.register()
  expect((await w.register({ relatedOrderId: first.id })).relatedOrderId).toBe(first.id)
})

it('WO-11: who is copied or helps can read the order; others are refused by name and reason', async () => {
  const inB2 = await w.register({ roomCode: roomOfB2, address: undefined })
  const ids = [String(limited.id)]
  const why = `不能设为抄送人：${limited.name}（数据范围不含该位置），请重新选择`
  const observe = (id: Id, people: object) => w.t.call(setObservers, { id, ...people }, w.supervisor)
  expect(await faultTextsOf(observe(inB2.id, { observerIds: ids, assistIds: ids }))).toEqual({
    ObserverIDs: why,
    AssistIDs: why.replace('抄送人', '协助人'),
  })
  const blind = await idOf((await w.t.addClerk(['meters.meter.view'])).loginCode)
  expect(await faultTextsOf(observe(inB2.id, { observerIds: [String(blind)] }))).toEqual({
    ObserverIDs: expect.stringContaining('没有「工单·查看」权限'),
  })
  expect(
    await faultTextsOf(
      w.t.call(dispatchOrder, { id: inB2.id, handlerId: handler(1).id, observerIds: ids }, w.dispatcher),
    ),
  ).toEqual({ ObserverIDs: why })
  expect(
    await faultTextsOf(w.register({ roomCode: roomOfB2, address: undefined, observerIds: ids })),
  ).toEqual({ ObserverIDs: why })
  const inB1 = await w.register({ roomCode: w.roomCode, observerIds: ids })
  expect(await w.t.call(getOrder, { id: inB1.id }, limited.as)).toMatchObject({ id: inB1.id })
})
