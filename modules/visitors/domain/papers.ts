import type { InviteRule } from '../contract/rule.ts'
import type { InviteVisitor } from '../contract/visitor.ts'

type Papers = Partial<Pick<InviteVisitor, 'certNo' | 'face' | 'checkPhoto'>>

export interface MissingPapers {
  readonly needsCert: boolean
  readonly needsFace: boolean
}

/** VIS-1: what a rule asks for and is not there yet; a photo taken at a gate is a face as well. */
export const missingPapers = (
  { certNo, face, checkPhoto }: Papers,
  rule: Pick<InviteRule, 'needsCert' | 'needsFace'>,
): MissingPapers => ({
  needsCert: rule.needsCert && certNo === undefined,
  needsFace: rule.needsFace && face === undefined && checkPhoto === undefined,
})

/** Until then the code is shown to nobody and opens nothing. */
export const hasAllPapers = (visitor: Papers, rule: Pick<InviteRule, 'needsCert' | 'needsFace'>): boolean => {
  const { needsCert, needsFace } = missingPapers(visitor, rule)
  return !needsCert && !needsFace
}
