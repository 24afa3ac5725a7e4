import type { Id } from '#kit/domain/id.ts'
import { labelOf } from '#kit/contract/field.ts'
import { notFound, refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, remove, requireById, update } from '#kit/server/table.ts'
import { room as roomEntity } from '#modules/rooms/contract/room.ts'
import { lateEffectiveDateFault, onRoomMoved } from '#modules/rooms/server/public.ts'
import { relation } from '../contract/relation.ts'
import {
  addResidency,
  reapplyResidency,
  deleteResidencies,
  editResidency,
  residency,
  type Residency,
} from '../contract/residency.ts'
import { residencyFaults, residencyStatusMachine } from '../domain/residency.ts'
import { assertCanMoveIn } from './move-in-check.ts'
import { requireResident } from './resident-access.ts'
import { insertResidencies, requireDraftRoom, releaseMainAndPayer } from './residency-links.ts'
import { logResidencyChanges, type ResidencyLogEntry } from './residency-log.ts'
import { withRoomPayers } from './residency-payer.ts'
import { syncRoomOccupancy } from './room-occupancy.ts'

// Residencies, their log and cards keep the building of their room beside it.
onRoomMoved(async (tx, scope, room) => {
  for (const table of ['user_room', 'user_room_log', 'identity_card']) {
    await tx.execute(
      sql`
        update ${sql.table(table)}
        set build_code = ${room.buildCode}
        where owner_id = ${scope.ownerId} and room_id = ${room.id}
      `,
    )
  }
})

const addResidencyHandler = writes(
  addResidency,
  async ({ userId, projectCode, attachments, ...draft }, { tx, scope, today }) => {
    const project = draft.roomId ? projectCode : (projectCode ?? (scope.projectCode || undefined))
    const room = await requireDraftRoom(tx, scope, draft, project)
    const person = await requireResident(tx, scope, userId, { lock: true })
    if (person.state === 'cancelled') return refuse(`住户「${person.name}」已注销，请先在住户资料中恢复`)
    const [id] = await insertResidencies(tx, scope, today, [
      { person, room, draft: { ...draft, ...(attachments ? { attachments } : {}) } },
    ])
    return requireById(tx, residency, scope, defined(id))
  },
)

/** The residency as it stands, with its room locked first. */
async function lockResidency(tx: Tx, scope: Scope, id: Id): Promise<Residency> {
  const { roomId } = await requireById(tx, residency, scope, id)
  await findByIds(tx, roomEntity, scope, [roomId], { lock: true })
  return requireById(tx, residency, scope, id, { lock: true })
}

function effectiveDateFaults({ effectiveDate }: { effectiveDate?: Day }, today: Day): FieldFault[] {
  const fault = effectiveDate && lateEffectiveDateFault(effectiveDate, today)
  return fault ? [{ Field: 'EffectiveDate', Message: fault }] : []
}

/** What an edit changed, for the log. */
function changeEntries(before: Residency, after: Residency, day: Day): ResidencyLogEntry[] {
  const entry = (action: ResidencyLogEntry['action'], detail?: string): ResidencyLogEntry => ({
    residency: after,
    userName: after.userName ?? '',
    action,
    day,
    detail,
  })
  const movesIn = before.status === 'living' && after.inDate && after.inDate !== before.inDate
  const relations = `${labelOf(relation, before.relation)} → ${labelOf(relation, after.relation)}`
  return [
    ...(after.isMain && !before.isMain ? [entry('mainSet')] : []),
    ...(after.isPayer && !before.isPayer ? [entry('payerSet')] : []),
    ...(after.relation === before.relation ? [] : [entry('edited', relations)]),
    ...(movesIn ? [entry('movedIn')] : []),
  ]
}

const paysNow = async (tx: Tx, scope: Scope, before: Residency): Promise<boolean> =>
  defined((await withRoomPayers(tx, scope.ownerId, [before]))[0]).isPayer

/**
 * Whether the person is named as the payer. The form shows who pays: a main owner who pays without being
 * named stays so, until another one is main owner (BASE-9).
 */
function namedPayer(asked: boolean | undefined, isMain: boolean, before: Residency, pays: boolean): boolean {
  if (asked === undefined) return before.isPayer
  if (before.status !== 'living') return asked
  return asked === pays && isMain ? before.isPayer : asked
}

const editResidencyHandler = writes(
  editResidency,
  async ({ id, version, ...draft }, { tx, scope, today }) => {
    const before = await lockResidency(tx, scope, id)
    if (before.status === 'left') return refuse('已迁出的关系不能修改；如需恢复请用「再次入住」')
    const faults = [...residencyFaults(draft, today), ...effectiveDateFaults(draft, today)]
    if (faults.length) throw invalidInput(faults)
    const isLiving = before.status === 'living'
    if (isLiving && draft.inDate && !before.inDate) {
      await assertCanMoveIn(tx, scope, [before.roomId])
    }
    const isMain = draft.isMain ?? (before.isMain && draft.relation === 'owner')
    const isPayer = namedPayer(draft.isPayer, isMain, before, await paysNow(tx, scope, before))
    if (isLiving) {
      await releaseMainAndPayer(tx, scope, [
        {
          roomId: before.roomId,
          isMain: isMain && !before.isMain,
          isPayer: isPayer && !before.isPayer,
        },
      ])
    }
    const { remark, attachments, leaseBegin, leaseEnd, inDate } = draft
    const effectiveDate = draft.effectiveDate ?? (inDate === before.inDate ? undefined : inDate)
    const after = await update(
      tx,
      residency,
      scope,
      id,
      { relation: draft.relation, isMain, isPayer, remark, attachments, leaseBegin, leaseEnd, inDate },
      { version },
    )
    await logResidencyChanges(tx, scope, changeEntries(before, after, effectiveDate ?? today))
    if (isLiving) {
      const hasLeft = before.inDate !== undefined && !after.inDate
      await syncRoomOccupancy(tx, scope, [after.roomId], {
        today,
        effectiveDates: effectiveDate && new Map([[after.roomId, effectiveDate]]),
        inDates: after.inDate && new Map([[after.roomId, after.inDate]]),
        dateField: draft.effectiveDate ? 'EffectiveDate' : 'InDate',
        leaving: hasLeft,
      })
    }
    return defined((await withRoomPayers(tx, scope.ownerId, [after]))[0])
  },
)

const deleteResidenciesHandler = writes(deleteResidencies, async ({ ids, reason }, { tx, scope, today }) => {
  const found = await findByIds(tx, residency, scope, ids, { lock: true })
  const effective = found.find(r => r.status !== 'pending' && r.status !== 'refused')
  if (effective)
    return refuse(`${effective.userName}在「${effective.roomPath}」的关系已生效，请用「迁出」，历史会保留`)
  const removed = await remove(tx, residency, scope, ids, reason)
  await logResidencyChanges(
    tx,
    scope,
    removed.map(row => ({
      residency: row,
      userName: row.userName ?? '',
      action: 'removed',
      day: today,
      reason,
    })),
  )
})

const reapplyResidencyHandler = writes(reapplyResidency, async ({ id }, { tx, scope, today }) => {
  const [before] = await findByIds(tx, residency, scope, [id], { lock: true })
  if (!before) throw notFound()
  const fault = residencyStatusMachine.checkTransition(before.status, 'pending')
  if (fault) return refuse(fault)
  const after = await update(tx, residency, scope, id, { status: 'pending', rejectReason: undefined })
  await logResidencyChanges(tx, scope, [
    { residency: after, userName: after.userName ?? '', action: 'again', day: today },
  ])
  return after
})

export const residencyHandlers = [
  addResidencyHandler,
  editResidencyHandler,
  deleteResidenciesHandler,
  reapplyResidencyHandler,
]
