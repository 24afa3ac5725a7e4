import type { Id } from '#kit/domain/id.ts'
import { invalidField, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { hasProject, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { findAll, insertNew, projectRequired, requireById } from '#kit/server/table.ts'
import { room, type Room } from '#modules/rooms/contract/room.ts'
import { roomInspection, type addInspections } from '../contract/inspection.ts'
import { inspectionStandard, type InspectionStandard } from '../contract/standard.ts'
import { assertInspector } from './inspectors.ts'
import { itemsOfStandard } from './standard.ts'

export const sheetPrefix = 'YF'
const maxRooms = 2000

type Batch = NonNullable<typeof addInspections.input.T>

/** A standard that sheets may be made by: in use, and with something to look at. */
export async function requireUsableStandard(db: Db, scope: Scope, id: Id): Promise<InspectionStandard> {
  const standard = await requireById(db, inspectionStandard, scope, id)
  if (standard.state === 'off') throw invalidField('StandardID', '验房标准已停用，请另选标准')
  if (!(await itemsOfStandard(db, scope, id)).length)
    throw invalidField('StandardID', '验房标准没有查验项，请先添加查验项')
  return standard
}

/** The rooms of the building, of one unit of it, or those that were chosen; all in the caller's domain. */
function findRooms(
  db: Db,
  scope: Scope,
  projectCode: string,
  { buildCode, unitName, roomCodes }: Batch,
): Promise<Room[]> {
  if (!buildCode && !roomCodes?.length) throw invalidField('Rooms', '请选择楼栋或房屋')
  return findAll(
    db,
    room,
    scope,
    { projectCode },
    {
      where: roomCodes?.length
        ? [sql`t.code = any(${[...roomCodes]}::text[])`]
        : [
            sql`t.build_code = ${buildCode}`,
            ...(unitName === undefined ? [] : [sql`t.unit_name = ${unitName}`]),
          ],
      limit: maxRooms + 1,
    },
  )
}

/** How many sheets each room has had. */
async function loadRounds(
  tx: Tx,
  scope: Scope,
  projectCode: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ roomCode: string; round: number }>(sql`
    select room_code, max(round) as round
    from room_inspection
    where owner_id = ${scope.ownerId}
      and project_code = ${projectCode}
      and room_code = any(${[...codes]}::text[])
      and ${notDeleted()}
    group by room_code
  `)
  return new Map(rows.map(row => [row.roomCode, row.round]))
}

/**
 * A sheet for each room that is not under inspection already; of two batches at once one makes it (the unique
 * index of open sheets).
 */
export async function addBatch(batch: Batch, { tx, scope, today }: WriteContext) {
  const { roomCodes } = batch
  const projectCode = batch.projectCode ?? scope.projectCode
  if (!projectCode) throw projectRequired()
  if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
  await requireUsableStandard(tx, scope, batch.standardId)
  const rooms = await findRooms(tx, scope, projectCode, batch)
  if (!rooms.length) return refuse('所选范围内没有房屋，请重新选择')
  await assertInspector(tx, scope, batch.inspectorId, rooms)
  if (rooms.length > maxRooms) return refuse(`一次最多生成 ${maxRooms} 张验房单，请按单元分批`)
  const codes = rooms.map(r => r.code ?? '')
  const rounds = await loadRounds(tx, scope, projectCode, codes)
  const numbers = await tx.numbers.nextMany(scope.ownerId, sheetPrefix, today, rooms.length)
  const added = await insertNew(
    tx,
    roomInspection,
    scope,
    rooms.map((row, i) => ({
      projectCode,
      sheetNo: numbers[i],
      roomCode: row.code,
      buildCode: row.buildCode,
      standardId: batch.standardId,
      round: (rounds.get(row.code ?? '') ?? 0) + 1,
      recheckCount: 0,
      inspectorId: batch.inspectorId || undefined,
      planDate: batch.planDate,
      problemCount: 0,
      openCount: 0,
      state: 'waiting',
    })),
    ['roomCode'],
  )
  const skipped = rooms.filter(r => !added.has(JSON.stringify([r.code])))
  const missing = (roomCodes ?? []).filter(code => !codes.includes(code))
  return {
    success: added.size,
    fail: missing.length,
    skipped: skipped.length,
    rows: [
      ...skipped.map(r => ({ id: r.id, code: r.path, reason: '已有未完成的验房单' })),
      ...missing.map(code => ({ code, reason: '房屋不存在或已被删除' })),
    ],
  }
}
