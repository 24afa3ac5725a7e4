import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import {
  Refused,
  resultCode,
  refuse,
  invalidInput,
  type FieldFault,
  invalidField,
} from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, findAll, update } from '#kit/server/table.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { roomState } from '#modules/rooms/contract/labels.ts'
import type { answers } from '#modules/residents/contract/move-step.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'
import { residency } from '#modules/residents/contract/residency.ts'
import {
  applyMove,
  createMoveContext,
  planMoveSteps,
  unknownAnswerFaults,
  registerMoveStep,
  type MoveContext,
} from '#modules/residents/server/public.ts'
import {
  company,
  companyRoom,
  moveOutCompany,
  previewMoveOut,
  type Company,
  type CompanyRoom,
} from '../contract/company.ts'
import { answersForRoom, baseKeyOf, roomIdOfKey } from '../domain/room-answers.ts'
import { endAccessOf, planEndOfAccess } from './departure.ts'
import { presentCompany } from './company.ts'
import { isLeftEmpty, endCompanyRooms } from './company-room.ts'
import { companyWorker, workerState } from '../contract/company-worker.ts'

interface MoveOutInput {
  readonly outDate: Day
  readonly reason?: string
  readonly answers?: typeof answers.T
}

function assertCanMoveOut(c: Company, outDate: Day, today: Day): void {
  if (c.state === 'movedOut') refuse(`「${c.name}」已于 ${c.outDate} 迁出`)
  if (outDate > today) throw invalidField('OutDate', '迁出日期不能晚于今天，请到当天再办理')
  if (c.inDate && outDate < c.inDate) throw invalidField('OutDate', `${c.inDate} 入驻，迁出日期不能早于该日`)
}

/** Answers to questions that nobody asks, or for rooms that are not the company's. */
const answerFaults = (submitted: typeof answers.T, roomIds: ReadonlySet<Id>): FieldFault[] => [
  ...unknownAnswerFaults(
    'moveOut',
    submitted?.map(a => ({ key: baseKeyOf(a.key) })),
  ),
  ...(submitted ?? []).flatMap((decision, i) => {
    const roomId = roomIdOfKey(decision.key)
    return roomId === undefined || roomIds.has(roomId)
      ? []
      : [{ Field: `Answers[${i}].Key`, Message: '选择里的房间不属于该企业，请刷新后重新办理' }]
  }),
]

/** The rooms that a company still has on the day, each as a move of its own (BASE-16). */
async function planRoomMoves(
  db: Db,
  scope: Scope,
  today: Day,
  { id, name }: Company,
  { outDate, reason, answers: submitted }: MoveOutInput,
  lock: boolean,
): Promise<{ stays: CompanyRoom[]; moves: MoveContext[] }> {
  const where = [sql`t.company_id = ${id}`, sql`(t.end_date is null or t.end_date > ${outDate})`]
  const stays = await findAll(db, companyRoom, scope, {}, { where })
  const rooms = await findByIds(db, room, scope, [...new Set(stays.map(s => s.roomId))], { lock })
  const roomIds = rooms.map(r => r.id)
  const faults = answerFaults(submitted, new Set(roomIds))
  if (faults.length) throw invalidInput(faults)
  const living = [sql`t.room_id = any(${roomIds})`, sql`t.status = ${code(residencyStatus, 'living')}`]
  const residencies = await findAll(db, residency, scope, { order: 'id' }, { where: living, limit: 100_000 })
  const byRoom = Map.groupBy(residencies, r => r.roomId)
  const moves = rooms.map(r => {
    const request = { scope, today, day: outDate, reason, answers: answersForRoom(submitted, r.id) }
    return createMoveContext('moveOut', db, request, r, [], byRoom.get(r.id) ?? [], { company: { id, name } })
  })
  return { stays, moves }
}

registerMoveStep({
  key: 'companyRoom',
  title: '房屋',
  order: 900,
  kinds: ['moveOut'],
  plan: async moveContext => ({
    lines: [
      { label: '租用', value: '结束', note: `最后一天 ${moveContext.day}`, tone: 'off' },
      isLeftEmpty(moveContext.room)
        ? {
            label: '房态',
            value: `${labelOf(roomState, moveContext.room.roomState)} → ${labelOf(roomState, 'vacant')}`,
            note: '无人居住',
            tone: 'doing',
          }
        : {
            label: '房态',
            value: labelOf(roomState, moveContext.room.roomState),
            note: moveContext.room.people ? `在住 ${moveContext.room.people} 人，不变` : '不变',
          },
    ],
  }),
})

/** Everybody leaves, and nobody joins any more. The residents among them. */
async function dismissWorkers(
  tx: Tx,
  scope: Scope,
  { id: companyId, projectCode }: Company,
  outDate: Day,
  reason: string | undefined,
): Promise<(Id | undefined)[]> {
  const { ownerId } = scope
  const dismissed = await tx.rows<{
    id: Id
    userId?: Id
    state: number
    isAdmin: boolean
    outDate?: Day
  }>(sql`
    select id, user_id, state, is_admin, out_date
    from company_worker
    where owner_id = ${ownerId}
      and company_id = ${companyId}
      and ${notDeleted()}
      and state <> ${code(workerState, 'left')}
    order by id
    for update
  `)
  await tx.execute(sql`
    update company_worker
    set state = ${code(workerState, 'left')}, is_admin = false, out_date = ${outDate}, ${touch(scope)}
    where owner_id = ${ownerId} and id = any(${dismissed.map(({ id }) => id)}::bigint[])
  `)
  await audit(
    tx,
    scope,
    dismissed.map(({ id, state, isAdmin, outDate: plannedDate }) => ({
      action: 'state',
      entity: companyWorker.name,
      entityId: id,
      projectCode,
      before: { state: keyOf(workerState, state), isAdmin, outDate: plannedDate },
      after: { state: 'left', isAdmin: false, outDate },
      reason: reason ? `企业迁出：${reason}` : '企业迁出',
    })),
  )
  await tx.execute(
    sql`update company set search_code = null where owner_id = ${ownerId} and id = ${companyId}`,
  )
  return dismissed.map(({ userId }) => userId)
}

export const moveOutHandlers = [
  reads(previewMoveOut, async ({ id, ...request }, { db, scope, today }) => {
    const companyRow = await requireById(db, company, scope, id)
    assertCanMoveOut(companyRow, request.outDate, today)
    const { moves } = await planRoomMoves(db, scope, today, companyRow, request, false)
    const rooms = []
    for (const move of moves) {
      const steps = await planMoveSteps(move)
      rooms.push({
        roomId: move.room.id,
        roomPath: move.room.path ?? '',
        steps: steps.filter(s => s.lines.length || s.blocks !== undefined || s.question),
      })
    }
    const counts = await db.one<{ workers: number; pending: number }>(sql`
      select count(*) filter (where state = ${code(workerState, 'active')})::int as workers,
        count(*) filter (where state = ${code(workerState, 'pending')})::int as pending
      from company_worker
      where owner_id = ${scope.ownerId} and company_id = ${id} and ${notDeleted()}
    `)
    const blocked = rooms.some(r => r.steps.some(s => s.blocks !== undefined))
    const ending = await planEndOfAccess(db, scope, companyRow, today)
    return { name: companyRow.name, blocked, ...defined(counts), ending, rooms }
  }),
  // BASE-16: BASE-11 for every room, and all workers lose access.
  writes(moveOutCompany, async ({ id, ...request }, { tx, scope, today }) => {
    const before = await requireById(tx, company, scope, id, { lock: true })
    const { outDate, reason } = request
    assertCanMoveOut(before, outDate, today)
    const { stays, moves } = await planRoomMoves(tx, scope, today, before, request, true)
    const blocks: string[] = []
    for (const move of moves) {
      const steps = await planMoveSteps(move)
      blocks.push(...steps.flatMap(s => (s.blocks ? [`${move.room.path} ${s.title}：${s.blocks}`] : [])))
    }
    if (blocks.length) throw new Refused(resultCode.refused, blocks.join('；'))
    for (const move of moves) {
      await applyMove({ ...move, tx })
    }
    const userIds = await dismissWorkers(tx, scope, before, outDate, reason)
    const after = await update(tx, company, scope, id, { state: 'movedOut', outDate }, { reason })
    await endCompanyRooms(tx, scope, stays, outDate, today, reason)
    await endAccessOf(tx, scope, after, userIds, today)
    return presentCompany(after, { db: tx, scope, today })
  }),
]
