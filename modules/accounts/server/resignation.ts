import type { Id } from '#kit/domain/id.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, update } from '#kit/server/table.ts'
import { getOpenWork, manager, resignManager } from '../contract/manager.ts'
import { endSessionsOnCommit, requireManageableAccounts } from './granting.ts'
import { describeOpenWork, listOpenWork, publishAccountLeft, type OpenWork } from './open-work.ts'

/** Gives all open work to an active colleague; refuses anybody else. */
async function handOverWork(
  tx: Tx,
  scope: Scope,
  work: readonly OpenWork[],
  from: Id,
  to: Id,
): Promise<void> {
  const [colleague] = await findByIds(tx, manager, scope, [to], { lock: true })
  if (colleague?.state !== 'on' || to === from)
    throw invalidInput([{ Field: 'HandTo', Message: '交接人不存在或已停用，请另选一位' }])
  for (const { handOver } of work) {
    await handOver(tx, scope, from, to)
  }
}

export const resignationHandlers = [
  reads(getOpenWork, async ({ id }, { db, scope }) => listOpenWork(db, scope, id)),
  writes(resignManager, async ({ id, handTo, reason }, { tx, scope, app }) => {
    const [leaving] = await requireManageableAccounts(tx, scope, [id])
    const work = await listOpenWork(tx, scope, id)
    if (handTo !== undefined) {
      await handOverWork(tx, scope, work, id, handTo)
    } else if (work.length) {
      throw invalidInput([{ Field: 'HandTo', Message: `还有${describeOpenWork(work)}，请选择交接人` }])
    }
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
    return work.map(({ what, count }) => ({ what, count }))
  }),
]
