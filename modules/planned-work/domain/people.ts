import type { Id } from '#kit/domain/id.ts'
import type { StaffMode } from '../contract/choices.ts'

/** Why somebody cannot be asked; undefined where they can. */
export type AbsenceOf = (staffId: Id) => string | undefined

export interface Absence {
  readonly staffId: Id
  readonly reason: string
}

/** One task of an occurrence: of a person, of any one of several, or of nobody. */
export interface Assignment {
  /** Part of the unique key: the person where each has a task of their own, else 0 (PAT-3). */
  readonly slot: Id
  readonly staffId?: Id
  readonly candidateIds?: readonly Id[]
}

export interface Assigned {
  readonly tasks: readonly Assignment[]
  /** Those who were passed over, in the order in which they were asked. */
  readonly absences: readonly Absence[]
  /** 无人可派 */
  readonly isNobody: boolean
}

/** From the person whose turn it is on, round to the one before. */
const inTurn = (staffIds: readonly Id[], turn: number): readonly Id[] => {
  const start = staffIds.length ? turn % staffIds.length : 0
  return [...staffIds.slice(start), ...staffIds.slice(0, start)]
}

/** The person who does an occurrence; people off duty or on leave are skipped (PAT-3). */
export function assign(
  mode: StaffMode,
  staffIds: readonly Id[],
  turn: number,
  absenceOf: AbsenceOf,
): Assigned {
  const asked = mode === 'rotation' ? inTurn(staffIds, turn) : staffIds
  const absences: Absence[] = []
  const present: Id[] = []
  for (const staffId of asked) {
    const reason = absenceOf(staffId)
    if (reason !== undefined) {
      absences.push({ staffId, reason })
      continue
    }
    present.push(staffId)
    // The next in turn does it: those behind are not asked.
    if (mode === 'rotation') break
  }
  const [first] = present
  if (first === undefined) return { tasks: [{ slot: 0 }], absences, isNobody: true }
  return { tasks: tasksOf(mode, first, present), absences, isNobody: false }
}

function tasksOf(mode: StaffMode, first: Id, present: readonly Id[]): readonly Assignment[] {
  if (mode === 'everyone') return present.map(staffId => ({ slot: staffId, staffId }))
  if (mode === 'rotation' || present.length === 1) return [{ slot: 0, staffId: first }]
  return [{ slot: 0, candidateIds: present }]
}
