import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { choiceTable, codeOf, keyOf } from '#kit/contract/field.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, touch } from '#kit/server/sql.ts'
import type { StoredPassage } from '#modules/access/server/public.ts'
import { keptReadingDays } from '#modules/devices/contract/code-reading.ts'

/** What became of an entrance that a device asked for. */
const readingState = choiceTable('InviteCodeReadingState', '读码', {
  granted: [10, '已允许'],
  opened: [20, '已开门'],
  returned: [30, '未开门'],
})

type ReadingState = keyof typeof readingState.rows

interface ReadingName {
  readonly deviceId: Id
  readonly recordKey: string
}

export interface CodeReading extends ReadingName {
  readonly id: Id
  readonly visitorId: Id
  readonly isCounted: boolean
  readonly usedTimes: number
  readonly state: ReadingState
}

interface NewReading extends Omit<CodeReading, 'id' | 'state'> {
  readonly projectCode: string
  readonly doorwayId: Id
}

export const nameOfReading = ({ deviceId, recordKey }: ReadingName): string => `${deviceId}/${recordKey}`

/** Those of some passages; its visitor is locked, so that none is being decided on. */
export async function findReadings(
  tx: Tx,
  ownerId: Id,
  names: readonly ReadingName[],
): Promise<readonly CodeReading[]> {
  const rows = await tx.rows<Omit<CodeReading, 'state'> & { readonly state: number }>(sql`
    select t.id, t.visitor_id, t.device_id, t.record_key, t.is_counted, t.used_times, t.state
    from unnest(
      ${names.map(({ deviceId }) => deviceId)}::bigint[], ${names.map(({ recordKey }) => recordKey)}::text[]
    ) as r(device_id, record_key)
    join invite_code_reading t on t.device_id = r.device_id and t.record_key = r.record_key
    where t.owner_id = ${ownerId}
  `)
  return rows.map(row => ({ ...row, state: keyOf(readingState, row.state) ?? 'returned' }))
}

export async function insertReading(tx: Tx, scope: Scope, reading: NewReading): Promise<void> {
  const { projectCode, visitorId, doorwayId, deviceId, recordKey, isCounted, usedTimes } = reading
  const now = sql`${scope.time}::timestamptz`
  await tx.execute(sql`
    insert into invite_code_reading (
      owner_id, project_code, visitor_id, doorway_id, device_id, record_key, reading_time, is_counted,
      used_times, state, create_time, update_time
    )
    values (
      ${scope.ownerId}, ${projectCode}, ${visitorId}, ${doorwayId}, ${deviceId}, ${recordKey}, ${now},
      ${isCounted}, ${usedTimes}, ${code(readingState, 'granted')}, ${now}, ${now}
    )
  `)
}

/** A reader reads a code that is held before it several times: it is the same entrance (ACS-5). */
export const hasJustOpened = async (
  tx: Tx,
  { ownerId, time }: Scope,
  visitorId: Id,
  { doorwayId, sinceMs }: { readonly doorwayId: Id; readonly sinceMs: number },
): Promise<boolean> =>
  (await tx.one(sql`
    select 1 as found
    from invite_code_reading
    where owner_id = ${ownerId}
      and visitor_id = ${visitorId}
      and doorway_id = ${doorwayId}
      and state <> ${code(readingState, 'returned')}
      and reading_time >= ${new Date(Date.parse(time) - sinceMs)}
    limit 1
  `)) !== undefined

const setState = (tx: Tx, scope: Scope, ids: readonly Id[], state: ReadingState): Promise<number> =>
  tx.execute(sql`
    update invite_code_reading
    set state = ${codeOf(readingState, state)}, update_time = ${scope.time}::timestamptz
    where owner_id = ${scope.ownerId} and id = any(${[...ids]}::bigint[])
  `)

/** An entrance whose door did not open is to be had again. */
async function giveBack(tx: Tx, scope: Scope, readings: readonly CodeReading[]): Promise<void> {
  const counts = Map.groupBy(
    readings.filter(({ isCounted }) => isCounted),
    ({ visitorId }) => visitorId,
  )
  await tx.execute(sql`
    update invite_visitor t
    set used_times = greatest(t.used_times - r.count, 0),
      arrive_time = case when t.used_times <= r.count then null else t.arrive_time end, ${touch(scope)}
    from unnest(
      ${[...counts.keys()]}::bigint[], ${[...counts.values()].map(({ length }) => length)}::int[]
    ) as r(id, count)
    where t.owner_id = ${scope.ownerId} and t.id = r.id
  `)
}

/**
 * Passages say how what was granted ended: the door was opened, or the entrance is given back. Returns the
 * names of those that are counted already. May run again for the same passages.
 */
export async function settleReadings(
  tx: Tx,
  scope: Scope,
  passages: readonly StoredPassage[],
): Promise<ReadonlySet<string>> {
  const opened = new Set(
    passages.filter(({ openStatus }) => openStatus === 'opened').map(passage => nameOfReading(passage)),
  )
  const readings = await findReadings(tx, scope.ownerId, passages)
  const granted = Map.groupBy(
    readings.filter(({ state }) => state === 'granted'),
    reading => (opened.has(nameOfReading(reading)) ? 'opened' : 'returned'),
  )
  for (const [state, some] of granted) {
    const ids = some.map(({ id }) => id)
    await setState(tx, scope, ids, state)
  }
  const returned = granted.get('returned') ?? []
  if (returned.length) {
    await giveBack(tx, scope, returned)
  }
  const counted = readings.filter(({ isCounted, state }) => isCounted && state !== 'returned')
  return new Set(counted.map(nameOfReading).filter(name => opened.has(name)))
}

/** Once a day. */
export async function deletePastReadings(app: App): Promise<void> {
  const before = fromInstant(app.clock() - keptReadingDays * 86_400_000)
  const isPast = sql`reading_time < ${before}::timestamptz`
  const due = sql<{ ownerId: Id }>`select distinct owner_id from invite_code_reading where ${isPast}`
  await forEachDueCompany(app.database, due, (tx, ownerId) =>
    tx.execute(sql`delete from invite_code_reading where owner_id = ${ownerId} and ${isPast}`),
  )
}
