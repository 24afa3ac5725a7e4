import type { Id } from '#kit/domain/id.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { ReadContext, WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll, findByIds, requireById } from '#kit/server/table.ts'
import { room as roomEntity, type Room } from '#modules/rooms/contract/room.ts'
import { assertEffectiveDates } from '#modules/rooms/server/public.ts'
import { residentState } from '../contract/labels.ts'
import type { previewMove, transferRoom } from '../contract/move.ts'
import { residency, type Residency } from '../contract/residency.ts'
import { resident, type Resident } from '../contract/resident.ts'
import { normalizeCertNo } from '../domain/person.ts'
import {
  assertLeavingDay,
  concurrentChangeRefusal,
  createMoveContext,
  endResidencies,
  findCurrentResidencies,
} from './move-context.ts'
import { applyMove, type MoveContext, type NewOwner } from './move-steps.ts'
import { residentDomainFilter, findResidentsByIds } from './resident-access.ts'
import { insertResidencies, type NewResidency } from './residency-links.ts'
import { logResidencyChanges } from './residency-log.ts'
import { findOrCreatePeople } from './resident-record.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'

type TransferInput = NonNullable<typeof transferRoom.input.T>
type PreviewInput = NonNullable<typeof previewMove.input.T>

/** Who leaves with the old owner and who stays. */
async function splitForTransfer(
  db: Db,
  scope: Scope,
  room: Room,
  familyLeaves: boolean,
): Promise<{ leaving: Residency[]; remaining: Residency[] }> {
  const current = await findCurrentResidencies(db, scope, room.id)
  const leaves = (r: Residency): boolean =>
    r.relation === 'owner' || (familyLeaves && r.relation === 'family')
  const leaving = current.filter(leaves)
  if (!leaving.some(r => r.relation === 'owner')) return refuse('该房间暂无业主，请直接登记新业主')
  return { leaving, remaining: current.filter(r => !leaves(r)) }
}

interface NamedOwner {
  readonly id?: Id | undefined
  readonly name: string
  readonly isMain?: boolean | undefined
  readonly isPayer?: boolean | undefined
}

interface OwnerChange {
  readonly newOwners: NewOwner[]
  readonly ending: Residency[]
  readonly remaining: Residency[]
  /** Residencies of new owners who lived in the room already: they end, too. */
  readonly replaced: Residency[]
}

/**
 * Who comes and who goes when a room is sold: one main owner, who also takes over from a payer that leaves; a
 * payer that stays goes on paying (BASE-17).
 */
function planOwnerChange(
  people: readonly NamedOwner[],
  leaving: readonly Residency[],
  staying: readonly Residency[],
): OwnerChange {
  const sameOwner = people.find(
    p => p.id !== undefined && leaving.some(r => r.userId === p.id && r.relation === 'owner'),
  )
  if (sameOwner) return refuse(`${sameOwner.name}已经是该房间的业主，请在住户关系里修改`)
  // A tenant who buys stops renting; family that stays and buys becomes owner.
  const replaced = staying.filter(r => people.some(p => p.id === r.userId))
  const ending = [...leaving, ...replaced]
  const mainIndex = Math.max(
    0,
    people.findIndex(p => p.isMain),
  )
  const namedPayer = people.findIndex(p => p.isPayer)
  const payerIndex = namedPayer >= 0 ? namedPayer : ending.some(r => r.isPayer) ? mainIndex : -1
  return {
    newOwners: people.map((person, i) => ({
      id: person.id,
      name: person.name,
      isMain: i === mainIndex,
      isPayer: i === payerIndex,
    })),
    ending,
    remaining: staying.filter(r => !replaced.includes(r)),
    replaced,
  }
}

type PreviewOwners = NonNullable<PreviewInput['people']>

/** Residents with a telephone or document of the new owners. */
async function findByNumbers(db: Db, scope: Scope, people: PreviewOwners): Promise<Resident[]> {
  const mobiles = people.flatMap(p => p.mobile ?? [])
  const certNos = people.flatMap(p => (p.certNo ? [normalizeCertNo(p.certNo)] : []))
  if (!mobiles.length && !certNos.length) return []
  const where = [
    sql`t.state = ${code(residentState, 'normal')}`,
    sql`(t.mobile = any(${mobiles}) or t.cert_no = any(${certNos}))`,
    ...residentDomainFilter(scope),
  ]
  return findAll(db, resident, scope, {}, { where })
}

/** New owners of a preview: residents by id, or by their telephone or document; others by their names. */
async function resolvePreviewOwners(db: Db, scope: Scope, people: PreviewOwners): Promise<NamedOwner[]> {
  const chosenIds = people.flatMap(p => p.userId ?? [])
  const chosenById = new Map((await findResidentsByIds(db, scope, chosenIds)).map(r => [r.id, r]))
  const candidates = await findByNumbers(db, scope, people)
  const findKnown = (person: PreviewOwners[number]): Resident | undefined =>
    person.userId
      ? chosenById.get(person.userId)
      : candidates.find(
          r =>
            r.name === person.name &&
            ((person.mobile && r.mobile === person.mobile) ||
              (person.certNo && r.certNo === normalizeCertNo(person.certNo))),
        )
  return people.flatMap((person): NamedOwner[] => {
    const known = findKnown(person)
    const name = known?.name ?? person.name?.trim()
    return name ? [{ id: known?.id, name, isMain: person.isMain, isPayer: person.isPayer }] : []
  })
}

/** A sale reaches back to the last closed day at most (C27-7). */
const assertTransferDay = (db: Db, { ownerId }: Scope, room: Room, day: Day, today: Day): Promise<void> =>
  assertEffectiveDates(db, ownerId, [{ project: room.projectCode, day }], today, 'Day')

export async function createTransferPreview(
  input: PreviewInput,
  { db, scope, today }: Pick<ReadContext, 'db' | 'scope' | 'today'>,
): Promise<MoveContext> {
  const { roomId, day, familyLeaves, moveIn, people, answers } = input
  if (!roomId) throw invalidInput([{ Field: 'RoomID', Message: '请选择要过户的房屋' }])
  const room = await requireById(db, roomEntity, scope, roomId)
  const { leaving, remaining } = await splitForTransfer(db, scope, room, familyLeaves ?? true)
  assertLeavingDay(leaving, day, today, 'Day')
  await assertTransferDay(db, scope, room, day, today)
  const owners = await resolvePreviewOwners(db, scope, people ?? [])
  const change = planOwnerChange(owners, leaving, remaining)
  return createMoveContext(
    'transfer',
    db,
    { scope, today, day, answers },
    room,
    change.ending,
    change.remaining,
    { newOwners: change.newOwners, moveIn: moveIn ?? false },
  )
}

async function assertSellerStillOwns(
  { tx, scope }: WriteContext,
  residencyId: Id | undefined,
  room: Room,
): Promise<void> {
  if (residencyId === undefined) return
  const seller = await requireById(tx, residency, scope, residencyId)
  if (seller.roomId !== room.id) return refuse('原业主不属于该房间，请刷新后重试')
  if (seller.status !== 'living') throw await concurrentChangeRefusal(tx, scope, seller)
}

async function logPurchase(
  { tx, scope }: WriteContext,
  ids: readonly Id[],
  leaving: readonly Residency[],
  input: TransferInput,
): Promise<void> {
  const formerOwners = leaving
    .filter(r => r.relation === 'owner')
    .map(r => r.userName)
    .join('、')
  const bought = await findByIds(tx, residency, scope, ids)
  await logResidencyChanges(
    tx,
    scope,
    bought.map(row => ({
      residency: row,
      userName: row.userName ?? '',
      action: 'boughtIn',
      day: input.day,
      reason: input.reason,
      detail: `原业主 ${formerOwners}`,
    })),
  )
}

/** Returns the ids of the new owners' residencies. */
export async function transferOwnership(input: TransferInput, context: WriteContext): Promise<Id[]> {
  const { tx, scope, today, app } = context
  const { day, reason, answers } = input
  const room = await requireById(tx, roomEntity, scope, input.roomId, { lock: true })
  await assertSellerStillOwns(context, input.linkId, room)
  const { leaving, remaining } = await splitForTransfer(tx, scope, room, input.familyLeaves)
  assertLeavingDay(leaving, day, today, 'Day')
  await assertTransferDay(tx, scope, room, day, today)
  const buyers = await findOrCreatePeople(input.people, room.projectCode, {
    tx,
    scope,
    app,
    today,
    linkExisting: true,
  })
  const change = planOwnerChange(
    buyers.map((buyer, i) => ({ ...input.people[i], id: buyer.id, name: buyer.name })),
    leaving,
    remaining,
  )
  const moveIn = input.moveIn ?? false
  const move = createMoveContext(
    'transfer',
    tx,
    { scope, today, day, reason, answers },
    room,
    change.ending,
    change.remaining,
    { newOwners: change.newOwners, moveIn },
  )
  await endResidencies(tx, move, 'soldOut')
  const wasResident = (userId: Id): boolean =>
    change.replaced.some(r => r.userId === userId && r.inDate !== undefined)
  const ids = await insertResidencies(
    tx,
    scope,
    today,
    buyers.map((person, i): NewResidency => {
      const { isMain, isPayer } = defined(change.newOwners[i])
      const inDate = moveIn || wasResident(person.id) ? { inDate: day } : {}
      return {
        person,
        room,
        draft: { relation: 'owner', isMain, isPayer, ...inDate },
        fieldPrefix: `Users[${i}].`,
      }
    }),
    day,
  )
  await logPurchase(context, ids, leaving, input)
  const newOwner = defined(buyers.find((_, i) => defined(change.newOwners[i]).isMain))
  await applyMove({ ...move, tx, newOwner })
  const hasLeft = change.ending.some(r => r.inDate !== undefined)
  const days = { today, effectiveDates: new Map([[room.id, day]]), dateField: 'Day' }
  await syncRoomOccupancy(tx, scope, [room.id], { ...days, leaving: hasLeft, reason })
  return ids
}
