import type { FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { requireById } from '#kit/server/table.ts'
import { canDeleteRule } from '../contract/invitations.ts'
import { inviteRule, inviteRules, pickRules, type InviteRule } from '../contract/rule.ts'
import { questionFaults } from '../domain/questions.ts'

type Draft = Pick<InviteRule, 'questions'>

export const ruleServer = crudHandlers(inviteRules, {
  unique: { invite_rule_name_live: '该项目已有同名规则，请更换' },
  refusesChangeOf: ['projectCode'],
  pickers: [pickRules],
  check: ({ questions }: Draft): FieldFault[] => questionFaults(questions ?? []),
})

async function countInvitations(db: Db, ownerId: Id, ruleId: Id): Promise<number> {
  const found = await db.one<{ n: number }>(sql`
    select count(*)::int as n
    from visitor_invitation
    where owner_id = ${ownerId} and rule_id = ${ruleId} and ${notDeleted()}
  `)
  return found?.n ?? 0
}

export const ruleHandlers = [
  reads(canDeleteRule, async ({ id }, { db, scope }) => {
    await requireById(db, inviteRule, scope, id)
    const used = await countInvitations(db, scope.ownerId, id)
    return used
      ? { canDelete: false, reason: `已有 ${used} 个邀访使用该规则，不能删除；不再使用请停用` }
      : { canDelete: true }
  }),
]
