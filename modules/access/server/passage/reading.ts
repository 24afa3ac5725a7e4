import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  registerReadingDecider,
  type CodeReading,
  type ReadingDecision,
} from '#modules/devices/server/public.ts'
import { canOpen } from '../reach/decision.ts'
import { sourceOfCredential, type CodeEntrance } from '../reach/credential-source.ts'
import { keyOfRecord } from './new-passage.ts'

/** Of a passage that is older nobody asks any more. */
const maxDelayMs = 86_400_000

/** Whether the passage of a reading has come already, by itself or as a repeat of an opening. */
export const hasPassage = async (
  tx: Tx,
  { ownerId, time }: Scope,
  reading: Pick<CodeEntrance, 'deviceId' | 'doorwayId' | 'recordKey'>,
): Promise<boolean> => {
  const since = new Date(Date.parse(time) - maxDelayMs)
  const { deviceId, doorwayId, recordKey } = reading
  const found = await tx.one(sql`
    select 1 as found
    from access_record
    where owner_id = ${ownerId}
      and device_id = ${deviceId}
      and record_key = ${recordKey}
      and create_time >= ${since}
    union all
    select 1
    from access_record
    where owner_id = ${ownerId}
      and doorway_id = ${doorwayId}
      and record_time >= ${since}
      and create_time >= ${since}
      and ${keyOfRecord(reading)} = any(merged_keys)
    limit 1
  `)
  return found !== undefined
}

/** ACS-2, VIS-2: whether a door lets in, decided here and counted with the answer. */
async function decideReading(tx: Tx, scope: Scope, reading: CodeReading): Promise<ReadingDecision> {
  const { deviceId, recordKey, itemKey, projectCode } = reading
  const { ownerId } = scope
  const countEntrance = sourceOfCredential(itemKey)?.countEntrance
  const doorway = await tx.one<{ doorwayId: Id }>(sql`
    select doorway_id
    from doorway_device
    where owner_id = ${ownerId} and device_id = ${deviceId} and ${notDeleted()}
  `)
  if (!countEntrance || !doorway) return { isOpen: false, reason: '设备未绑定到门，请门岗放行' }
  const { doorwayId } = doorway
  return countEntrance(tx, scope, {
    projectCode,
    number: itemKey.slice(itemKey.indexOf(':') + 1),
    doorwayId,
    deviceId,
    recordKey,
    judge: () =>
      canOpen(tx, ownerId, {
        key: itemKey,
        doorwayId,
        at: fromInstant(Date.parse(scope.time)),
        direction: 'entrance',
      }),
  })
}

registerReadingDecider(decideReading)
