import { Refused } from '#kit/contract/wire.ts'
import { reads } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { listQuestions } from '../contract/asked-questions.ts'
import { invitation } from '../contract/invitation.ts'
import type { Question } from '../domain/questions.ts'
import { requireRule, ruleOfInvitation } from './applied-rule.ts'
import { requireHost } from './hosts.ts'
import type { VisitQueryContext } from './visit-context.ts'

type Asked = NonNullable<typeof listQuestions.input.T>

async function questionsOf(asked: Asked, c: VisitQueryContext): Promise<readonly Question[]> {
  const { tx, scope } = c
  const { invitationId, visitorKind, ruleId } = asked
  try {
    const { rule } =
      invitationId === undefined
        ? await requireRule(tx, scope, await requireHost(c, asked), visitorKind, ruleId)
        : await ruleOfInvitation(
            tx,
            scope,
            await requireById(tx, invitation, scope, invitationId),
            visitorKind,
          )
    return rule.questions ?? []
  } catch (error) {
    // The form is not filled in as far, or no rule allows the visit: the reason is shown when it is saved.
    if (error instanceof Refused) return []
    throw error
  }
}

export const questionHandlers = [
  reads(listQuestions, (asked, { db, ...c }) => questionsOf(asked, { ...c, tx: db })),
]
