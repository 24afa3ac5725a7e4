import { keyOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { hubType } from '../../contract/choices.ts'
import { judgeSamples, maxWattsOf, type JudgedSample } from '../../domain/plausible-reading.ts'
import type { MeterSample } from '../../domain/terms.ts'
import { openException } from '../exceptions.ts'
import { addSamples, findSamples, type StoredOrder } from '../stored-order.ts'

async function findMaxWatts(tx: Tx, { hubId }: StoredOrder): Promise<number> {
  const row = await tx.one<{ type: number; maxKw?: number }>(sql`
    select hub_type as type, max_kw from charger_hub where owner_id = ${tx.ownerId} and id = ${hubId}
  `)
  const { type, maxKw } = defined(row)
  return maxWattsOf(defined(keyOf(hubType, type)), maxKw)
}

const reportReading = (tx: Tx, order: StoredOrder, content: string, at: Moment): Promise<unknown> =>
  openException(tx, {
    hub: { id: order.hubId, hubNo: order.hubNo, projectCode: order.projectCode },
    portNo: order.portNo,
    order,
    type: 'reading',
    content,
    at,
  })

/**
 * All of them are kept; what the port cannot have delivered is not charged, and a person looks at it
 * (C20).
 */
export async function keepReadings(
  tx: Tx,
  order: StoredOrder,
  samples: readonly MeterSample[],
  now: Moment,
): Promise<readonly JudgedSample[]> {
  if (!samples.length) return []
  const judged = judgeSamples(await findSamples(tx, tx.ownerId, order.id), samples, {
    begin: order.beginTime ?? now,
    now,
    maxWatts: await findMaxWatts(tx, order),
  })
  await addSamples(tx, order, judged)
  const doubted = judged.find(({ isBelieved }) => !isBelieved)
  if (doubted) {
    await reportReading(
      tx,
      order,
      `读数 ${doubted.wattHours / 1000} 度超出端口功率可能送出的电量，未计入；请核对电表与「端口功率」`,
      now,
    )
  }
  return judged
}

/** What the meter shows in the end counts: readings above it are not believed. */
export async function keepEndReading(
  tx: Tx,
  order: StoredOrder,
  samples: readonly MeterSample[],
  end: MeterSample,
  now: Moment,
): Promise<void> {
  const judged = await keepReadings(tx, order, [...samples, end], now)
  const isBelieved = judged.some(
    each => each.isBelieved && each.at === end.at && each.wattHours === end.wattHours,
  )
  if (!isBelieved) return
  const doubted = await tx.execute(sql`
    update charger_sample
    set is_believed = false
    where owner_id = ${tx.ownerId} and order_id = ${order.id} and is_believed and watt_hours > ${end.wattHours}
  `)
  if (doubted > 0) {
    await reportReading(tx, order, '结束读数低于充电中的读数，按结束读数计费；请核对电表', now)
  }
}
