import type { Id } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { anonymous, writes } from '#kit/server/handler.ts'
import type { Caller } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { resetSecondFactor } from '../contract/manager.ts'
import { beginTotp, confirmTotp, endTotp } from '../contract/second-factor.ts'
import { notifySecondFactorReset } from './account-notifications.ts'
import { createFieldRefusal } from './field-refusal.ts'
import { auditManagerChange, endSessionsOnCommit, requireManageableAccounts } from './granting.ts'
import { requireOwnPassword } from './identity-check.ts'
import { callerActor, requireCaller } from './request-actor.ts'
import { requiresSecondFactor } from './sign-in-account.ts'
import {
  createAuthenticatorUri,
  findMatchingStep,
  generateRecoveryCodes,
  generateTotpSecret,
  hashRecoveryCode,
  loadSecondFactor,
  verifySecondFactor,
} from './totp.ts'

/** Of these accounts, those whose roles require a second factor that they have not bound. */
export async function findAccountsMissingFactor(tx: Tx, ownerId: Id, ids: readonly Id[]): Promise<Id[]> {
  const rows = await tx.rows<{ id: Id }>(
    sql`
      select m.id
      from manager m
      join manager_secret s on s.owner_id = ${ownerId} and s.manager_id = m.id
      where m.owner_id = ${ownerId}
        and m.id = any(${ids}::bigint[])
        and ${notDeleted('m')}
        and s.totp is null
        and ${requiresSecondFactor(ownerId)}
    `,
  )
  return rows.map(row => row.id)
}

async function isFactorRequired(db: Pick<Db, 'one'>, { ownerId, operatorId }: Caller): Promise<boolean> {
  const required = await db.one(
    sql`
      select 1 as required
      from manager m
      where m.owner_id = ${ownerId} and m.id = ${operatorId} and ${requiresSecondFactor(ownerId)}
    `,
  )
  return required !== undefined
}

/** Removes a factor, bound or started, with its recovery codes. */
const removeFactor = (tx: Tx, ownerId: Id, managerId: Id): Promise<number> =>
  tx.execute(
    sql`
      update manager_secret
      set totp = null, totp_pending = null, totp_step = 0, recovery = null
      where owner_id = ${ownerId} and manager_id = ${managerId}
    `,
  )

export const secondFactorHandlers = [
  anonymous(beginTotp, async ({ password }, c) => {
    const caller = requireCaller(c)
    const account = await requireOwnPassword(c, caller, password)
    const secret = generateTotpSecret()
    const changed = await c.app.database.tx(caller.ownerId, tx =>
      tx.execute(
        sql`
          update manager_secret
          set totp_pending = ${secret}
          where owner_id = ${caller.ownerId} and manager_id = ${caller.operatorId} and totp is null
        `,
      ),
    )
    if (!changed) refuse('动态验证码已经开启；需要更换请先关闭')
    return { secret, uri: createAuthenticatorUri(account.loginCode, secret) }
  }),
  anonymous(confirmTotp, async ({ code }, c) => {
    const caller = requireCaller(c)
    const recovery = generateRecoveryCodes()
    await c.app.database.tx(caller.ownerId, async tx => {
      const pending = await tx.one<{ secret?: string }>(
        sql`
          select totp_pending as secret
          from manager_secret
          where owner_id = ${caller.ownerId} and manager_id = ${caller.operatorId}
          for update
        `,
      )
      if (!pending?.secret) return refuse('请先扫描二维码')
      const step = findMatchingStep(pending.secret, code, c.app.clock(), 0)
      if (step === undefined) throw createFieldRefusal('Code', '动态验证码不正确，请核对手机时间后重试')
      await tx.execute(
        sql`
          update manager_secret
          set totp = totp_pending, totp_pending = null, totp_step = ${step},
            recovery = ${recovery.map(hashRecoveryCode)}::text[]
          where owner_id = ${caller.ownerId} and manager_id = ${caller.operatorId}
        `,
      )
      await audit(tx, callerActor(c, caller), [
        { action: 'update', entity: 'manager', entityId: caller.operatorId, reason: '开启动态验证码' },
      ])
    })
    // An account that had to bind a factor first may work from now on.
    await c.app.sessions.refresh(caller.ownerId, caller.operatorId)
    return { recovery }
  }),
  anonymous(endTotp, async ({ password, code }, c) => {
    const caller = requireCaller(c)
    const { database, clock } = c.app
    await requireOwnPassword(c, caller, password)
    if (await isFactorRequired(database.reader(caller.ownerId), caller))
      refuse(`你的角色要求二次验证，不能关闭；更换手机请联系${caller.granterLabel ?? '管理员'}重置`)
    if (!(await verifySecondFactor(database, caller.ownerId, caller.operatorId, code, clock())))
      throw createFieldRefusal('Code', '动态验证码不正确')
    await database.tx(caller.ownerId, async tx => {
      await removeFactor(tx, caller.ownerId, caller.operatorId)
      await audit(tx, callerActor(c, caller), [
        { action: 'update', entity: 'manager', entityId: caller.operatorId, reason: '关闭动态验证码' },
      ])
    })
  }),
  writes(resetSecondFactor, async ({ id, reason }, { tx, scope, app }) => {
    await requireManageableAccounts(tx, scope, [id])
    const factor = await loadSecondFactor(tx, scope.ownerId, id, 'lock')
    if (!factor?.totp) refuse('该账号未绑定动态验证码，无需重置')
    await removeFactor(tx, scope.ownerId, id)
    await auditManagerChange(tx, scope, id, `重置二次验证：${reason}`)
    await notifySecondFactorReset(tx, app, scope, id)
    endSessionsOnCommit(tx, app, scope.ownerId, [id])
  }),
]
