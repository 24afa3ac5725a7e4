import { randomBytes } from 'node:crypto'
import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import { stopReason, type StopReason } from '../contract/choices.ts'
import { chargerOrder, type ChargerOrder } from '../contract/order.ts'
import type { Charge } from '../domain/charge-fee.ts'
import type { ChargerStandard } from '../contract/standard.ts'
import { termsOfStandard } from '../domain/terms-of-standard.ts'
import type { JudgedSample } from '../domain/plausible-reading.ts'
import type { ChargeTerms, HourPackage, MeterSample } from '../domain/terms.ts'

interface RunRow {
  readonly feeItemId: Id
  readonly terms: ChargeTerms
  readonly bought?: HourPackage
  readonly idTag: string
  readonly startUntil?: Moment
  readonly startSent: boolean
  readonly meterStart?: number
  readonly plannedStop?: number
  /** Seconds that the pile's clock was behind when the charge began. */
  readonly clockBehind: number
  /** Since when the pile refuses to stop it. */
  readonly stopRefused?: Moment
  readonly leftTime?: Moment
  readonly isSettled: boolean
}

/** An order with what it is carried out by. */
export interface StoredOrder extends ChargerOrder, Omit<RunRow, 'plannedStop'> {
  /** Why a stop was sent. */
  readonly plannedStop?: StopReason | undefined
}

async function withRun(db: Db, ownerId: Id, order: ChargerOrder): Promise<StoredOrder> {
  const run = await db.one<RunRow>(sql`
    select run_fee_item_id as fee_item_id, run_terms as terms, run_bought as bought, run_id_tag as id_tag,
      run_start_until as start_until, run_start_sent as start_sent, run_meter_start as meter_start,
      run_stop_reason as planned_stop, run_clock_behind as clock_behind, run_stop_refused as stop_refused,
      run_left_time as left_time, run_is_settled as is_settled
    from charger_order
    where owner_id = ${ownerId} and id = ${order.id}
  `)
  const { plannedStop, ...rest } = defined(run)
  return {
    ...order,
    ...rest,
    plannedStop: plannedStop === undefined ? undefined : defined(keyOf(stopReason, plannedStop)),
  }
}

export const readOrder = async (db: Db, scope: Scope, id: Id): Promise<StoredOrder> =>
  withRun(db, scope.ownerId, await requireById(db, chargerOrder, scope, id))

/** What it costs, as it is now, and the card by which the pile begins it: 80 bits, nobody guesses it. */
export const keepTerms = (
  tx: Tx,
  orderId: Id,
  {
    standard,
    bought,
    requestKey,
  }: {
    readonly standard: ChargerStandard
    readonly bought: HourPackage | undefined
    readonly requestKey: string | undefined
  },
): Promise<number> =>
  tx.execute(sql`
    update charger_order
    set run_fee_item_id = ${standard.feeItemId}, run_terms = ${JSON.stringify(termsOfStandard(standard))}::jsonb,
      run_bought = ${bought ? JSON.stringify(bought) : null}::jsonb,
      run_id_tag = ${randomBytes(10).toString('hex')}, run_request_key = ${requestKey ?? null}
    where owner_id = ${tx.ownerId} and id = ${orderId}
  `)

/** Whatever moves an order on locks it first. */
export const lockOrder = async (tx: Tx, scope: Scope, id: Id): Promise<StoredOrder> =>
  withRun(tx, scope.ownerId, await requireById(tx, chargerOrder, scope, id, { lock: true }))

/** What is charged by. */
export const findSamples = (db: Db, ownerId: Tx['ownerId'], orderId: Id): Promise<MeterSample[]> =>
  db.rows<MeterSample>(sql`
    select at, watt_hours
    from charger_sample
    where owner_id = ${ownerId} and order_id = ${orderId} and is_believed
    order by at, watt_hours
  `)

/** Readings that come again are the same. */
export const addSamples = (
  tx: Tx,
  order: Pick<StoredOrder, 'id' | 'projectCode'>,
  samples: readonly JudgedSample[],
): Promise<unknown> =>
  tx.rows(sql`
    insert into charger_sample (owner_id, project_code, order_id, at, watt_hours, is_believed)
    select ${tx.ownerId}, ${order.projectCode}, ${order.id}, s.at, s.watt_hours, s.is_believed
    from unnest(
      ${samples.map(({ at }) => at)}::timestamptz[], ${samples.map(({ wattHours }) => wattHours)}::bigint[],
      ${samples.map(({ isBelieved }) => isBelieved)}::boolean[]
    ) as s (at, watt_hours, is_believed)
    on conflict (owner_id, order_id, at, watt_hours) do nothing
    returning id
  `)

/** What the order has come to by a moment. */
export const chargeOf = (order: StoredOrder, samples: readonly MeterSample[], end: Moment): Charge => ({
  terms: order.terms,
  prepaid: order.prepaidAmount,
  bought: order.bought,
  begin: order.beginTime ?? end,
  samples,
  end: order.beginTime !== undefined && end < order.beginTime ? order.beginTime : end,
})
