import { codeOf } from '#kit/contract/field.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { sqlArray } from '#kit/server/sql-array.ts'
import { openMethod, openStatus, passageDirection, personKind } from '../../contract/choices.ts'
import { mergePassages, mergeWindowMs, remoteWindowMs } from '../../domain/passage-merge.ts'
import { findNeighbours, recordKeysOf, type Neighbour } from './neighbours.ts'
import { identityOf, isRemote, keyOfRecord, type NewPassage } from './new-passage.ts'
import { publishPassages, type StoredPassage } from './passage-event.ts'
import { splitSecondReadings } from './second-reading.ts'
import { savePictures, type SavedPicture } from './pictures.ts'

export interface Added {
  readonly passage: NewPassage
  readonly mergedKeys: readonly string[]
}

interface Repeat {
  readonly id: Id
  readonly createTime: Date
  readonly key: string
}

/** Never the same passing: only its own number says that it is there already. */
const never = -1

/** What is new, and what repeats a record that is there. */
function sortOut(
  passages: readonly NewPassage[],
  neighbours: readonly Neighbour[],
): { readonly added: readonly Added[]; readonly repeats: readonly Repeat[] } {
  const storedOf = Map.groupBy(neighbours, ({ identity }) => identity)
  const added: Added[] = []
  const repeats: Repeat[] = []
  for (const [identity, incoming] of Map.groupBy(passages, identityOf)) {
    const stored = storedOf.get(identity) ?? []
    const isRemoteGroup = incoming.some(isRemote)
    const windowMs = isRemoteGroup ? remoteWindowMs : mergeWindowMs
    const merged = mergePassages({
      stored: stored.map(neighbour => ({ keys: recordKeysOf(neighbour), atMs: neighbour.atMs })),
      incoming,
      keyOf: keyOfRecord,
      timeOf: ({ atMs }) => atMs,
      windowMs: identity === undefined ? never : windowMs,
    })
    added.push(...merged.added)
    for (const [place, keys] of merged.repeated) {
      const { id, createTime } = defined(stored[place])
      repeats.push(...keys.map(key => ({ id, createTime, key })))
    }
  }
  return { added, repeats }
}

/** The same, with second readings of a code as repeats of the opening. */
function sortOutAll(passages: readonly NewPassage[], neighbours: readonly Neighbour[]) {
  const { others, ofStored, ofIncoming } = splitSecondReadings(passages, neighbours)
  const { added, repeats } = sortOut(others, neighbours)
  return {
    added: added.map(({ passage, mergedKeys }) => ({
      passage,
      mergedKeys: [
        ...mergedKeys,
        ...ofIncoming.flatMap(({ key, opening }) => (opening === passage ? [key] : [])),
      ],
    })),
    repeats: [
      ...repeats,
      ...ofStored.map(({ key, opening: { id, createTime } }) => ({ id, createTime, key })),
    ],
  }
}

async function addRepeats(tx: Tx, ownerId: Id, repeats: readonly Repeat[]): Promise<void> {
  if (!repeats.length) return
  await tx.execute(sql`
    update access_record t
    set merged_keys = coalesce(t.merged_keys, '{}') || r.keys
    from (
      select u.id, array_agg(u.key) as keys
      from unnest(
        ${sqlArray(
          'bigint',
          repeats.map(each => each.id),
        )}, ${sqlArray(
          'text',
          repeats.map(each => each.key),
        )}
      ) as u(id, key)
      group by u.id
    ) r
    where t.owner_id = ${ownerId}
      and t.id = r.id
      and t.create_time >= ${new Date(Math.min(...repeats.map(each => each.createTime.getTime())) - 1)}
  `)
}

/** Rows as they are: what they repeat has been looked for. */
export async function insertPassages(
  tx: Tx,
  scope: Scope,
  added: readonly Added[],
  pictures: readonly SavedPicture[],
): Promise<StoredPassage[]> {
  const column = (
    type: 'bigint' | 'text' | 'smallint' | 'boolean' | 'numeric',
    valueOf: (passage: NewPassage) => string | number | boolean | undefined,
  ) =>
    sqlArray(
      type,
      added.map(({ passage }) => valueOf(passage) ?? null),
    )
  const texts = (values: readonly (string | undefined)[]) =>
    sqlArray(
      'text',
      values.map(value => value ?? null),
    )
  const rows = await tx.rows<{ id: Id; deviceId: Id; recordKey: string }>(sql`
    insert into access_record (
      owner_id, create_time, update_time, project_code, doorway_id, device_id, record_key, record_time,
      is_time_doubtful, open_method, open_status, direction, person_kind, user_id, staff_id, person_name,
      room_id, card_no, plate_no, item_key, reason, temperature, picture, picture_fault, merged_keys
    )
    select ${scope.ownerId}::bigint, ${scope.time}::timestamptz, ${scope.time}::timestamptz, r.project_code,
      r.doorway_id, r.device_id, r.record_key, r.record_time, r.is_time_doubtful, r.open_method, r.open_status,
      r.direction, r.person_kind, r.user_id, r.staff_id, r.person_name, r.room_id, r.card_no, r.plate_no,
      r.item_key, r.reason, r.temperature, r.picture, r.picture_fault, string_to_array(r.keys, chr(10))
    from unnest(
      ${column('text', p => p.projectCode)}, ${column('bigint', p => p.doorwayId)},
      ${column('bigint', p => p.deviceId)}, ${column('text', p => p.recordKey)},
      ${added.map(({ passage }) => new Date(passage.atMs))}::timestamptz[],
      ${column('boolean', p => p.isTimeDoubtful)}, ${column('smallint', p => codeOf(openMethod, p.openMethod))},
      ${column('smallint', p => codeOf(openStatus, p.openStatus))},
      ${column('smallint', p => codeOf(passageDirection, p.direction))},
      ${column('smallint', p => p.personKind && codeOf(personKind, p.personKind))},
      ${column('bigint', p => p.userId)}, ${column('bigint', p => p.staffId)},
      ${column('text', p => p.personName)}, ${column('bigint', p => p.roomId)},
      ${column('text', p => p.cardNo)}, ${column('text', p => p.plateNo)}, ${column('text', p => p.itemKey)},
      ${column('text', p => p.reason)}, ${column('numeric', p => p.temperature)},
      ${texts(pictures.map(({ key }) => key))}, ${texts(pictures.map(({ fault }) => fault))},
      ${texts(added.map(({ mergedKeys }) => mergedKeys.join('\n') || undefined))}
    ) as r(
      project_code, doorway_id, device_id, record_key, record_time, is_time_doubtful, open_method, open_status,
      direction, person_kind, user_id, staff_id, person_name, room_id, card_no, plate_no, item_key, reason,
      temperature, picture, picture_fault, keys
    )
    returning id, device_id, record_key
  `)
  const idOf = new Map(rows.map(row => [keyOfRecord(row), row.id]))
  return added.map(({ passage }) => ({
    ...passage,
    id: defined(idOf.get(keyOfRecord(passage))),
    at: new Date(passage.atMs).toISOString(),
  }))
}

/** Stores each passing once, whatever comes again, and publishes those that are new (ACS-5). */
export async function storePassages(
  app: App,
  tx: Tx,
  scope: Scope,
  passages: readonly NewPassage[],
  neighbours?: readonly Neighbour[],
): Promise<void> {
  if (!passages.length) return
  const { ownerId } = scope
  const known = neighbours ?? (await findNeighbours(tx, ownerId, passages, Date.parse(scope.time)))
  const { added, repeats } = sortOutAll(passages, known)
  await addRepeats(tx, ownerId, repeats)
  if (!added.length) return
  const pictures = await savePictures(
    app,
    tx,
    ownerId,
    added.map(({ passage }) => passage),
  )
  await publishPassages(tx, scope, await insertPassages(tx, scope, added, pictures))
  app.live.publishOnCommit(tx, ownerId, { topic: 'passages' }, 'passages')
}
