import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { hasBuilding, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { findAll, projectRequired, tenantFilter } from '#kit/server/table.ts'
import { invalidInput } from '#kit/contract/wire.ts'
import { building } from '#modules/estates/contract/building.ts'
import { publicArea } from '#modules/estates/contract/public-area.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { listPositionNodes, type PositionNode } from '../contract/room-board.ts'
import { room } from '../contract/room.ts'
import { roomType } from '../contract/labels.ts'

type PositionNodeQuery = NonNullable<typeof listPositionNodes.input.T>
const shopCode = codeOf(roomType, 'shop')

const sceneFilter = (q: PositionNodeQuery): RawBuilder<any> =>
  q.sceneType === 'room'
    ? sql`and t.room_type <> ${shopCode}`
    : q.sceneType === 'shop'
      ? sql`and t.room_type = ${shopCode}`
      : q.sceneType === 'area'
        ? sql`and false`
        : sql``

const includesAreas = (q: PositionNodeQuery): boolean =>
  q.sceneType === 'roomShopArea' || q.sceneType === 'area'

const countRoomsBy = async (
  db: Db,
  scope: Scope,
  q: PositionNodeQuery,
  column: 'project_code' | 'build_code' | 'unit_name',
): Promise<Map<string, number>> =>
  new Map(
    (
      await db.rows<{
        key: string
        count: number
      }>(sql`
        select ${sql.ref(`t.${column}`)} as key, count(*)::int as count
        from room as t
        where ${tenantFilter(room, scope, q.projectCode)} ${q.buildCode ? sql`and t.build_code = ${q.buildCode}` : sql``} ${sceneFilter(q)}
        group by 1
      `)
    ).map(r => [r.key, r.count]),
  )

async function projectNodes(db: Db, scope: Scope, q: PositionNodeQuery): Promise<PositionNode[]> {
  const counts = await countRoomsBy(db, scope, q, 'project_code')
  return (await findAll(db, estate, scope, q.projectCode ? { projectCode: q.projectCode } : {})).map(e => ({
    key: e.projectCode,
    level: 'project',
    name: e.name,
    projectCode: e.projectCode,
    count: counts.get(e.projectCode) ?? 0,
    leaf: false,
  }))
}

/** Buildings, and after them the areas that stand in none. */
async function buildingNodes(db: Db, scope: Scope, q: PositionNodeQuery): Promise<PositionNode[]> {
  const projectCode = q.projectCode ?? scope.projectCode
  if (!projectCode) throw projectRequired()
  const asked = { ...q, projectCode }
  const counts = await countRoomsBy(db, scope, asked, 'build_code')
  const found: PositionNode[] = (await findAll(db, building, scope, { projectCode })).map(b => ({
    key: `${projectCode}/${defined(b.code)}`,
    level: 'building',
    name: b.name,
    projectCode,
    buildCode: defined(b.code),
    count: counts.get(defined(b.code)) ?? 0,
    leaf: false,
  }))
  return [...found, ...(includesAreas(q) ? await areaNodes(db, scope, projectCode, undefined) : [])]
}

async function areaNodes(
  db: Db,
  scope: Scope,
  projectCode: string,
  buildCode: string | undefined,
): Promise<PositionNode[]> {
  const found = await findAll(
    db,
    publicArea,
    scope,
    { projectCode },
    { where: [buildCode ? sql`t.build_code = ${buildCode}` : sql`t.build_code is null`], limit: 5000 },
  )
  return found.map(a => ({
    key: `${projectCode}/area/${defined(a.code)}`,
    level: 'room',
    name: a.name,
    projectCode,
    ...(a.buildCode ? { buildCode: a.buildCode } : {}),
    id: a.id,
    code: defined(a.code),
    kind: 'area',
    leaf: true,
  }))
}

async function unitNodes(db: Db, scope: Scope, q: PositionNodeQuery): Promise<PositionNode[]> {
  const { projectCode, buildCode } = requireBuildingCode(scope, q)
  const counts = await countRoomsBy(db, scope, { ...q, projectCode, buildCode }, 'unit_name')
  const b = (await findBuildings(db, scope.ownerId, projectCode, [buildCode])).get(buildCode)
  const found: PositionNode[] = (b?.units ?? []).map(u => ({
    key: `${projectCode}/${buildCode}/${u.name}`,
    level: 'unit',
    name: `${u.name}单元`.replace('单元单元', '单元'),
    projectCode,
    buildCode,
    unitName: u.name,
    count: counts.get(u.name) ?? 0,
    leaf: false,
  }))
  return [...found, ...(includesAreas(q) ? await areaNodes(db, scope, projectCode, buildCode) : [])]
}

async function roomNodes(db: Db, scope: Scope, q: PositionNodeQuery): Promise<PositionNode[]> {
  const { projectCode, buildCode } = requireBuildingCode(scope, q)
  const where = [
    ...(q.unitName === undefined ? [] : [sql`t.unit_name = ${q.unitName}`]),
    ...(q.floorNum === undefined ? [] : [sql`t.floor_num = ${q.floorNum}`]),
    sql`true ${sceneFilter(q)}`,
  ]
  const found = await findAll(
    db,
    room,
    scope,
    { projectCode, buildCode: [buildCode] },
    {
      filters: ['buildCode'],
      where,
      keys: ['id', 'code', 'roomNo', 'roomType', 'floorNum', 'unitName'],
      limit: 20_000,
    },
  )
  return found.map(r => ({
    key: `${projectCode}/room/${defined(r.code)}`,
    level: 'room',
    name: r.roomNo,
    projectCode,
    buildCode,
    unitName: r.unitName,
    id: r.id,
    code: defined(r.code),
    kind: r.roomType === 'shop' ? 'shop' : 'room',
    floorNum: r.floorNum,
    leaf: true,
  }))
}

function requireBuildingCode(scope: Scope, q: PositionNodeQuery): { projectCode: string; buildCode: string } {
  const projectCode = q.projectCode ?? scope.projectCode
  if (!projectCode) throw projectRequired()
  if (!q.buildCode) throw invalidInput([{ Field: 'Buildcode', Message: '请先选择楼栋' }])
  if (!hasBuilding(scope.domain, projectCode, q.buildCode)) throw outOfDomain()
  return { projectCode, buildCode: q.buildCode }
}

const nodeLoaders = { project: projectNodes, building: buildingNodes, unit: unitNodes, room: roomNodes }

/** A level that is not named lies under the deepest part that is. */
const nextLevel = (q: PositionNodeQuery): keyof typeof nodeLoaders =>
  q.level ??
  (q.unitName !== undefined ? 'room' : q.buildCode ? 'unit' : q.projectCode ? 'building' : 'project')

export const positionNodeHandlers = [
  reads(listPositionNodes, (q, { db, scope }) => nodeLoaders[nextLevel(q)](db, scope, q)),
]
