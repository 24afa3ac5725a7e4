import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { itemAction, itemState } from '#modules/devices/contract/choices.ts'
import { onItemsReported } from '#modules/devices/server/public.ts'
import { recordFaceStates } from '#modules/residents/server/public.ts'
import { valuesOfKind } from '../reach/credential-source.ts'

interface FaceProgress {
  readonly itemKey: string
  readonly isEverywhere: boolean
  readonly reason?: string
}

const stateOf = ({ isEverywhere, reason }: FaceProgress): 'waiting' | 'good' | 'failed' => {
  if (reason !== undefined) return 'failed'
  return isEverywhere ? 'good' : 'waiting'
}

const faceIdOf = (key: string): Id => parseId(valuesOfKind([key], 'face')[0])

/** What the devices of a project say of some faces. */
const findProgress = (
  tx: Tx,
  ownerId: Id,
  projectCode: string,
  keys: readonly string[],
): Promise<FaceProgress[]> =>
  tx.rows(sql`
    select t.item_key, bool_and(t.state = ${code(itemState, 'done')}) as is_everywhere,
      max(t.reason) filter (where t.state = ${code(itemState, 'failed')}) as reason
    from device_item t
    where t.owner_id = ${ownerId}
      and t.device_id = any(
        array(
          select l.device_id
          from doorway_device l
          where l.owner_id = ${ownerId} and l.project_code = ${projectCode} and ${notDeleted('l')}
        )
      )
      and t.item_key = any(${[...keys]}::text[])
      and t.action = ${code(itemAction, 'put')}
    group by t.item_key
  `)

/** ACS-1: a face is 有效 once all its devices have it, 下发失败 with the reason of the one that refuses it. */
onItemsReported(async (tx, { ownerId, projectCode, keys, time }) => {
  const faceKeys = keys.filter(key => valuesOfKind([key], 'face').length)
  if (!faceKeys.length) return
  const load = async () =>
    (await findProgress(tx, ownerId, projectCode, faceKeys)).map(progress => ({
      id: faceIdOf(progress.itemKey),
      state: stateOf(progress),
      reason: progress.reason,
    }))
  await recordFaceStates(tx, ownerId, faceKeys.map(faceIdOf), load, time)
})
