import type { Id } from '#kit/domain/id.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, update } from '#kit/server/table.ts'
import { getOpenWork, manager, resignManager } from '../contract/manager.ts'
import { endSessionsOnCommit, requireManageableAccounts } from './granting.ts'
import { describeOpenWork, listOpenWork, publishAccountLeft, type OpenWork } from './open-work.ts'

interface HandedWork extends Pick<OpenWork, 'what' | 'count'> {
  readonly remark?: string | undefined
}

/** Gives all open work to an active colleague; refuses anybody else. */
async function handOverWork(
  tx: Tx,
  scope: Scope,
  work: readonly OpenWork[],
  from: Id,
  to: Id,
): Promise<HandedWork[]> {
  const [colleague] = await findByIds(tx, manager, scope, [to], { lock: true })
  if (colleague?.state !== 'on' || to === from)
    throw invalidInput([{ Field: 'HandTo', Message: '交接人不存在或已停用，请另选一位' }])
  const handed: HandedWork[] = []
  for (const { what, count, handOver, describeLoad } of work) {
    await handOver(tx, scope, from, to)
    handed.push({ what, count, remark: await describeLoad?.(tx, scope, to) })
  }
  return handed
}

export const resignationHandlers = [
  reads(getOpenWork, async ({ id }, { db, scope }) => listOpenWork(db, scope, id)),
  writes(resignManager, async ({ id, handTo, reason }, { tx, scope, app }) => {
    const [leaving] = await requireManageableAccounts(tx, scope, [id])
    const work = await listOpenWork(tx, scope, id)
    if (handTo === undefined && work.length)
      throw invalidInput([{ Field: 'HandTo', Message: `还有${describeOpenWork(work)}，请选择交接人` }])
    const handed = handTo === undefined ? [] : await handOverWork(tx, scope, work, id, handTo)
    await update(
      tx,
      manager,
      scope,
      id,
      { state: 'off', wechatOpenId: undefined },
      { reason: `${leaving?.name ?? ''}离职：${reason}` },
    )
    await publishAccountLeft(tx, scope, id)
    endSessionsOnCommit(tx, app, scope.ownerId, [id])
    return handed
  }),
]
