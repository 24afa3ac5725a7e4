import { defined } from '#kit/domain/defined.ts'
import { Refused, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, requireById, findAll, update } from '#kit/server/table.ts'
import { live, touch, code } from '#kit/server/sql.ts'
import { room } from '#modules/rooms/contract/room.ts'
import { roomState } from '#modules/rooms/contract/labels.ts'
import type { answers } from '#modules/residents/contract/move.ts'
import { residency } from '#modules/residents/contract/residency.ts'
import {
  applyMove,
  createMoveContext,
  planMoveSteps,
  unknownAnswerFaults,
  registerMoveStep,
  type MoveContext,
} from '#modules/residents/server/public.ts'
import { taskState } from '#modules/system/contract/task.ts'
import {
  company,
  companyRoom,
  moveOutCompany,
  previewMoveOut,
  type Company,
  type CompanyRoom,
} from '../contract/company.ts'
import { getImportState } from '../contract/import-export.ts'
import { answersForRoom, baseKeyOf, roomIdOfKey } from '../domain/room-answers.ts'
import { presentCompany } from './company.ts'
import { isLeftEmpty, endCompanyRooms } from './company-room.ts'
import { workerState } from '../contract/company-worker.ts'

interface MoveOutInput {
  readonly outDate: Day
  readonly reason?: string
  readonly answers?: typeof answers.T
}

function assertCanMoveOut(c: Company, outDate: Day, today: Day): void {
  if (c.state === 'gone') refuse(`「${c.name}」已于 ${c.outDate} 迁出`)
  if (outDate > today)
    throw invalidInput([{ Field: 'OutDate', Message: '迁出日期不能晚于今天，请到当天再办理' }])
  if (c.inDate && outDate < c.inDate)
    throw invalidInput([{ Field: 'OutDate', Message: `${c.inDate} 才入驻，迁出日期不能早于它` }])
}

/** The rooms that a company still has on the day, each as a move of its own (BASE-16); held where `lock`. */
async function planRoomMoves(
  db: Db,
  scope: Scope,
  today: Day,
  c: Company,
  { outDate, reason, answers: said }: MoveOutInput,
  lock: boolean,
): Promise<{ places: CompanyRoom[]; moves: MoveContext[] }> {
  const places = await findAll(
    db,
    companyRoom,
    scope,
    {},
    { where: [sql`t.company_id = ${c.id}`, sql`(t.end_date is null or t.end_date > ${outDate})`] },
  )
  const all = await findByIds(db, room, scope, [...new Set(places.map(p => p.roomId))], lock)
  const ids = new Set(all.map(r => r.id))
  const strange = [
    ...unknownAnswerFaults(
      'moveOut',
      said?.map(a => ({ key: baseKeyOf(a.key) })),
    ),
    ...(said ?? []).flatMap((a, i) => {
      const of = roomIdOfKey(a.key)
      return of === undefined || ids.has(of)
        ? []
        : [{ Field: `Answers[${i}].Key`, Message: '选择里的房间不属于该企业，请刷新后重新办理' }]
    }),
  ]
  if (strange.length) throw invalidInput(strange)
  const stays = Map.groupBy(
    await findAll(
      db,
      residency,
      scope,
      { order: 'id' },
      { where: [sql`t.room_id = any(${all.map(r => r.id)})`, sql`t.status = 20`], limit: 100_000 },
    ),
    l => l.roomId,
  )
  return {
    places,
    moves: all.map(r =>
      createMoveContext(
        'moveOut',
        db,
        { scope, today, day: outDate, reason, answers: answersForRoom(said, r.id) },
        r,
        [],
        stays.get(r.id) ?? [],
        { company: { id: c.id, name: c.name } },
      ),
    ),
  }
}

registerMoveStep({
  key: 'companyRoom',
  title: '房屋',
  order: 900,
  kinds: ['moveOut'],
  plan: async m => ({
    lines: [
      { label: '租用', value: '结束', note: `最后一天 ${m.day}`, tone: 'off' },
      isLeftEmpty(m.room)
        ? {
            label: '房态',
            value: `${labelOf(roomState, m.room.roomState)} → ${labelOf(roomState, 'vacant')}`,
            note: '没有人住在里面',
            tone: 'doing',
          }
        : {
            label: '房态',
            value: labelOf(roomState, m.room.roomState),
            note: m.room.people ? `在住 ${m.room.people} 人，不变` : '不变',
          },
    ],
  }),
})

export const moveOutHandlers = [
  reads(previewMoveOut, async ({ id, ...said }, { db, scope, today }) => {
    const c = await requireById(db, company, scope, id)
    assertCanMoveOut(c, said.outDate, today)
    const { moves } = await planRoomMoves(db, scope, today, c, said, false)
    const planned = []
    for (const m of moves) {
      planned.push({
        roomId: m.room.id,
        roomPath: m.room.path ?? '',
        steps: (await planMoveSteps(m)).filter(s => s.lines.length || s.blocks !== undefined || s.question),
      })
    }
    const n = await db.one<{ workers: number; pending: number }>(
      sql`
        select count(*) filter (where state = ${code(workerState, 'active')})::int as workers,
          count(*) filter (where state = ${code(workerState, 'pending')})::int as pending
        from company_worker
        where owner_id = ${scope.ownerId} and company_id = ${id} and ${live()}
      `,
    )
    return {
      name: c.name,
      blocked: planned.some(p => p.steps.some(s => s.blocks !== undefined)),
      workers: defined(n).workers,
      pending: defined(n).pending,
      rooms: planned,
    }
  }),
  // BASE-16: BASE-11 for every room, and all workers lose access.
  writes(moveOutCompany, async ({ id, ...said }, { tx, scope, today }) => {
    const before = await requireById(tx, company, scope, id, true)
    const { outDate, reason } = said
    assertCanMoveOut(before, outDate, today)
    const { places, moves } = await planRoomMoves(tx, scope, today, before, said, true)
    const blocked = []
    for (const m of moves) {
      blocked.push(
        ...(await planMoveSteps(m)).filter(s => s.blocks).map(s => `${m.room.path} ${s.title}：${s.blocks}`),
      )
    }
    if (blocked.length) throw new Refused(resultCode.refused, blocked.join('；'))
    for (const m of moves) {
      await applyMove({ ...m, tx })
    }
    await tx.execute(
      sql`
        update company_worker
        set state = ${code(workerState, 'left')}, is_admin = false, out_date = ${outDate}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and company_id = ${id} and ${live()} and state <> ${code(workerState, 'left')}
      `,
    )
    // Nobody joins a company that is gone.
    await tx.execute(
      sql`update company set search_code = null where owner_id = ${scope.ownerId} and id = ${id}`,
    )
    const gone = await update(tx, company, scope, id, { state: 'gone', outDate }, { reason })
    await endCompanyRooms(tx, scope, places, outDate, today, reason)
    return presentCompany(gone, { db: tx, scope, today })
  }),
  reads(getImportState, async ({ taskId }, { db, scope }) => {
    const found = await db.one<{
      id: number
      state: number
      done: number
      total?: number
      success: number
      fail: number
      skipped: number
      message?: string
    }>(sql`
      select id, state, done, total, success, fail, skipped, message
      from task_center
      where owner_id = ${scope.ownerId}
        and operator_id = ${scope.operatorId}
        and kind = 'import.companies.company'
        and ${live()} ${taskId ? sql`and id = ${taskId}` : sql``}
      order by id desc
      limit 1
    `)
    if (!found) return {}
    const { id, state, ...rest } = found
    return { taskId: id, state: defined(keyOf(taskState, state)), ...rest }
  }),
]
