import type { Id } from '#kit/domain/id.ts'
import { notFound, refuse } from '#kit/contract/wire.ts'
import { canNamePlaces } from '#kit/domain/address.ts'
import { defined } from '#kit/domain/defined.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import { codes, flagFilter, notDeleted } from '#kit/server/sql.ts'
import { findAll, findByIds, findByKey, findPage, projectRequired } from '#kit/server/table.ts'
import { room as roomEntity, type Room } from '#modules/rooms/contract/room.ts'
import { roomIdsByKeyword } from '#modules/rooms/server/public.ts'
import { residencyStatus } from '../contract/labels.ts'
import {
  listResidencies,
  listResidencyLog,
  listResidentHomes,
  listRoomResidents,
  residency,
  residencyLog,
} from '../contract/residency.ts'
import { requireResident } from './resident-access.ts'
import { paysForRoom, withRoomPayers } from './residency-payer.ts'

interface ResidencyFilter {
  readonly userId?: Id
  readonly roomId?: Id
  readonly roomCode?: string
  readonly movedIn?: boolean
  readonly isPayer?: boolean
  readonly keyword?: string
}

/**
 * Residencies and log entries of people or rooms that a keyword finds, of deleted people, too. Sets of ids,
 * so that every index can be used.
 */
const keywordCondition = (ownerId: Id, keyword: string) => {
  const byPerson = sql`t.user_id = any(
    array(
      select p.id from resident p where p.owner_id = ${ownerId} and ${matchesSearchText(keyword, 'p')}
    )
  )`
  return canNamePlaces(keyword)
    ? sql`(${byPerson} or t.room_id = any(array(${roomIdsByKeyword(ownerId, keyword)})))`
    : byPerson
}

const filterConditions = (
  { ownerId }: Scope,
  { userId, roomId, roomCode, movedIn, isPayer, keyword }: ResidencyFilter,
) => [
  ...(userId === undefined ? [] : [sql`t.user_id = ${userId}`]),
  ...(roomId === undefined ? [] : [sql`t.room_id = ${roomId}`]),
  ...(roomCode === undefined
    ? []
    : [
        sql`t.room_id in (
          select r.id
          from room r
          where r.owner_id = ${ownerId} and r.code = ${roomCode} and ${notDeleted('r')}
        )`,
      ]),
  ...flagFilter(movedIn, sql`t.in_date is not null`),
  ...flagFilter(
    isPayer,
    sql`exists (
      select 1
      from user_room l
      join room r on r.owner_id = ${ownerId} and r.id = l.room_id
      where l.owner_id = ${ownerId} and l.id = t.id and ${paysForRoom()}
    )`,
  ),
  ...(keyword ? [keywordCondition(ownerId, keyword)] : []),
]

const listResidenciesHandler = reads(
  listResidencies,
  async ({ userId, roomId, roomCode, movedIn, isPayer, keyword, ...query }, { db, scope }) => {
    const page = await findPage(db, residency, scope, query, {
      filters: defined(listResidencies.input.filters),
      where: filterConditions(scope, { userId, roomId, roomCode, movedIn, isPayer, keyword }),
    })
    return { ...page, rows: await withRoomPayers(db, scope.ownerId, page.rows) }
  },
)

const listResidencyLogHandler = reads(
  listResidencyLog,
  ({ userId, roomId, roomCode, keyword, ...query }, { db, scope }) =>
    findPage(db, residencyLog, scope, query, {
      filters: defined(listResidencyLog.input.filters),
      where: filterConditions(scope, { userId, roomId, roomCode, keyword }),
    }),
)

const listResidentHomesHandler = reads(listResidentHomes, async ({ userId }, { db, scope }) => {
  await requireResident(db, scope, userId)
  const homes = await findAll(db, residency, scope, {}, { where: [sql`t.user_id = ${userId}`] })
  return withRoomPayers(db, scope.ownerId, homes)
})

type RoomResidentsInput = NonNullable<typeof listRoomResidents.input.T>

async function findAskedRooms(
  db: Db,
  scope: Scope,
  { roomCode, roomId, roomIds, projectCode }: RoomResidentsInput,
): Promise<readonly Room[]> {
  if (roomId) return findByIds(db, roomEntity, scope, [roomId])
  if (roomIds?.length) return findByIds(db, roomEntity, scope, roomIds)
  if (!roomCode) return refuse('请选择房间')
  const project = projectCode ?? (scope.projectCode || undefined)
  if (!project) throw projectRequired()
  const room = await findByKey(db, roomEntity, scope, roomCode, project)
  return room ? [room] : []
}

const listRoomResidentsHandler = reads(listRoomResidents, async (input, { db, scope }) => {
  const rooms = await findAskedRooms(db, scope, input)
  if (!rooms.length) throw notFound()
  const current = await findAll(
    db,
    residency,
    scope,
    { order: 'id' },
    {
      where: [
        sql`t.room_id = any(${rooms.map(room => room.id)})`,
        sql`t.status in ${codes(residencyStatus, 'pending', 'living')}`,
      ],
    },
  )
  return (await withRoomPayers(db, scope.ownerId, current)).map(row => ({
    id: row.userId,
    roomId: row.roomId,
    name: row.userName ?? '',
    mobile: row.mobile,
    linkId: row.id,
    relation: row.relation,
    status: row.status,
    isMain: row.isMain,
    isPayer: row.isPayer,
    inDate: row.inDate,
  }))
})

export const residencyListHandlers = [
  listResidenciesHandler,
  listResidentHomesHandler,
  listRoomResidentsHandler,
  listResidencyLogHandler,
]
