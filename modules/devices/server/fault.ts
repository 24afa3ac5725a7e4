import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { deviceState, faultKind, faultLevel, faultState } from '../contract/choices.ts'
import { faultWeights, type FaultKind, type FaultLevel } from '../domain/health.ts'
import { keysOfRecord } from '#kit/domain/records.ts'

/** What a fault is of: a device, or with `deviceId` 0 the gateway itself. */
export interface FaultTarget {
  readonly gatewayId: Id
  readonly deviceId: Id
}

export interface NewFault extends FaultTarget {
  readonly projectCode: string
  readonly kind: FaultKind
  readonly level: FaultLevel
  readonly title: string
}

export interface FaultKey extends FaultTarget {
  readonly kind: FaultKind
}

const open = code(faultState, 'open')

const column = <T>(
  type: Parameters<typeof sqlArray>[0],
  rows: readonly T[],
  valueOf: (row: T) => string | number,
) => sqlArray(type, rows.map(valueOf))

const keyArrays = (keys: readonly FaultKey[]) => sql`
  ${column('bigint', keys, k => k.gatewayId)},
  ${column('bigint', keys, k => k.deviceId)},
  ${column('smallint', keys, k => Number(codeOf(faultKind, k.kind)))}
`

const keyText = (gatewayId: Id, deviceId: Id, kind: number | string): string =>
  `${gatewayId}:${deviceId}:${kind}`

interface HealthScore {
  readonly id: Id
  readonly score: number
}

async function saveScores(
  tx: Tx,
  ownerId: Id,
  table: 'gateway' | 'device',
  scores: readonly HealthScore[],
): Promise<void> {
  if (!scores.length) return
  await tx.execute(sql`
    update ${sql.table(table)} t
    set health_score = r.score
    from unnest(
      ${column('bigint', scores, each => each.id)}, ${column('integer', scores, each => each.score)}
    ) as r(id, score)
    where t.owner_id = ${ownerId} and t.id = r.id and t.health_score <> r.score
  `)
}

/** DEV-1: 100 less what each open fault takes, for gateways and devices. */
async function updateHealth(tx: Tx, ownerId: Id, targets: readonly FaultTarget[]): Promise<void> {
  const levels = keysOfRecord(faultWeights)
  const sums = await tx.rows<FaultTarget & { readonly sum: number }>(sql`
    select f.gateway_id, f.device_id, sum(w.weight)::integer as sum
    from device_fault f
    join unnest(
      ${column('smallint', levels, level => Number(codeOf(faultLevel, level)))},
      ${column('integer', levels, level => faultWeights[level])}
    ) as w(level, weight) on w.level = f.level
    where f.owner_id = ${ownerId}
      and f.state = ${open}
      and f.gateway_id = any(${targets.map(t => t.gatewayId)}::bigint[])
    group by f.gateway_id, f.device_id
  `)
  const scoresOf = (ids: readonly Id[], idOf: (row: FaultTarget) => Id | undefined): HealthScore[] =>
    [...new Set(ids)].map(id => ({
      id,
      score: Math.max(0, 100 - (sums.find(row => idOf(row) === id)?.sum ?? 0)),
    }))
  const [gateways, devices] = [
    targets.filter(t => t.deviceId === 0).map(t => t.gatewayId),
    targets.filter(t => t.deviceId !== 0).map(t => t.deviceId),
  ]
  await saveScores(
    tx,
    ownerId,
    'gateway',
    scoresOf(gateways, row => (row.deviceId === 0 ? row.gatewayId : undefined)),
  )
  await saveScores(
    tx,
    ownerId,
    'device',
    scoresOf(devices, row => row.deviceId),
  )
}

/** A device that reports a fault is 故障 until it reports its end; what people set otherwise stays. */
async function markReported(
  tx: Tx,
  ownerId: Id,
  keys: readonly FaultKey[],
  from: 'normal' | 'faulty',
  to: 'normal' | 'faulty',
): Promise<void> {
  const ids = keys.filter(key => key.kind === 'reported' && key.deviceId !== 0).map(key => key.deviceId)
  if (!ids.length) return
  await tx.execute(sql`
    update device
    set state = ${code(deviceState, to)}
    where owner_id = ${ownerId} and id = any(${ids}::bigint[]) and state = ${code(deviceState, from)}
  `)
}

/** Opens faults; one of its kind that is open already is counted on. `time`: an instant. */
export async function openFaults(
  tx: Tx,
  ownerId: Id,
  time: Date,
  faults: readonly NewFault[],
): Promise<void> {
  if (!faults.length) return
  const counted = await tx.rows<{ gatewayId: Id; deviceId: Id; kind: number }>(sql`
    update device_fault t
    set count = t.count + 1, update_time = ${time}
    from unnest(${keyArrays(faults)}) as r(gateway_id, device_id, kind)
    where t.owner_id = ${ownerId}
      and t.gateway_id = r.gateway_id
      and t.device_id = r.device_id
      and t.kind = r.kind
      and t.state = ${open}
    returning t.gateway_id, t.device_id, t.kind
  `)
  const known = new Set(counted.map(row => keyText(row.gatewayId, row.deviceId, row.kind)))
  const added = faults.filter(
    fault => !known.has(keyText(fault.gatewayId, fault.deviceId, codeOf(faultKind, fault.kind))),
  )
  if (!added.length) return
  await tx.execute(sql`
    insert into device_fault (
      owner_id, gateway_id, device_id, kind, project_code, level, title, open_time, create_time, update_time
    )
    select ${ownerId}::bigint, r.*, ${time}::timestamptz, ${time}::timestamptz, ${time}::timestamptz
    from unnest(
      ${keyArrays(added)},
      ${column('text', added, f => f.projectCode)},
      ${column('smallint', added, f => Number(codeOf(faultLevel, f.level)))},
      ${column('text', added, f => f.title.slice(0, 200))}
    ) as r(gateway_id, device_id, kind, project_code, level, title)
    on conflict do nothing
    returning id
  `)
  await markReported(tx, ownerId, added, 'normal', 'faulty')
  await updateHealth(tx, ownerId, added)
}

/** Closes the open faults of these kinds; most of the time there are none. */
export async function closeFaults(tx: Tx, ownerId: Id, time: Date, keys: readonly FaultKey[]): Promise<void> {
  if (!keys.length) return
  const closed = await tx.rows<FaultTarget>(sql`
    update device_fault t
    set state = ${code(faultState, 'recovered')}, close_time = ${time}, update_time = ${time}
    from unnest(${keyArrays(keys)}) as r(gateway_id, device_id, kind)
    where t.owner_id = ${ownerId}
      and t.gateway_id = r.gateway_id
      and t.device_id = r.device_id
      and t.kind = r.kind
      and t.state = ${open}
    returning t.gateway_id, t.device_id
  `)
  if (!closed.length) return
  await markReported(tx, ownerId, keys, 'faulty', 'normal')
  await updateHealth(tx, ownerId, closed)
}

export { updateHealth }
