import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import type { Caller } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { managerState, managerType, transferOwnership } from '../contract/manager.ts'
import { notifyOwnerChanged } from './account-notifications.ts'
import { createFieldRefusal } from './field-refusal.ts'
import { requireOwnPassword } from './identity-check.ts'
import { callerActor, requireCaller } from './request-actor.ts'
import { findAccountById, type SignInAccount } from './sign-in-account.ts'
import { consumeSmsCode } from './sms-code.ts'

function assertCanTransfer(caller: Caller): void {
  if (!caller.isOwner)
    throw new Refused(
      resultCode.forbidden,
      `只有超级管理员可以移交权限，请联系${caller.granterLabel ?? '超级管理员'}`,
    )
  if (caller.mustChangePassword) throw new Refused(resultCode.forbidden, '请先修改密码')
  if (caller.mustBindSecondFactor)
    throw new Refused(resultCode.forbidden, '你的角色要求二次验证，请先绑定动态验证码')
}

const createSuccessorRefusal = (): Refused => createFieldRefusal('ID', '接收人不存在或已停用，请另选一位')

async function findSuccessor(c: AnonymousContext, caller: Caller, id: Id): Promise<SignInAccount> {
  const successor = id === caller.operatorId ? undefined : await findAccountById(c, caller.ownerId, id)
  if (successor?.state !== codeOf(managerState, 'on')) throw createSuccessorRefusal()
  return successor
}

/**
 * The owner becomes a deputy with the role of all permissions, who can go on working. False where the caller
 * is no longer the owner: of two transfers at once the second one finds nothing to change.
 */
async function demoteOwner(tx: Tx, caller: Caller, time: string): Promise<boolean> {
  const fullRole = await tx.one<{ id: Id }>(
    sql`
      select id
      from role
      where owner_id = ${caller.ownerId} and everything and ${notDeleted()}
      order by id
      limit 1
    `,
  )
  const roleIds = fullRole ? [String(fullRole.id)] : null
  const changed = await tx.execute(
    sql`
      update manager
      set manager_type = ${code(managerType, 'deputy')}, role_ids = coalesce(${roleIds}::text[], role_ids),
        ${touch({ ...caller, time })}
      where owner_id = ${caller.ownerId}
        and id = ${caller.operatorId}
        and manager_type = ${code(managerType, 'owner')}
        and ${notDeleted()}
    `,
  )
  return changed > 0
}

async function promoteToOwner(tx: Tx, caller: Caller, id: Id, time: string): Promise<boolean> {
  const changed = await tx.execute(
    sql`
      update manager
      set manager_type = ${code(managerType, 'owner')}, all_project = true, show_privacy = true,
        ${touch({ ...caller, time })}
      where owner_id = ${caller.ownerId}
        and id = ${id}
        and state = ${code(managerState, 'on')}
        and ${notDeleted()}
    `,
  )
  return changed > 0
}

export const ownershipTransferHandlers = [
  anonymous(transferOwnership, async (input, c) => {
    const caller = requireCaller(c)
    const { database, sessions, live: publisher } = c.app
    assertCanTransfer(caller)
    const owner = await requireOwnPassword(c, caller, input.password)
    const successor = await findSuccessor(c, caller, input.id)
    if (!owner.mobile) throw createFieldRefusal('SmsCode', '你的账号未绑定手机号，请先在个人中心绑定手机')
    await consumeSmsCode(c.app, owner.mobile, 'transfer', input.smsCode)
    await database.tx(caller.ownerId, async tx => {
      const demoted = await demoteOwner(tx, caller, c.now)
      const promoted = await promoteToOwner(tx, caller, input.id, c.now)
      if (!demoted || !promoted) throw createSuccessorRefusal()
      await audit(tx, callerActor(c, caller), [
        {
          action: 'grant',
          entity: 'manager',
          entityId: input.id,
          before: { owner: owner.loginCode },
          after: { owner: successor.loginCode },
          reason: input.reason,
        },
      ])
      await notifyOwnerChanged(tx, c.app, owner, successor)
    })
    const both = [caller.operatorId, input.id]
    for (const id of both) {
      await sessions.refresh(caller.ownerId, id)
    }
    publisher.publish(caller.ownerId, both, 'rights')
    publisher.publish(caller.ownerId, both, 'owner-changed', {
      from: owner.realName,
      to: successor.realName,
    })
  }),
]
