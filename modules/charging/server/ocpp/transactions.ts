import { parseId, type Id } from '#kit/domain/id.ts'
import { fromInstant, secondsBetween, type Moment } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { code, codes, touch } from '#kit/server/sql.ts'
import { update } from '#kit/server/table.ts'
import { orderState, type StopReason } from '../../contract/choices.ts'
import { chargerOrder } from '../../contract/order.ts'
import { autoStopReason } from '../../domain/auto-stop.ts'
import { recoverOrder } from '../exceptions.ts'
import { endCharge, keepEnd, planStop, settleOrReport, type ChargeEnd } from '../settlement.ts'
import { addSamples, chargeOf, findSamples, lockOrder, type StoredOrder } from '../stored-order.ts'
import type { HubConnection } from './connections.ts'
import { keepEndReading, keepReadings } from './kept-readings.ts'
import { notBefore, readTime, samplesOf } from './readings.ts'
import type { OcppRequests } from './schemas.ts'

/** Of the pile that reports it, and of no other. */
const findOrderId = async (
  app: App,
  { ownerId, hubId }: HubConnection,
  by: { readonly idTag: string } | { readonly id: number },
): Promise<Id | undefined> =>
  (
    await app.database.reader(ownerId).one<{ id: Id }>(sql`
      select id
      from charger_order
      where owner_id = ${ownerId}
        and hub_id = ${hubId}
        and ${'idTag' in by ? sql`run_id_tag = ${by.idTag}` : sql`id = ${parseId(by.id)}`}
    `)
  )?.id

async function begin(
  tx: Tx,
  scope: Scope,
  order: StoredOrder,
  { meterStart, timestamp }: OcppRequests['StartTransaction'],
  now: Moment,
): Promise<boolean> {
  if (order.state !== 'starting') return order.beginTime !== undefined
  const reported = readTime(timestamp, now)
  const isBehind = order.payTime !== undefined && reported < order.payTime
  const at = isBehind ? now : reported
  const clockBehind = isBehind ? secondsBetween(reported, now) : 0
  await tx.execute(sql`
    update charger_order
    set state = ${code(orderState, 'charging')}, begin_time = ${at}, run_meter_start = ${meterStart},
      run_clock_behind = ${clockBehind}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = ${order.id} and state = ${code(orderState, 'starting')}
  `)
  await tx.execute(sql`
    update charger_port
    set run_free_since = null
    where owner_id = ${scope.ownerId} and id = ${order.portId}
  `)
  await addSamples(tx, order, [{ at, wattHours: 0, isBelieved: true }])
  return true
}

export interface StartAnswer {
  readonly transactionId: Id
  readonly isAccepted: boolean
}

/**
 * An order has one transaction, whose number is the order's: a start that is reported again is the same. One
 * that comes when the order has failed is refused.
 */
export async function startTransaction(
  app: App,
  connection: HubConnection,
  request: OcppRequests['StartTransaction'],
): Promise<StartAnswer> {
  const id = await findOrderId(app, connection, request)
  if (id === undefined) return { transactionId: 0, isAccepted: false }
  const scope = clockScope(app, connection.ownerId)
  const now = fromInstant(app.clock())
  return app.database.tx(connection.ownerId, async tx => {
    const order = await lockOrder(tx, scope, id)
    // Paid for is one port: current at another is stopped, and none that flows where it should.
    if (request.connectorId !== order.portNo) {
      return { transactionId: order.state === 'starting' ? id : 0, isAccepted: false }
    }
    return { transactionId: id, isAccepted: await begin(tx, scope, order, request, now) }
  })
}

/** Another has the port since. */
const isPortTaken = async (tx: Tx, { portId }: StoredOrder): Promise<boolean> =>
  (await tx.one(sql`
    select 1 as found
    from charger_order
    where owner_id = ${tx.ownerId}
      and port_id = ${portId}
      and state in ${codes(orderState, 'starting', 'charging')}
  `)) !== undefined

/** A pile that was lost and reports again goes on charging. */
async function resume(tx: Tx, scope: Scope, order: StoredOrder, now: Moment): Promise<void> {
  if (order.state !== 'abnormal' || (await isPortTaken(tx, order))) return
  await update(tx, chargerOrder, scope, order.id, { state: 'charging' })
  await recoverOrder(tx, order.id, now)
}

const isCharging = ({ state }: StoredOrder): boolean => state === 'charging' || state === 'abnormal'

/** Keeps the readings; answers why the charge must be stopped, if it must. */
export async function takeReadings(
  app: App,
  connection: HubConnection,
  { transactionId, meterValue }: OcppRequests['MeterValues'],
): Promise<{ readonly orderId: Id; readonly reason: StopReason } | undefined> {
  const id =
    transactionId === undefined ? undefined : await findOrderId(app, connection, { id: transactionId })
  if (id === undefined) return undefined
  const scope = clockScope(app, connection.ownerId)
  const now = fromInstant(app.clock())
  return app.database.tx(connection.ownerId, async tx => {
    const order = await lockOrder(tx, scope, id)
    if (!isCharging(order)) return undefined
    await keepReadings(tx, order, samplesOf(meterValue, order, now), now)
    await resume(tx, scope, order, now)
    return planAutoStop(tx, connection.ownerId, order, now, false)
  })
}

/** Decides once why an order is stopped; the stop is sent after the commit. */
export async function planAutoStop(
  tx: Tx,
  ownerId: Id,
  order: StoredOrder,
  now: Moment,
  isFull: boolean,
): Promise<{ readonly orderId: Id; readonly reason: StopReason } | undefined> {
  if (order.plannedStop !== undefined) return undefined
  const samples = await findSamples(tx, ownerId, order.id)
  const reason = autoStopReason(chargeOf(order, samples, now), isFull)
  if (reason === undefined) return undefined
  await planStop(tx, order.id, reason)
  return { orderId: order.id, reason }
}

/** OCPP 1.6, 7.36: why a pile stopped. */
const stopReasons: Readonly<Record<string, StopReason>> = {
  Local: 'user',
  Remote: 'user',
  DeAuthorized: 'user',
  UnlockCommand: 'user',
  EVDisconnected: 'unplugged',
}

/** However late and however often it is reported: settled once. */
export async function stopTransaction(
  app: App,
  connection: HubConnection,
  request: OcppRequests['StopTransaction'],
): Promise<void> {
  const orderId = await findOrderId(app, connection, { id: request.transactionId })
  if (orderId === undefined) return
  const now = fromInstant(app.clock())
  const reason = stopReasons[request.reason ?? 'Local'] ?? 'fault'
  const endOf = (order: StoredOrder): ChargeEnd => ({
    at: readTime(request.timestamp, now, order.clockBehind),
    reason,
    isLeft: reason === 'unplugged' || reason === 'fault',
  })
  const keepMeter = (tx: Tx, order: StoredOrder): Promise<unknown> =>
    isCharging(order)
      ? keepEndReading(
          tx,
          order,
          samplesOf(request.transactionData ?? [], order, now),
          {
            at: notBefore(endOf(order).at, order.beginTime),
            wattHours: request.meterStop - (order.meterStart ?? 0),
          },
          now,
        )
      : Promise.resolve()
  await settleOrReport(app, connection.ownerId, now, {
    orderId,
    projectCode: connection.projectCode,
    work: async (tx, scope, order) => {
      await keepMeter(tx, order)
      await endCharge(tx, scope, order, endOf(order), now)
    },
    fallback: async (tx, scope, order) => {
      await keepMeter(tx, order)
      await keepEnd(endOf(order))(tx, scope, order)
    },
  })
}
