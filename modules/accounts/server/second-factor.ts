import { refuse } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { live } from '#kit/server/sql.ts'
import { resetSecondFactor } from '../contract/manager.ts'
import { auditManagerChange, endSessionsOnCommit, requireManageableAccounts } from './granting.ts'
import { notifySecondFactorReset } from './account-notifications.ts'
import { requiresSecondFactorSql } from './sign-in.ts'

/**
 * Of these accounts, those whose roles ask for a second factor that they have not bound: they sign in anew
 * and are led to it.
 */
export const findAccountsMissingFactor = async (
  tx: Tx,
  owner: number,
  ids: readonly number[],
): Promise<number[]> =>
  (
    await tx.rows<{ id: number }>(
      sql`
        select m.id
        from manager m
        join manager_secret s on s.owner_id = m.owner_id and s.manager_id = m.id
        where m.owner_id = ${owner}
          and m.id = any(${ids}::bigint[])
          and ${live('m')}
          and s.totp is null
          and ${requiresSecondFactorSql}
      `,
    )
  ).map(m => m.id)

export const secondFactorHandlers = [
  writes(resetSecondFactor, async ({ id, reason }, { tx, scope, app }) => {
    await requireManageableAccounts(tx, scope, [id])
    const had = await tx.execute(
      sql`
        update manager_secret
        set totp = null, totp_pending = null, totp_step = 0, recovery = null
        where owner_id = ${scope.ownerId} and manager_id = ${id} and totp is not null
      `,
    )
    if (!had) refuse('该账号没有绑定动态验证码，无需重置')
    await auditManagerChange(tx, scope, id, `重置二次验证：${reason}`)
    await notifySecondFactorReset(tx, app, scope, id)
    endSessionsOnCommit(tx, app, scope.ownerId, [id])
  }),
]
