import type { Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { extraReason } from '../contract/choices.ts'
import type { SignInput } from './kinds.ts'
import { reasonText } from './sign-checks.ts'
import type { SignAnswer } from './signs.ts'
import type { Worker } from './worker.ts'

interface KnownSign {
  readonly uuid: string
  readonly isKept: boolean
  readonly extraReason?: number
  readonly stepId?: Id
  readonly taskId: Id
  readonly staffId: Id
}

/** The number is that of another sign: under a new one this may count. */
const takenAnswer = (uuid: string): SignAnswer => ({
  uuid,
  isKept: false,
  extraReason: 'notAssigned',
  message: '签到编号已用于其他签到，请重试',
})

/** Signs that were received before: the same answer again, nothing is done. */
export async function findKnown(
  tx: Tx,
  scope: Scope,
  worker: Worker,
  signs: readonly SignInput[],
): Promise<Map<string, SignAnswer>> {
  const taskByUuid = new Map(signs.map(({ uuid, taskId }) => [uuid, taskId]))
  const rows = await tx.rows<KnownSign>(sql`
    select uuid, is_kept, extra_reason, step_id, task_id, staff_id
    from work_sign
    where owner_id = ${scope.ownerId} and uuid = any(${[...taskByUuid.keys()]}::text[])
  `)
  return new Map(
    rows.map(({ uuid, isKept, extraReason: reasonCode, stepId, taskId, staffId }) => {
      if (staffId !== worker.id || taskId !== taskByUuid.get(uuid)) return [uuid, takenAnswer(uuid)]
      const reason = reasonCode === undefined ? undefined : keyOf(extraReason, reasonCode)
      const message = isKept || !reason ? '已签到' : reasonText(reason, undefined)
      return [
        uuid,
        { uuid, isKept, message, ...(reason && { extraReason: reason }), ...(stepId && { stepId }) },
      ]
    }),
  )
}
