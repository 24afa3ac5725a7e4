import type { ApprovalStage, CheckType } from '../contract/choices.ts'

const stagesOf: { readonly [C in CheckType]: readonly ApprovalStage[] } = {
  exempt: [],
  host: ['host'],
  property: ['property'],
  both: ['host', 'property'],
}

/** Together: what either asks for. */
export function strictest(first: CheckType, second: CheckType): CheckType {
  const stages = new Set([...stagesOf[first], ...stagesOf[second]])
  if (stages.size === 2) return 'both'
  return stages.has('host') ? 'host' : stages.has('property') ? 'property' : 'exempt'
}

/**
 * Who has to consent next (VIS-1): first the host, then the property. A host who asks has consented by
 * asking, and staff who invite to the property itself have no other host.
 */
export const nextStage = (
  checkType: CheckType,
  consented: ReadonlySet<ApprovalStage>,
): ApprovalStage | undefined => stagesOf[checkType].find(stage => !consented.has(stage))
