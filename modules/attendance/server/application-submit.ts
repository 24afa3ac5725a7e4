import { dayOfMoment } from '#kit/domain/moment.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { storedFileFaults } from '#kit/server/file-access.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import type { AttendanceApply } from '../contract/apply.ts'
import { askForApproval, needsApproval, type ApplicationFacts } from './application-approval.ts'
import { applyApprovedApplication, assertApplicationOpen } from './application-effects.ts'
import { applyFaults, lengthOf, type ApplyDraft, type RulesContext } from './application-rules.ts'

export const factsOf = async (
  draft: ApplyDraft,
  { tx, scope, now }: RulesContext,
): Promise<ApplicationFacts> => ({
  ...draft,
  ...(await lengthOf(draft, { db: tx, scope, now })),
})

/** What is computed of a document from its draft. */
export const derivedOf = (
  { applyType: type, beginTime }: Pick<ApplyDraft, 'applyType' | 'beginTime'>,
  { hours }: ApplicationFacts,
) => ({
  hours,
  mendDate: type === 'mend' && beginTime ? dayOfMoment(beginTime) : undefined,
})

/** What is stored of a document beside its draft: it waits where its sort is approved, else it passes. */
export async function prepareApplication(draft: ApplyDraft, c: WriteContext) {
  const faults = [
    ...(await applyFaults(draft, c)),
    ...(await storedFileFaults(c, 'Attachments', draft.attachments)),
  ]
  if (faults.length) throw invalidInput(faults)
  const facts = await factsOf(draft, c)
  return {
    state: (await needsApproval(c, facts)) ? ('pending' as const) : ('passed' as const),
    registrar: c.scope.name,
    ...derivedOf(draft, facts),
  }
}

/** After it was stored: sent to its approvers, or in effect. */
export async function settleApplication(
  row: AttendanceApply,
  c: WriteContext,
  draft: ApplyDraft,
): Promise<void> {
  if (row.state !== 'pending') return applyApprovedApplication(c, row)
  await assertApplicationOpen(c.tx, c.scope, row, row.applyType === 'swap' ? 'WorkDay' : 'BeginTime')
  await askForApproval(c, row, await factsOf(draft, c), draft.chosen)
}
