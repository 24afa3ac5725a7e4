import { labelOf } from '#kit/contract/field.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { visitState, type VisitState } from '../contract/choices.ts'
import type { Invitation } from '../contract/invitation.ts'
import type { InviteVisitor } from '../contract/visitor.ts'

export type VisitAction = 'decide' | 'edit' | 'cancel' | 'extend' | 'complete'

const allowedIn: { readonly [A in VisitAction]: readonly VisitState[] } = {
  decide: ['pending'],
  edit: ['pending', 'passed'],
  cancel: ['pending', 'passed'],
  extend: ['passed', 'arrived'],
  complete: ['pending', 'passed'],
}

const actionLabels: { readonly [A in VisitAction]: string } = {
  decide: '审批',
  edit: '修改',
  cancel: '取消',
  extend: '延长',
  complete: '补充资料',
}

export const canDo = (action: VisitAction, state: VisitState): boolean => allowedIn[action].includes(state)

/** Why not, in words (VIS-6: cancelled before the arrival alone). */
export const actionRefusal = (action: VisitAction, state: VisitState): string | undefined =>
  canDo(action, state) ? undefined : `${labelOf(visitState, state)}的邀访不能${actionLabels[action]}`

type VisitorUse = Pick<InviteVisitor, 'state' | 'maxTimes' | 'usedTimes' | 'endTime'>

const hasEntrance = ({ usedTimes, maxTimes }: VisitorUse): boolean => usedTimes < maxTimes

/** VIS-6: who has not come yet, or has left and may come again. */
export const canCancelVisitor = (visitor: VisitorUse, now: Moment): boolean =>
  canDo('cancel', visitor.state) ||
  (visitor.state === 'left' && hasEntrance(visitor) && visitor.endTime >= now)

/** Who is inside and may leave and come in again. */
export const canReturn = (visitor: VisitorUse): boolean => visitor.state === 'arrived' && hasEntrance(visitor)

export const canExtendVisitor = (visitor: VisitorUse): boolean =>
  canDo('extend', visitor.state) || (visitor.state === 'left' && hasEntrance(visitor))

/** Whether somebody of a visit that has begun may still come; the visitors decide it one by one. */
export const hasFurtherVisits = ({
  state,
  isGroup,
  maxTimes,
}: Pick<Invitation, 'state' | 'isGroup' | 'maxTimes'>): boolean =>
  (state === 'left' && (isGroup || maxTimes > 1)) || (state === 'arrived' && isGroup)

/** What an invitation is, by its visitors: somebody is inside, or all who came have left. */
export function stateOfVisitors(states: readonly VisitState[], before: VisitState): VisitState {
  if (states.includes('arrived')) return 'arrived'
  return states.includes('left') ? 'left' : before
}
