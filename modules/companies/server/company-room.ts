import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insertAll, requireById, findAll, requireByIds } from '#kit/server/table.ts'
import { notDeleted, touch, code, flagFilter } from '#kit/server/sql.ts'
import { room, type Room } from '#modules/rooms/contract/room.ts'
import {
  applyRoomState,
  effectiveDateFault,
  loadBackDating,
  updateRoomCompany,
  type BackDating,
  type RoomCompany,
} from '#modules/rooms/server/public.ts'
import {
  addCompanyRooms,
  company,
  companyRoom,
  companyRooms,
  findRoomsInUse,
  type Company,
  type CompanyRoom,
  type CompanyRoomDraft,
  companyState,
} from '../contract/company.ts'
import { staysOverlap, stayText, type RoomStay } from '../domain/room-stay.ts'

/** Who has a room, and how long. */
export interface RoomHolding extends RoomStay {
  readonly roomId: Id
  readonly roomPath: string
  readonly companyName: string
}

/** The companies that have these rooms during each stay, except one company (BASE-16). */
export const findRoomHoldings = (
  db: Db,
  { ownerId }: Scope,
  stays: readonly (RoomStay & { readonly roomId: Id })[],
  exceptCompany: Id = 0,
): Promise<(RoomHolding & { readonly stayIndex: number })[]> =>
  db.rows(sql`
    select (w.n - 1)::int as stay_index, c.room_id, r.path as room_path, o.name as company_name, c.begin_date,
      c.end_date
    from unnest(
      ${stays.map(s => s.roomId)}::bigint[], ${stays.map(s => s.beginDate)}::date[],
      ${stays.map(s => s.endDate ?? null)}::date[]
    ) with ordinality w(room_id, begin_date, end_date, n)
    join company_room c on c.owner_id = ${ownerId} and c.room_id = w.room_id and ${notDeleted('c')}
    join room r on r.owner_id = ${ownerId} and r.id = c.room_id
    join company o on o.owner_id = ${ownerId} and o.id = c.company_id
    where c.company_id <> ${exceptCompany}
      and c.begin_date <= coalesce(w.end_date, 'infinity')
      and coalesce(c.end_date, 'infinity') >= w.begin_date
    order by r.sort_key, w.n, c.begin_date
  `)

/** What a company leaves behind is empty, unless somebody lives there. */
export const isLeftEmpty = (r: Room): boolean =>
  r.people === 0 && (r.roomState === 'let' || r.roomState === 'lived' || r.roomState === 'fitting')

interface SyncOptions {
  readonly reason?: string | undefined
  /** Rooms that a company gave back. */
  readonly returned?: ReadonlySet<Id>
  /** The last day on which a company had those rooms. */
  readonly lastDay?: Day
}

/**
 * Tells rooms which company each has today. One that has moved out has none, also on its last day. An empty
 * room comes into use; a returned one that nobody else has is empty (BASE-11).
 */
export async function syncRoomCompanies(
  tx: Tx,
  scope: Scope,
  ids: readonly Id[],
  today: Day,
  { reason, returned, lastDay }: SyncOptions = {},
): Promise<void> {
  const { ownerId } = scope
  const current = await tx.rows<RoomCompany>(sql`
    select w.id as room_id, o.id as company_id, o.name as company_name,
      case when o.id is not null then c.begin_date else ${lastDay ? addDays(lastDay, 1) : null}::date end as since
    from unnest(${[...ids]}::bigint[]) as w(id)
    left join (
      company_room c
      join company o on o.owner_id = ${ownerId}
        and o.id = c.company_id
        and o.state <> ${code(companyState, 'movedOut')}
    ) on c.owner_id = ${ownerId}
      and c.room_id = w.id
      and ${notDeleted('c')}
      and c.begin_date <= ${today}
      and (c.end_date is null or c.end_date >= ${today})
  `)
  await updateRoomCompany(tx, scope, current, { today, reason })
  const rooms = await findByIds(tx, room, scope, ids)
  const taken = new Set(current.filter(c => c.companyId !== undefined).map(c => c.roomId))
  const movedInto = rooms.filter(r => taken.has(r.id) && r.roomState === 'vacant')
  const vacated = rooms.filter(r => returned?.has(r.id) && !taken.has(r.id) && isLeftEmpty(r))
  if (movedInto.length) {
    await applyRoomState(tx, scope, movedInto, 'let', { today, reason: reason ?? '企业入驻' })
  }
  if (vacated.length) {
    await applyRoomState(tx, scope, vacated, 'vacant', { today, reason: reason ?? '企业迁出' })
  }
}

/** What is wrong with one of the drafts, each fault at its field. */
function draftFaults(
  companyRow: Company,
  drafts: readonly CompanyRoomDraft[],
  index: number,
  assigned: Room | undefined,
  conflicts: readonly RoomHolding[],
  backDating: BackDating,
): FieldFault[] {
  const draft = defined(drafts[index])
  const fault = (field: string, Message: string): FieldFault => ({
    Field: `Rooms[${index}].${field}`,
    Message,
  })
  if (!assigned) return [fault('RoomID', '房间不存在或已被删除，请重新选择')]
  const faults: FieldFault[] = []
  const { path } = assigned
  if (assigned.projectCode !== companyRow.projectCode) {
    faults.push(fault('RoomID', `房间「${path}」不属于该企业所在的项目，请重新选择`))
  }
  if (assigned.state === 'off') {
    faults.push(fault('RoomID', `房间「${path}」已停用`))
  }
  if (draft.endDate && draft.endDate < draft.beginDate)
    return [...faults, fault('EndDate', '止日期不能早于起日期')]
  const overlappingStay = drafts.findIndex(
    (d, i) => i < index && d.roomId === draft.roomId && staysOverlap(d, draft),
  )
  if (overlappingStay >= 0) {
    faults.push(fault('RoomID', `房间「${path}」与第 ${overlappingStay + 1} 行的时间重叠`))
  }
  const dateFault = assigned.payerId && effectiveDateFault(draft.beginDate, backDating)
  if (dateFault) {
    faults.push(fault('BeginDate', dateFault))
  }
  for (const h of conflicts) {
    faults.push(
      fault('RoomID', `房间「${h.roomPath}」${stayText(h)} 属于「${h.companyName}」，请调整起止日期`),
    )
  }
  return faults
}

/** Gives a company rooms of its project; each fault at its line (BASE-16). */
export async function assignRooms(
  tx: Tx,
  scope: Scope,
  companyRow: Company,
  drafts: readonly CompanyRoomDraft[],
  today: Day,
): Promise<Id[]> {
  if (!drafts.length) return []
  if (companyRow.state === 'movedOut') return refuse('企业已迁出，不能再添加房间')
  const locked = await findByIds(tx, room, scope, [...new Set(drafts.map(d => d.roomId))], { lock: true })
  const rooms = new Map(locked.map(r => [r.id, r]))
  const conflicts = Map.groupBy(await findRoomHoldings(tx, scope, drafts), h => h.stayIndex)
  const projects = [companyRow.projectCode]
  const backDating = defined(
    (await loadBackDating(tx, scope.ownerId, projects, today)).get(companyRow.projectCode),
  )
  const faults = drafts.flatMap(({ roomId }, i) =>
    draftFaults(companyRow, drafts, i, rooms.get(roomId), conflicts.get(i) ?? [], backDating),
  )
  if (faults.length) throw invalidInput(faults)
  const values = drafts.map(draft => {
    const { buildCode, buildArea } = defined(rooms.get(draft.roomId))
    return {
      ...draft,
      projectCode: companyRow.projectCode,
      companyId: companyRow.id,
      buildCode,
      area: draft.area ?? buildArea,
    }
  })
  const ids = await insertAll(tx, companyRoom, scope, values)
  await syncRoomCompanies(tx, scope, [...rooms.keys()], today)
  return ids
}

/**
 * Ends what still runs: `lastDay` is its last day; what has not started by then is taken out. The caller
 * holds the rows.
 */
export async function endCompanyRooms(
  tx: Tx,
  scope: Scope,
  stays: readonly CompanyRoom[],
  lastDay: Day,
  today: Day,
  reason?: string,
): Promise<void> {
  if (!stays.length) return
  await tx.execute(sql`
    update company_room
    set end_date = case when begin_date <= ${lastDay} then ${lastDay}::date else end_date end,
      delete_tag = case when begin_date <= ${lastDay} then 0 else 1 end, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${stays.map(s => s.id)})
      and ${notDeleted()}
      and (end_date is null or end_date > ${lastDay})
  `)
  publishRecordsWritten(tx, scope.ownerId, {
    entity: companyRoom.name,
    action: 'update',
    ids: stays.map(stay => stay.id),
  })
  await audit(
    tx,
    scope,
    stays.map(stay => ({
      action: 'update',
      entity: 'companyRoom',
      entityId: stay.id,
      projectCode: stay.projectCode,
      before: { endDate: stay.endDate },
      after: { endDate: lastDay },
      reason,
    })),
  )
  const returned = new Set(stays.map(s => s.roomId))
  await syncRoomCompanies(tx, scope, [...returned], today, { reason, returned, lastDay })
}

export const companyRoomServer = crudHandlers(companyRooms, {
  byHand: ['delete'],
  filter: ({ roomId, onlyCurrent }, { today }) => [
    ...(roomId === undefined ? [] : [sql`t.room_id = ${roomId}`]),
    ...flagFilter(onlyCurrent, sql`(t.end_date is null or t.end_date >= ${today})`),
  ],
})

export const companyRoomHandlers = [
  reads(findRoomsInUse, async ({ companyId, roomIds, beginDate, endDate }, { db, scope, today }) => {
    const rooms = await findByIds(db, room, scope, roomIds)
    const stays = rooms.map(({ id }) => ({ roomId: id, beginDate: beginDate ?? today, endDate }))
    return findRoomHoldings(db, scope, stays, companyId)
  }),
  writes(addCompanyRooms, async ({ companyId, places }, { tx, scope, today }) => {
    const tenant = await requireById(tx, company, scope, companyId, { lock: true })
    const ids = await assignRooms(tx, scope, tenant, places, today)
    return findAll(tx, companyRoom, scope, {}, { where: [sql`t.id = any(${ids})`] })
  }),
  writes(companyRooms.delete, async ({ ids, reason }, { tx, scope, today }) => {
    const found = await requireByIds(tx, companyRoom, scope, ids)
    await findByIds(tx, room, scope, [...new Set(found.map(r => r.roomId))], { lock: true })
    const locked = await findByIds(tx, companyRoom, scope, ids, { lock: true })
    const ended = locked.find(r => r.endDate && r.endDate < today)
    if (ended) return refuse(`房间「${ended.roomPath}」的租用 ${ended.endDate} 已结束，无需再退`)
    await endCompanyRooms(tx, scope, locked, addDays(today, -1), today, reason)
  }),
]
