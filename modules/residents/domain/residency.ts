import { labelOf } from '#kit/contract/field.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { defineStateMachine } from '#kit/domain/state-machine.ts'
import type { RoomState } from '#modules/rooms/contract/labels.ts'
import type { ResidencyDraft } from '../contract/resident.ts'
import { residencyStatus, relation, type ResidencyStatus, type Relation } from '../contract/labels.ts'

/** BASE-10: nothing else. */
export const residencyStatusMachine = defineStateMachine<ResidencyStatus>(
  { pending: ['living', 'refused'], living: ['left'], left: ['living'], refused: ['pending'] },
  { state: s => labelOf(residencyStatus, s) },
)

const tenantRelations: readonly Relation[] = ['tenant', 'tenantFamily']
export const isTenantRelation = (r: Relation): boolean => tenantRelations.includes(r)

/** What a payer is to the room (BASE-9). */
export const payerKindOf = (r: Relation): 'owner' | 'tenant' => (isTenantRelation(r) ? 'tenant' : 'owner')

/** What is wrong with a home that somebody is given. */
export function residencyFaults(l: Partial<ResidencyDraft>, today: Day, at = ''): FieldFault[] {
  const faults: FieldFault[] = []
  const say = (field: string, Message: string): void => {
    faults.push({ Field: `${at}${field}`, Message })
  }
  if (l.inDate && l.inDate > today) {
    say('InDate', '入住日期不能晚于今天，请到当天再办理')
  }
  if (l.leaseBegin && l.leaseEnd && l.leaseEnd < l.leaseBegin) {
    say('LeaseEnd', '租期止不能早于租期起')
  }
  if (l.isMain && l.relation && l.relation !== 'owner') {
    say('IsMain', `${labelOf(relation, l.relation)}不能设为主业主，请先把关系改为业主`)
  }
  if ((l.leaseBegin || l.leaseEnd) && l.relation && !isTenantRelation(l.relation) && l.relation !== 'staff') {
    say('LeaseBegin', '只有租户填写租期')
  }
  return faults
}

export interface Occupants {
  readonly people: number
  readonly own: number
}

/**
 * The state of a room that follows who lives in it: somebody comes into an empty one, only tenants make it
 * let, and where the last one has left it is empty (BASE-11). Rooms not handed over and those in own use are
 * left as they are; nothing: no change.
 */
export function roomStateAfter(now: RoomState, o: Occupants, leaving: boolean): RoomState | undefined {
  const after =
    o.people > 0
      ? now === 'vacant' || now === 'lived' || now === 'let'
        ? o.own > 0
          ? 'lived'
          : 'let'
        : now
      : leaving && (now === 'lived' || now === 'let' || now === 'fitting')
        ? 'vacant'
        : now
  return after === now ? undefined : after
}

export interface CurrentResidency {
  readonly id: number
  readonly relation: Relation
  readonly isMain: boolean
  readonly isPayer: boolean
  readonly inDate?: Day
}

/**
 * Who becomes main owner when the one there leaves: the owner who came first; nobody where no owner is left.
 */
export const findNextMainOwner = <T extends CurrentResidency>(stays: readonly T[]): T | undefined =>
  stays.find(s => s.isMain) ??
  stays
    .filter(s => s.relation === 'owner')
    .toSorted((a, b) =>
      (a.inDate ?? '9') < (b.inDate ?? '9') ? -1 : (a.inDate ?? '9') > (b.inDate ?? '9') ? 1 : a.id - b.id,
    )[0]

/** The payer: who is named, else the main owner (BASE-9). */
export const findPayer = <T extends CurrentResidency>(stays: readonly T[]): T | undefined =>
  stays.find(s => s.isPayer) ?? findNextMainOwner(stays)
