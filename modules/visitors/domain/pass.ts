import type { Moment } from '#kit/domain/moment.ts'
import type { PassDirection, ValidResult, VisitState } from '../contract/choices.ts'

export interface PassingVisitor {
  readonly state: VisitState
  readonly beginTime: Moment
  readonly endTime: Moment
  readonly maxTimes: number
  readonly usedTimes: number
  readonly exitTimes: number
}

/** Of visits that are allowed: their codes may still open something. */
export const openStates: readonly VisitState[] = ['passed', 'arrived', 'left']

export const canPass = (state: VisitState): boolean => openStates.includes(state)

/** Nobody leaves who has not come in. */
function exitResult({ maxTimes, usedTimes, exitTimes }: PassingVisitor): ValidResult {
  if (exitTimes >= maxTimes) return 'usedUp'
  return exitTimes < usedTimes ? 'passed' : 'invalid'
}

/**
 * VIS-2: what a code is worth at a gate at a moment. Leaving is never refused for the hour: somebody who
 * stayed too long must get out.
 */
export function passResult(visitor: PassingVisitor, direction: PassDirection, now: Moment): ValidResult {
  if (visitor.state === 'expired') return 'expired'
  if (!canPass(visitor.state)) return 'invalid'
  if (direction === 'out') return exitResult(visitor)
  if (now < visitor.beginTime) return 'early'
  if (now > visitor.endTime) return 'expired'
  return visitor.usedTimes < visitor.maxTimes ? 'passed' : 'usedUp'
}

/** Within the project, as in a lift: while an entrance is left or the visitor is inside, until the end. */
export function stayResult(visitor: PassingVisitor, now: Moment): ValidResult {
  const result = passResult(visitor, 'in', now)
  return result === 'usedUp' ? exitResult(visitor) : result
}

/** At a way out, as its controller decides: it does not know who is inside. */
export function heldExitResult(visitor: PassingVisitor, now: Moment): ValidResult {
  const result = passResult(visitor, 'out', now)
  return result === 'invalid' ? passResult(visitor, 'in', now) : result
}

/** At a way out: of somebody who has not come in, the hours before that. */
export function exitDoorwayResult(visitor: PassingVisitor, now: Moment): ValidResult {
  const result = heldExitResult(visitor, now)
  return result === 'passed' ? passResult(visitor, 'out', now) : result
}
