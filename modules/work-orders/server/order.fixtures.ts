import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type Clerk, type GoldenApp } from '#db/golden/golden-app.ts'
import { registerOrder } from '../contract/order.ts'
import { addTypeSet, orderTypes, type OrderType } from '../contract/order-type.ts'
import { setFunctionSettings } from '../contract/settings.ts'
import type { WorkOrder } from '../contract/work-order.ts'

export const projectCode = 'GOLD0001'

/** A golden company whose orders are registered, dispatched, handled and supervised by four people. */
export interface OrderFixture {
  readonly t: GoldenApp
  readonly owner: CallOptions
  readonly front: CallOptions
  readonly dispatcher: CallOptions
  readonly supervisor: CallOptions
  readonly handlers: readonly { readonly id: Id; readonly as: CallOptions; readonly name: string }[]
  readonly roomCode: string
  readonly typeOf: (code: string) => OrderType
  readonly register: (overrides?: Partial<NonNullable<typeof registerOrder.input.T>>) => Promise<WorkOrder>
  /** A type that asks for nothing but what is given. */
  readonly addType: (overrides?: Partial<OrderType>) => Promise<OrderType>
  /** Turns the clock on; no session ends by it. */
  readonly advance: (minutes: number) => Promise<void>
  readonly close: () => Promise<void>
}

const idOfClerk = async (t: GoldenApp, { loginCode }: Clerk): Promise<Id> =>
  defined(
    await t.database
      .reader(t.ownerId)
      .one<{ id: Id }>(sql`select id from manager where login_code = ${loginCode}`),
  ).id

const keys = (...flags: string[]): string[] => flags.map(flag => `work-orders.${flag}`)

/** Nothing is dispatched by itself unless a test says so. */
export async function openOrderFixture({ handlerCount = 2, works = false } = {}): Promise<OrderFixture> {
  const t = await openGoldenApp({ works })
  const owner = await t.owner
  await t.call(addTypeSet, { typeSet: 'residential' }, owner)
  await t.call(setFunctionSettings, { settings: [{ key: 'autoDispatch', enabled: false }] }, owner)
  const types = new Map(
    (await t.call(orderTypes.list, { size: 200 }, owner)).rows.map(type => [type.typeCode, type]),
  )
  const front = await t.addClerk(
    keys(
      'order.view',
      'order.follow',
      'order.add',
      'order.edit',
      'order.check',
      'evaluation.view',
      'evaluation.add',
    ),
    { privacy: true },
  )
  const dispatcher = await t.addClerk(
    keys('order.view', 'order.follow', 'order.audit', 'order.dispatch', 'order.close'),
  )
  const supervisor = await t.addClerk(
    keys(
      'order.view',
      'order.follow',
      'order.dispatch',
      'order.supervise',
      'order.check',
      'evaluation.visit',
      'charge.cost',
      'charge.waive',
      'charge.view',
      'charge.pay',
      'charge.refund',
    ),
  )
  const handlers = []
  for (let i = 0; i < handlerCount; i++) {
    const clerk = await t.addClerk(keys('order.view', 'order.follow', 'order.handle', 'charge.cost'))
    handlers.push({ id: await idOfClerk(t, clerk), as: clerk.as, name: clerk.loginCode })
  }
  const room = defined(
    await t.database.reader(t.ownerId).one<{ code: string }>(sql`
      select code from room where project_code = ${projectCode} and delete_tag = 0 order by sort_key limit 1
    `),
  )
  let typeCount = 0
  return {
    t,
    owner,
    front: front.as,
    dispatcher: dispatcher.as,
    supervisor: supervisor.as,
    handlers,
    roomCode: room.code,
    typeOf: code => defined(types.get(code)),
    register: overrides =>
      t.call(
        registerOrder,
        {
          projectCode,
          typeId: defined(types.get('TS01')).id,
          content: '楼上夜间噪音',
          level: 'normal',
          address: '1栋门口',
          ...overrides,
        },
        front.as,
      ),
    addType: overrides =>
      t.call(
        orderTypes.save,
        {
          typeName: `试验类型 ${++typeCount}`,
          category: 'repair',
          dispatchMode: 'manual',
          needAudit: false,
          is24h: true,
          workdaysOnly: false,
          serviceBegin: '08:00',
          serviceEnd: '18:00',
          photoCount: 0,
          needAccept: false,
          needVisit: false,
          evaluateDays: 7,
          isCharge: false,
          warrantyDays: 0,
          sort: 0,
          state: 'on',
          ...overrides,
        },
        owner,
      ),
    advance: async minutes => {
      t.advanceClock(minutes * 60_000)
      const time = new Date(t.app.clock())
      const end = new Date(t.app.clock() + 36_000_000)
      await t.database.tx('*', tx =>
        tx.execute(sql`update session_token set last_time = ${time}, expire_time = ${end}`),
      )
    },
    close: () => t.close(),
  }
}
