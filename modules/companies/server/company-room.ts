import { defined } from '#kit/domain/defined.ts'
import { notFound, refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insertAll, requireById, findAll } from '#kit/server/table.ts'
import { live, touch, code } from '#kit/server/sql.ts'
import { room, type Room } from '#modules/rooms/contract/room.ts'
import { updateRoomCompany, applyRoomState } from '#modules/rooms/server/public.ts'
import {
  addCompanyRooms,
  company,
  companyRoom,
  companyRooms,
  deleteCompanyRooms,
  findRoomsInUse,
  type Company,
  type CompanyRoom,
  type CompanyRoomDraft,
  companyState,
} from '../contract/company.ts'

/** Rows that hold a room in a time, another company's (BASE-16). An open end runs on. */
export const findRoomHoldings = (
  db: Db,
  scope: Scope,
  ids: readonly number[],
  from: Day,
  to: Day | undefined,
  but: number,
): Promise<{ roomId: number; roomPath: string; companyName: string; beginDate: Day; endDate?: Day }[]> =>
  db.rows(sql`
    select c.room_id, r.path as room_path, o.name as company_name, c.begin_date, c.end_date
    from company_room c
    join room r on r.owner_id = c.owner_id and r.id = c.room_id
    join company o on o.owner_id = c.owner_id and o.id = c.company_id
    where c.owner_id = ${scope.ownerId}
      and c.room_id = any(${[...ids]})
      and c.company_id <> ${but}
      and ${live('c')}
      and daterange(c.begin_date, c.end_date, '[]') && daterange(${from}::date, ${to ?? null}::date, '[]')
    order by r.sort_key
  `)

interface RoomConflictRow {
  line: number
  roomPath: string
  companyName: string
  beginDate: Day
  endDate?: Day
}

/** Who holds what is asked for, line by line, in one query. */
const findConflicts = (
  db: Db,
  scope: Scope,
  places: readonly CompanyRoomDraft[],
): Promise<RoomConflictRow[]> =>
  db.rows(sql`
    select (w.n - 1)::int as line, r.path as room_path, o.name as company_name, c.begin_date, c.end_date
    from unnest(
      ${places.map(p => p.roomId)}::bigint[], ${places.map(p => p.beginDate)}::date[],
      ${places.map(p => p.endDate ?? null)}::date[]
    ) with ordinality w(room_id, begin_date, end_date, n)
    join company_room c on c.owner_id = ${scope.ownerId} and c.room_id = w.room_id and ${live('c')}
    join room r on r.owner_id = c.owner_id and r.id = c.room_id
    join company o on o.owner_id = c.owner_id and o.id = c.company_id
    where c.begin_date <= coalesce(w.end_date, 'infinity')
      and coalesce(c.end_date, 'infinity') >= w.begin_date
    order by w.n, c.begin_date
  `)

/** What a company leaves behind is empty, unless somebody lives there. */
export const isLeftEmpty = (r: Room): boolean =>
  r.people === 0 && (r.roomState === 'let' || r.roomState === 'lived' || r.roomState === 'fitting')

/**
 * Which company each room has today, told to the rooms; one that has moved out has none, also on its last
 * day; an empty one comes into use, one that was `given` back and has nobody else is empty (BASE-11).
 */
export async function syncRoomCompanies(
  tx: Tx,
  scope: Scope,
  ids: readonly number[],
  today: Day,
  how: { readonly reason?: string | undefined; readonly given?: ReadonlySet<number> } = {},
): Promise<void> {
  const { reason, given } = how
  const now = await tx.rows<{
    roomId: number
    companyId?: number
    companyName?: string
  }>(sql`
    select w.id as room_id, o.id as company_id, o.name as company_name
    from unnest(${[...ids]}::bigint[]) as w(id)
    left join company_room c on c.owner_id = ${scope.ownerId}
      and c.room_id = w.id
      and ${live('c')}
      and c.begin_date <= ${today}
      and (c.end_date is null or c.end_date >= ${today})
      and exists (
        select 1 from company g where g.owner_id = c.owner_id and g.id = c.company_id and g.state <> ${code(companyState, 'gone')}
      )
    left join company o on o.owner_id = c.owner_id and o.id = c.company_id
  `)
  await updateRoomCompany(tx, scope, now, { today, reason })
  const all = await findByIds(tx, room, scope, ids)
  const taken = new Set(now.filter(n => n.companyId !== undefined).map(n => n.roomId))
  const into = all.filter(r => taken.has(r.id) && r.roomState === 'vacant')
  const out = all.filter(r => given?.has(r.id) && !taken.has(r.id) && isLeftEmpty(r))
  if (into.length) {
    await applyRoomState(tx, scope, into, 'let', { today, reason: reason ?? '企业入驻' })
  }
  if (out.length) {
    await applyRoomState(tx, scope, out, 'vacant', { today, reason: reason ?? '企业迁出' })
  }
}

/** Gives a company rooms of its project; each fault at its line (BASE-16). */
export async function assignRooms(
  tx: Tx,
  scope: Scope,
  c: Company,
  places: readonly CompanyRoomDraft[],
  today: Day,
): Promise<number[]> {
  if (!places.length) return []
  if (c.state === 'gone') return refuse('企业已迁出，不能再添加房间')
  const held = new Map(
    (await findByIds(tx, room, scope, [...new Set(places.map(p => p.roomId))], true)).map(r => [r.id, r]),
  )
  const taken = Map.groupBy(await findConflicts(tx, scope, places), x => x.line)
  const faults: FieldFault[] = []
  for (const [i, p] of places.entries()) {
    const r: Room | undefined = held.get(p.roomId)
    const say = (field: string, Message: string): void => {
      faults.push({ Field: `Rooms[${i}].${field}`, Message })
    }
    if (!r) {
      say('RoomID', '房间不存在或已被删除，请重新选择')
      continue
    }
    if (r.projectCode !== c.projectCode) {
      say('RoomID', `房间「${r.path}」不属于该企业所在的项目，请重新选择`)
    }
    if (r.state === 'off') {
      say('RoomID', `房间「${r.path}」已停用`)
    }
    if (p.endDate && p.endDate < p.beginDate) {
      say('EndDate', '止日期不能早于起日期')
      continue
    }
    const own = places.findIndex(
      (q, j) =>
        j < i &&
        q.roomId === p.roomId &&
        q.beginDate <= (p.endDate ?? '9999-12-31') &&
        (q.endDate ?? '9999-12-31') >= p.beginDate,
    )
    if (own >= 0) {
      say('RoomID', `房间「${r.path}」与第 ${own + 1} 行的时间重叠`)
    }
    for (const h of taken.get(i) ?? []) {
      say(
        'RoomID',
        `房间「${h.roomPath}」${h.beginDate} 至 ${h.endDate ?? '今'} 属于「${h.companyName}」，请调整起止日期`,
      )
    }
  }
  if (faults.length) throw invalidInput(faults)
  const ids = await insertAll(
    tx,
    companyRoom,
    scope,
    places.map(p => ({
      ...p,
      projectCode: c.projectCode,
      companyId: c.id,
      buildCode: defined(held.get(p.roomId)).buildCode,
      area: p.area ?? defined(held.get(p.roomId)).buildArea,
    })),
  )
  await syncRoomCompanies(tx, scope, [...held.keys()], today)
  return ids
}

/**
 * Ends what still runs: `last` is its last day. What has not begun by then is taken out. Held by the caller.
 */
export async function endCompanyRooms(
  tx: Tx,
  scope: Scope,
  of: readonly CompanyRoom[],
  last: Day,
  today: Day,
  reason?: string,
): Promise<void> {
  if (!of.length) return
  await tx.execute(sql`
    update company_room
    set end_date = case when begin_date <= ${last} then ${last}::date else end_date end,
      delete_tag = case when begin_date <= ${last} then 0 else 1 end, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${of.map(r => r.id)})
      and ${live()}
      and (end_date is null or end_date > ${last})
  `)
  await audit(
    tx,
    scope,
    of.map(r => ({
      action: 'update',
      entity: 'companyRoom',
      entityId: r.id,
      projectCode: r.projectCode,
      before: { endDate: r.endDate },
      after: { endDate: last },
      reason,
    })),
  )
  const given = new Set(of.map(r => r.roomId))
  await syncRoomCompanies(tx, scope, [...given], today, { reason, given })
}

export const companyRoomServer = crudHandlers(companyRooms, {
  filter: ({ roomId, live: isLive }, { today }) => [
    ...(roomId === undefined ? [] : [sql`t.room_id = ${roomId}`]),
    ...(isLive ? [sql`(t.end_date is null or t.end_date >= ${today})`] : []),
  ],
})

export const companyRoomHandlers = [
  reads(findRoomsInUse, async ({ companyId, roomIds, beginDate, endDate }, { db, scope, today }) => {
    const mine = await findByIds(db, room, scope, roomIds)
    return findRoomHoldings(
      db,
      scope,
      mine.map(r => r.id),
      beginDate ?? today,
      endDate,
      companyId ?? 0,
    )
  }),
  writes(addCompanyRooms, async ({ companyId, places }, { tx, scope, today }) => {
    const ids = await assignRooms(
      tx,
      scope,
      await requireById(tx, company, scope, companyId, true),
      places,
      today,
    )
    return findAll(tx, companyRoom, scope, {}, { where: [sql`t.id = any(${ids})`] })
  }),
  writes(deleteCompanyRooms, async ({ ids, reason }, { tx, scope, today }) => {
    const found = await findByIds(tx, companyRoom, scope, ids)
    if (found.length !== new Set(ids.map(Number)).size) throw notFound()
    await findByIds(tx, room, scope, [...new Set(found.map(r => r.roomId))], true)
    const held = await findByIds(tx, companyRoom, scope, ids, true)
    const over = held.find(r => r.endDate && r.endDate < today)
    if (over) return refuse(`房间「${over.roomPath}」的租用 ${over.endDate} 已结束，不用再退`)
    await endCompanyRooms(tx, scope, held, addDays(today, -1), today, reason)
  }),
]
