import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineInterval } from '#kit/server/intervals.ts'
import { clockScope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { update } from '#kit/server/table.ts'
import { exceptionState, exceptionType, orderState, type ExceptionType } from '../contract/choices.ts'
import { hubCommandState } from '../contract/hub.ts'
import { chargerOrder } from '../contract/order.ts'
import { chargeFee } from '../domain/charge-fee.ts'
import { openException } from './exceptions.ts'
import { sendStop } from './ocpp/commands.ts'
import { connectionsOf, type HubConnection } from './ocpp/connections.ts'
import { heartbeatSeconds } from './ocpp/presence.ts'
import { planAutoStop } from './ocpp/transactions.ts'
import { endCharge, settleLeft, settleOrReport } from './settlement.ts'
import { failStart } from './starting.ts'
import { chargeOf, findSamples, lockOrder, readOrder } from './stored-order.ts'

/** A pile that is away for so long while it charges: the order is looked after by a person. */
const lostMinutes = 10

/** A payment that was begun takes so long at most; money that comes later goes back whole. */
const unpaidMinutes = 20

/** A place that is kept longer is settled without waiting for it. */
const maxIdleHours = 24

const batchSize = 1000

interface DueOrder {
  readonly ownerId: Id
  readonly id: Id
  readonly projectCode: string
  readonly hubId: Id
}

const findDue = (app: App, isDue: RawBuilder<unknown>): Promise<DueOrder[]> =>
  app.database.reader('*').rows<DueOrder>(sql`
    select owner_id, id, project_code, hub_id
    from charger_order
    where ${isDue}
    order by id
    limit ${batchSize}
  `)

/** One after the other; what fails does not keep the others waiting. */
async function forEachDue(
  app: App,
  isDue: RawBuilder<unknown>,
  work: (due: DueOrder) => Promise<unknown>,
): Promise<void> {
  for (const due of await findDue(app, isDue)) {
    try {
      await work(due)
    } catch (err) {
      app.log.warn({ err, order: due.id }, 'a charging order was not brought on')
    }
  }
}

/** C20: no answer in time: 启动失败, all of it goes back. */
export const failLateStarts = (app: App): Promise<void> =>
  forEachDue(
    app,
    sql`state = ${code(orderState, 'starting')} and run_start_until <= ${fromInstant(app.clock())}`,
    ({ ownerId, id }) => failStart(app, ownerId, id, '充电桩未在规定时间内启动'),
  )

/** Nobody paid. */
export async function closeUnpaid(app: App): Promise<void> {
  const isDue = sql`state = ${code(orderState, 'waiting')}
    and order_time < ${addMinutes(fromInstant(app.clock()), -unpaidMinutes)}`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from charger_order where ${isDue}`
  await forEachDueCompany(app.database, due, (tx, ownerId) =>
    tx.execute(sql`
      update charger_order
      set state = ${code(orderState, 'closed')}, ${touch(clockScope(app, ownerId))}
      where owner_id = ${ownerId} and ${isDue}
    `),
  )
}

/** Piles that no process has heard of for a while. */
export async function markSilentHubs(app: App): Promise<void> {
  const isSilent = sql`is_online and last_seen < ${fromInstant(app.clock() - heartbeatSeconds * 3000)}`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from charger_hub where ${isSilent}`
  await forEachDueCompany(app.database, due, (tx, ownerId) =>
    tx.execute(sql`update charger_hub set is_online = false where owner_id = ${ownerId} and ${isSilent}`),
  )
}

const markAbnormal = (
  app: App,
  { ownerId, id, projectCode }: DueOrder,
  type: ExceptionType,
  content: string,
  now: Moment,
): Promise<void> =>
  app.database.tx(ownerId, async tx => {
    const order = await lockOrder(tx, clockScope(app, ownerId), id)
    if (order.state !== 'charging') return
    await update(tx, chargerOrder, clockScope(app, ownerId), id, { state: 'abnormal' })
    await openException(tx, {
      hub: { id: order.hubId, hubNo: order.hubNo, projectCode },
      portNo: order.portNo,
      order,
      type,
      content,
      at: now,
    })
  })

/** C20: the pile of a charge is lost: 异常, until it reports or somebody settles it. */
export const reportLost = (app: App): Promise<void> => {
  const now = fromInstant(app.clock())
  const isLost = sql`state = ${code(orderState, 'charging')}
    and exists (
      select 1
      from charger_hub h
      where h.owner_id = charger_order.owner_id
        and h.id = charger_order.hub_id
        and not h.is_online
        and h.last_seen < ${addMinutes(now, -lostMinutes)}
    )`
  return forEachDue(app, isLost, due =>
    markAbnormal(app, due, 'offline', `充电中离线超过 ${lostMinutes} 分钟`, now),
  )
}

/** A pile that knows nothing of a charge any more has so long to report it. */
const unknownMinutes = 1

/**
 * C20: a pile that has begun again without the charge: its port is free, or it refuses to stop it and reports
 * no reading. 异常, so that the port is free for others and a person may settle it.
 */
export const reportUnknown = (app: App): Promise<void> => {
  const now = fromInstant(app.clock())
  const since = addMinutes(now, -unknownMinutes)
  const isUnknown = sql`state = ${code(orderState, 'charging')}
    and (
      exists (
        select 1
        from charger_port p
        where p.owner_id = charger_order.owner_id and p.id = charger_order.port_id and p.run_free_since <= ${since}
      )
      or (
        run_stop_refused <= ${since}
        and not exists (
          select 1
          from charger_sample s
          where s.owner_id = charger_order.owner_id
            and s.order_id = charger_order.id
            and s.at > charger_order.run_stop_refused
        )
      )
    )`
  return forEachDue(app, isUnknown, due =>
    markAbnormal(app, due, 'lost', '充电桩已不再进行该次充电，也未上报结束；请按最后一次读数结算', now),
  )
}

/** So long after the last hour that a charge may take, it is settled whatever the pile does. */
const overtimeMinutes = 10

/** C20: an order ends at its longest by the readings; the pile is looked at. */
export const endOverlong = (app: App): Promise<void> => {
  const now = fromInstant(app.clock())
  const isOverlong = sql`state = ${code(orderState, 'charging')}
    and begin_time + make_interval(hours => (run_terms ->> 'maxHours')::int, mins => ${overtimeMinutes}::int)
      <= ${now}`
  return forEachDue(app, isOverlong, ({ ownerId, id, projectCode }) =>
    settleOrReport(app, ownerId, now, {
      orderId: id,
      projectCode,
      work: async (tx, scope, order) => {
        if (order.state !== 'charging') return
        const at = addMinutes(order.beginTime ?? now, order.terms.maxHours * 60)
        await endCharge(tx, scope, order, { at, reason: 'overtime', isLeft: true }, now)
        await openException(tx, {
          hub: { id: order.hubId, hubNo: order.hubNo, projectCode },
          portNo: order.portNo,
          order,
          type: 'lost',
          content: '已到最长小时，充电桩未停止，订单已按读数结算；请到现场检查',
          at: now,
        })
      },
      fallback: async () => {},
    }),
  )
}

const findChargingHere = (
  app: App,
  ownerId: Id,
  connections: readonly HubConnection[],
): Promise<{ id: Id; hubId: Id }[]> =>
  app.database.reader(ownerId).rows(sql`
    select id, hub_id
    from charger_order
    where owner_id = ${ownerId}
      and hub_id = any(${connections.map(({ hubId }) => hubId)}::bigint[])
      and state = ${code(orderState, 'charging')}
  `)

/** Why it is stopped: decided before, or now. */
const mustStop = (app: App, ownerId: Id, id: Id, now: Moment): Promise<boolean> =>
  app.database.tx(ownerId, async tx => {
    const order = await lockOrder(tx, clockScope(app, ownerId), id)
    if (order.state !== 'charging') return false
    return (
      order.plannedStop !== undefined || (await planAutoStop(tx, ownerId, order, now, false)) !== undefined
    )
  })

/** Charges by time use up what was paid without a reading; a pile that did not obey is stopped again. */
export async function stopOverdue(app: App): Promise<void> {
  const now = fromInstant(app.clock())
  const byOwner = Map.groupBy(connectionsOf(app).all(), ({ ownerId }) => ownerId)
  for (const [ownerId, connections] of byOwner) {
    for (const { id, hubId } of await findChargingHere(app, ownerId, connections)) {
      const connection = connections.find(each => each.hubId === hubId)
      if (connection && (await mustStop(app, ownerId, id, now))) {
        sendStop(app, connection, id).catch((err: unknown) =>
          app.log.warn({ err, order: id }, 'a charge was not stopped'),
        )
      }
    }
  }
}

async function isIdleSpent(app: App, { ownerId, id }: DueOrder, now: Moment): Promise<boolean> {
  const order = await readOrder(app.database.reader(ownerId), clockScope(app, ownerId), id)
  if (order.endTime === undefined) return true
  if (order.endTime < addMinutes(now, -maxIdleHours * 60)) return true
  const samples = await findSamples(app.database.reader(ownerId), ownerId, id)
  return chargeFee({ ...chargeOf(order, samples, order.endTime), leftAt: now }).refundAmount === 0
}

/** A place that is kept until nothing is left to give back. */
export const settleKeptPlaces = (app: App): Promise<void> => {
  const now = fromInstant(app.clock())
  const isKept = sql`state = ${code(orderState, 'settling')}
    and not run_is_settled
    and not exists (
      select 1
      from charger_exception e
      where e.owner_id = charger_order.owner_id
        and e.order_id = charger_order.id
        and e.state = ${code(exceptionState, 'open')}
        and e.exception_type = ${code(exceptionType, 'settlement')}
    )`
  return forEachDue(app, isKept, async due => {
    if (!(await isIdleSpent(app, due, now))) return
    await settleOrReport(app, due.ownerId, now, {
      orderId: due.id,
      projectCode: due.projectCode,
      work: (tx, scope, order) => settleLeft(tx, scope, order.id, now, now),
      fallback: async () => {},
    })
  })
}

/** Commands of a process that is gone. */
export async function endSilentCommands(app: App): Promise<void> {
  const isDue = sql`state in ${codes(hubCommandState, 'sent')}
    and send_time < ${fromInstant(app.clock() - 60_000)}`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from charger_command where ${isDue}`
  await forEachDueCompany(app.database, due, (tx, ownerId) =>
    tx.execute(sql`
      update charger_command
      set state = ${code(hubCommandState, 'silent')}, version = version + 1
      where owner_id = ${ownerId} and ${isDue}
    `),
  )
}

export const intervals = [
  defineInterval({ name: 'charging-starts', everyMs: 5_000, run: failLateStarts }),
  defineInterval({ name: 'charging-stops', everyMs: 10_000, run: stopOverdue }),
  defineInterval({
    name: 'charging-lost',
    everyMs: 30_000,
    run: async app => {
      await markSilentHubs(app)
      await reportLost(app)
      await reportUnknown(app)
      await endOverlong(app)
      await closeUnpaid(app)
      await settleKeptPlaces(app)
      await endSilentCommands(app)
    },
  }),
]
