import type { Id } from '#kit/domain/id.ts'
import type { Candidate } from './candidate-line.tsx'

const notOffered = '不在所选工单的接单范围内'

/**
 * The people as they stood when a drag began, each with what is known now: nobody moves under the hand.
 * Who is no longer offered keeps the place and cannot be given anything; who is new comes last.
 */
export function keepOrder(
  shown: readonly Candidate[],
  latest: readonly Candidate[] | undefined,
): readonly Candidate[] {
  if (!latest) return shown
  const byId = new Map(latest.map(person => [person.managerId, person]))
  const known = new Set(shown.map(person => person.managerId))
  return [
    ...shown.map(
      person => byId.get(person.managerId) ?? { ...person, canReceive: false, reason: notOffered },
    ),
    ...latest.filter(person => !known.has(person.managerId)),
  ]
}

/**
 * The order that comes next once some have been given to somebody: the one that is below them, else the
 * one above. Nothing where none is left.
 */
export function nextOrder(shown: readonly Id[], assigned: ReadonlySet<Id>): Id | undefined {
  const first = shown.findIndex(id => assigned.has(id))
  const isLeft = (id: Id): boolean => !assigned.has(id)
  return shown.slice(first).find(isLeft) ?? shown.slice(0, first).findLast(isLeft)
}
