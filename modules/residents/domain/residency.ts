import type { Id } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import type { RoomState } from '#modules/rooms/contract/labels.ts'
import type { ResidencyDraft } from '../contract/resident.ts'
import { residencyStatus, type ResidencyStatus } from '../contract/labels.ts'
import { relation, type Relation } from '../contract/relation.ts'

/** BASE-10: nothing else. */
export const residencyStatusMachine = defineStateMachine<ResidencyStatus>(
  { pending: ['living', 'refused'], living: ['left'], left: ['living'], refused: ['pending'] },
  { state: residency => labelOf(residencyStatus, residency) },
)

const tenantRelations: readonly Relation[] = ['tenant', 'tenantFamily']
export const isTenantRelation = (value: Relation): boolean => tenantRelations.includes(value)

/** A payer's role in the room (BASE-9). */
export const payerKindOf = (value: Relation): 'owner' | 'tenant' =>
  isTenantRelation(value) ? 'tenant' : 'owner'

/** What is wrong with a home that somebody is given. */
export function residencyFaults(draft: Partial<ResidencyDraft>, today: Day, fieldPrefix = ''): FieldFault[] {
  const faults: FieldFault[] = []
  const addFault = (field: string, Message: string): void => {
    faults.push({ Field: `${fieldPrefix}${field}`, Message })
  }
  if (draft.inDate && draft.inDate > today) {
    addFault('InDate', '入住日期不能晚于今天，请到当天再办理')
  }
  if (draft.leaseBegin && draft.leaseEnd && draft.leaseEnd < draft.leaseBegin) {
    addFault('LeaseEnd', '租期止不能早于租期起')
  }
  if (draft.isMain && draft.relation && draft.relation !== 'owner') {
    addFault('IsMain', `${labelOf(relation, draft.relation)}不能设为主业主，请先把关系改为业主`)
  }
  if (
    (draft.leaseBegin || draft.leaseEnd) &&
    draft.relation &&
    !isTenantRelation(draft.relation) &&
    draft.relation !== 'staff'
  ) {
    addFault('LeaseBegin', '只有租户填写租期')
  }
  return faults
}

/** What a residency that begins says of the days of its room. */
interface BeginningResidency {
  readonly roomId: Id
  readonly isMain: boolean
  readonly isPayer: boolean
  readonly inDate?: Day | undefined
}

export interface EnteredDays {
  /** From which day on the people of each room are others: the payer's day counts (C27-7). */
  readonly effectiveDates: ReadonlyMap<Id, Day>
  /** The first day on which somebody moves into each room. */
  readonly inDates: ReadonlyMap<Id, Day>
}

/** The days that were entered with residencies that begin, by room; rooms without one are left out. */
export function enteredDays(beginning: readonly BeginningResidency[]): EnteredDays {
  const effectiveDates = new Map<Id, Day>()
  const inDates = new Map<Id, Day>()
  for (const [roomId, residencies] of Map.groupBy(beginning, each => each.roomId)) {
    const payer = residencies.find(each => each.isPayer) ?? residencies.find(each => each.isMain)
    const [first] = residencies.flatMap(each => each.inDate ?? []).toSorted()
    const effectiveDate = payer ? payer.inDate : first
    if (first) {
      inDates.set(roomId, first)
    }
    if (effectiveDate) {
      effectiveDates.set(roomId, effectiveDate)
    }
  }
  return { effectiveDates, inDates }
}

export interface Occupants {
  readonly people: number
  readonly nonTenants: number
}

/**
 * The state of a room that follows who lives in it: somebody comes into an empty one, only tenants make it
 * let, and where the last one has left it is empty (BASE-11). Rooms not handed over and those in own use are
 * left as they are; nothing: no change.
 */
export function roomStateAfter(
  current: RoomState,
  occupants: Occupants,
  hasLeft: boolean,
): RoomState | undefined {
  const occupied =
    current === 'vacant' || current === 'lived' || current === 'let'
      ? occupants.nonTenants > 0
        ? 'lived'
        : 'let'
      : current
  const empty =
    hasLeft && (current === 'lived' || current === 'let' || current === 'fitting') ? 'vacant' : current
  const next = occupants.people > 0 ? occupied : empty
  return next === current ? undefined : next
}

export interface CurrentResidency {
  readonly id: Id
  readonly relation: Relation
  readonly isMain: boolean
  readonly isPayer: boolean
  readonly inDate?: Day
}

/**
 * Who becomes main owner when the one there leaves: the owner who came first; nobody where no owner is left.
 */
export const findNextMainOwner = <T extends CurrentResidency>(residencies: readonly T[]): T | undefined =>
  residencies.find(residency => residency.isMain) ??
  residencies
    .filter(residency => residency.relation === 'owner')
    .toSorted((a, b) =>
      (a.inDate ?? '9') < (b.inDate ?? '9') ? -1 : (a.inDate ?? '9') > (b.inDate ?? '9') ? 1 : a.id - b.id,
    )[0]

/** The payer: who is named, else the main owner (BASE-9). */
export const findPayer = <T extends CurrentResidency>(residencies: readonly T[]): T | undefined =>
  residencies.find(residency => residency.isPayer) ?? findNextMainOwner(residencies)
