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
import { mergeWindowMs } from '../../domain/passage-merge.ts'
import { canOpen } from '../reach/decision.ts'
import { sourceOfCredential } from '../reach/credential-source.ts'

/** A code that is held before a reader is read several times. */
export const sameEntranceMs = mergeWindowMs

/** Of a passage that is older nobody asks any more. */
const maxDelayMs = 86_400_000

/** Whether the passage of a reading has come already. */
export const hasPassage = async (
  tx: Tx,
  { ownerId, time }: Scope,
  { deviceId, recordKey }: { readonly deviceId: Id; readonly recordKey: string },
): Promise<boolean> =>
  (await tx.one(sql`
    select 1 as found
    from access_record
    where owner_id = ${ownerId}
      and device_id = ${deviceId}
      and record_key = ${recordKey}
      and create_time >= ${new Date(Date.parse(time) - maxDelayMs)}
  `)) !== undefined

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
