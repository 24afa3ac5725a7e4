import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { deviceState, faultKind, faultLevel, faultState } from '../contract/choices.ts'
import { faultWeights, type FaultKind, type FaultLevel } from '../domain/health.ts'
import { keysOfRecord } from '#kit/domain/records.ts'

/**
 * What a fault is of: a device, or with `deviceId` 0 the gateway itself. A device's fault is the same one
 * behind whichever gateway the device hangs (DEV-2).
 */
export interface FaultTarget {
  readonly gatewayId: Id
  readonly deviceId: Id
}

export interface NewFault extends FaultTarget {
  readonly projectCode: string
  readonly kind: FaultKind
  /** The code, where a device can have several open faults of a kind (DEV-2). */
  readonly code?: string
  readonly level: FaultLevel
  readonly title: string
}

export interface FaultKey extends FaultTarget {
  readonly kind: FaultKind
  /** The code or the title of the one that has ended; without it, all of the kind. */
  readonly code?: string
}

const open = code(faultState, 'open')

const column = <T>(
  type: Parameters<typeof sqlArray>[0],
  rows: readonly T[],
  valueOf: (row: T) => string | number | null,
) => sqlArray(type, rows.map(valueOf))

const keyArrays = (keys: readonly FaultKey[]) => sql`
  ${column('bigint', keys, k => k.gatewayId)},
  ${column('bigint', keys, k => k.deviceId)},
  ${column('smallint', keys, k => Number(codeOf(faultKind, k.kind)))}
`

const maxTitleLength = 200
const codeOfFault = (fault: Pick<FaultKey, 'code'>): string | null =>
  fault.code?.slice(0, maxTitleLength) ?? null

/** The columns of new faults, by which they differ and what is new of them. */
const faultArrays = (faults: readonly NewFault[]) => sql`
  ${keyArrays(faults)},
  ${column('text', faults, codeOfFault)},
  ${column('smallint', faults, f => Number(codeOf(faultLevel, f.level)))},
  ${column('text', faults, f => f.title.slice(0, maxTitleLength))}
`

/** Whether a row is of the same device, or else of the same gateway. */
export const sameTarget = (row: string, other: string): RawBuilder<unknown> => sql`
  ${sql.ref(`${row}.device_id`)} = ${sql.ref(`${other}.device_id`)}
    and (${sql.ref(`${row}.device_id`)} <> 0 or ${sql.ref(`${row}.gateway_id`)} = ${sql.ref(`${other}.gateway_id`)})
`

const keyText = (
  { gatewayId, deviceId }: FaultTarget,
  kind: number | string,
  faultCode: string | null,
): string => `${deviceId ? 0 : gatewayId}:${deviceId}:${kind}:${faultCode ?? ''}`

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
  const devices = [...new Set(targets.map(t => t.deviceId).filter(id => id !== 0))]
  const gateways = [...new Set(targets.filter(t => t.deviceId === 0).map(t => t.gatewayId))]
  const sums = await tx.rows<{ deviceId: Id; gatewayId: Id; sum: number }>(sql`
    select f.device_id, case when f.device_id = 0 then f.gateway_id else 0 end as gateway_id,
      sum(w.weight)::integer as sum
    from device_fault f
    join unnest(
      ${column('smallint', levels, level => Number(codeOf(faultLevel, level)))},
      ${column('integer', levels, level => faultWeights[level])}
    ) as w(level, weight) on w.level = f.level
    where f.owner_id = ${ownerId}
      and f.state = ${open}
      and f.device_id = any(${[0, ...devices]}::bigint[])
      and (f.device_id <> 0 or f.gateway_id = any(${gateways}::bigint[]))
    group by 1, 2
  `)
  const scoresOf = (ids: readonly Id[], sumOf: (id: Id) => number | undefined): HealthScore[] =>
    ids.map(id => ({ id, score: Math.max(0, 100 - (sumOf(id) ?? 0)) }))
  const ofGateways = new Map(sums.filter(row => row.deviceId === 0).map(row => [row.gatewayId, row.sum]))
  const ofDevices = new Map(sums.map(row => [row.deviceId, row.sum]))
  await saveScores(
    tx,
    ownerId,
    'gateway',
    scoresOf(gateways, id => ofGateways.get(id)),
  )
  await saveScores(
    tx,
    ownerId,
    'device',
    scoresOf(devices, id => ofDevices.get(id)),
  )
}

const isOfDevice = ({ kind, deviceId }: FaultKey): boolean => kind === 'reported' && deviceId !== 0

/** A device that reports a fault is 故障 until none is open any more; what people set otherwise stays. */
async function markFaulty(tx: Tx, ownerId: Id, faults: readonly NewFault[]): Promise<void> {
  const ids = faults.filter(isOfDevice).map(fault => fault.deviceId)
  if (!ids.length) return
  await tx.execute(sql`
    update device
    set state = ${code(deviceState, 'faulty')}
    where owner_id = ${ownerId} and id = any(${ids}::bigint[]) and state = ${code(deviceState, 'normal')}
  `)
}

/** The devices of which a reported fault has ended: 正常, unless another is open. */
export async function markRecovered(tx: Tx, ownerId: Id, ended: readonly FaultKey[]): Promise<void> {
  const ids = ended.filter(isOfDevice).map(key => key.deviceId)
  if (!ids.length) return
  await tx.execute(sql`
    update device t
    set state = ${code(deviceState, 'normal')}
    where t.owner_id = ${ownerId}
      and t.id = any(${ids}::bigint[])
      and t.state = ${code(deviceState, 'faulty')}
      and not exists (
        select 1
        from device_fault f
        where f.owner_id = ${ownerId}
          and f.device_id = t.id
          and f.kind = ${code(faultKind, 'reported')}
          and f.state = ${open}
      )
  `)
}

interface CountedFault extends FaultTarget {
  readonly kind: number
  readonly faultCode: string | null
  readonly hasRisen: boolean
}

/** Those that are open already: counted on, with the newest title and the worst level. */
const countOn = (
  tx: Tx,
  ownerId: Id,
  time: Date,
  faults: readonly NewFault[],
): Promise<readonly CountedFault[]> =>
  tx.rows(sql`
    with known as (
      select t.id, t.level as old_level, r.level, r.title, r.gateway_id
      from device_fault t
      join unnest(${faultArrays(faults)}) as r(gateway_id, device_id, kind, fault_code, level, title)
        on ${sameTarget('t', 'r')}
          and t.kind = r.kind
          and coalesce(t.fault_code, '') = coalesce(r.fault_code, '')
      where t.owner_id = ${ownerId} and t.state = ${open}
      for update of t
    )
    update device_fault t
    set count = t.count + 1, level = least(t.level, k.level), title = k.title, gateway_id = k.gateway_id,
      last_time = ${time}, update_time = ${time}
    from known k
    where t.owner_id = ${ownerId} and t.id = k.id
    returning t.gateway_id, t.device_id, t.kind, t.fault_code, k.level < k.old_level as has_risen
  `)

/** Opens faults; the same one (kind and code) that is open already is counted on. `time`: an instant. */
export async function openFaults(
  tx: Tx,
  ownerId: Id,
  time: Date,
  faults: readonly NewFault[],
): Promise<void> {
  if (!faults.length) return
  const counted = await countOn(tx, ownerId, time, faults)
  const known = new Set(counted.map(row => keyText(row, row.kind, row.faultCode)))
  const added = faults.filter(
    fault => !known.has(keyText(fault, codeOf(faultKind, fault.kind), codeOfFault(fault))),
  )
  if (added.length) {
    await tx.execute(sql`
      insert into device_fault (
        owner_id, open_time, last_time, create_time, update_time, gateway_id, device_id, kind, fault_code, level,
        title, project_code
      )
      select ${ownerId}::bigint, ${time}::timestamptz, ${time}::timestamptz, ${time}::timestamptz,
        ${time}::timestamptz, r.*
      from unnest(${faultArrays(added)}, ${column('text', added, f => f.projectCode)})
        as r(gateway_id, device_id, kind, fault_code, level, title, project_code)
      on conflict do nothing
      returning id
    `)
    await markFaulty(tx, ownerId, added)
  }
  const worse = [...added, ...counted.filter(row => row.hasRisen)]
  if (worse.length) {
    await updateHealth(tx, ownerId, worse)
  }
}

/** Closes these open faults; most of the time there are none. */
export async function closeFaults(tx: Tx, ownerId: Id, time: Date, keys: readonly FaultKey[]): Promise<void> {
  if (!keys.length) return
  const closed = await tx.rows<FaultTarget>(sql`
    update device_fault t
    set state = ${code(faultState, 'recovered')}, close_time = ${time}, update_time = ${time}
    from unnest(
      ${keyArrays(keys)},
      ${column('text', keys, codeOfFault)}
    ) as r(gateway_id, device_id, kind, fault_code)
    where t.owner_id = ${ownerId}
      and ${sameTarget('t', 'r')}
      and t.kind = r.kind
      and (r.fault_code is null or t.fault_code = r.fault_code or t.title = r.fault_code)
      and t.state = ${open}
    returning t.gateway_id, t.device_id
  `)
  if (!closed.length) return
  await markRecovered(tx, ownerId, keys)
  await updateHealth(tx, ownerId, closed)
}

/** The open faults of a device that is connected to another gateway now go with it. */
export async function moveFaults(tx: Tx, ownerId: Id, { gatewayId, deviceId }: FaultTarget): Promise<void> {
  await tx.execute(sql`
    update device_fault
    set gateway_id = ${gatewayId}
    where owner_id = ${ownerId} and device_id = ${deviceId} and state = ${open}
  `)
}

/** Of what is deleted nothing is open any more. */
export async function closeAllFaults(
  tx: Tx,
  ownerId: Id,
  time: Date,
  key: 'gateway_id' | 'device_id',
  ids: readonly Id[],
): Promise<void> {
  await tx.execute(sql`
    update device_fault
    set state = ${code(faultState, 'closed')}, close_time = ${time}, update_time = ${time}, note = '已删除'
    where owner_id = ${ownerId} and ${sql.ref(key)} = any(${[...ids]}::bigint[]) and state = ${open}
  `)
}

export { updateHealth }
