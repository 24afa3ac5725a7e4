import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { hasBuilding, outOfDomain, type Scope } from '#kit/server/scope.ts'
import { findAll, projectRequired, tenantFilter } from '#kit/server/table.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { building as buildingEntity } from '#modules/estates/contract/building.ts'
import { publicArea } from '#modules/estates/contract/public-area.ts'
import { estate as estateEntity } from '#modules/estates/contract/estate.ts'
import { findBuildings } from '#modules/estates/server/public.ts'
import { listPositionNodes, type PositionNode } from '../contract/room-board.ts'
import { room as roomEntity } from '../contract/room.ts'
import { roomType } from '../contract/labels.ts'

type PositionNodeQuery = NonNullable<typeof listPositionNodes.input.T>
const shopCode = codeOf(roomType, 'shop')

const sceneFilter = (query: PositionNodeQuery): RawBuilder<unknown> => {
  if (query.sceneType === 'room') return sql`and t.room_type <> ${shopCode}`
  if (query.sceneType === 'shop') return sql`and t.room_type = ${shopCode}`
  if (query.sceneType === 'area') return sql`and false`
  return sql``
}

const includesAreas = (query: PositionNodeQuery): boolean =>
  query.sceneType === 'roomShopArea' || query.sceneType === 'area'

const countRoomsBy = async (
  db: Db,
  scope: Scope,
  query: PositionNodeQuery,
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
        where ${tenantFilter(roomEntity, scope, query.projectCode)}
          ${query.buildCode ? sql`and t.build_code = ${query.buildCode}` : sql``}
          ${sceneFilter(query)}
        group by 1
      `)
    ).map(({ key, count }) => [key, count]),
  )

async function projectNodes(db: Db, scope: Scope, query: PositionNodeQuery): Promise<PositionNode[]> {
  const counts = await countRoomsBy(db, scope, query, 'project_code')
  return (
    await findAll(db, estateEntity, scope, query.projectCode ? { projectCode: query.projectCode } : {})
  ).map(estate => ({
    key: estate.projectCode,
    level: 'project',
    name: estate.name,
    projectCode: estate.projectCode,
    count: counts.get(estate.projectCode) ?? 0,
    leaf: false,
  }))
}

/** Buildings, and after them the areas that are in none. */
async function buildingNodes(db: Db, scope: Scope, query: PositionNodeQuery): Promise<PositionNode[]> {
  const projectCode = query.projectCode ?? scope.projectCode
  if (!projectCode) throw projectRequired()
  const inProject = { ...query, projectCode }
  const counts = await countRoomsBy(db, scope, inProject, 'build_code')
  const nodes: PositionNode[] = (await findAll(db, buildingEntity, scope, { projectCode })).map(building => ({
    key: `${projectCode}/${defined(building.code)}`,
    level: 'building',
    name: building.name,
    projectCode,
    buildCode: defined(building.code),
    count: counts.get(defined(building.code)) ?? 0,
    leaf: false,
  }))
  return [...nodes, ...(includesAreas(query) ? await areaNodes(db, scope, projectCode, undefined) : [])]
}

async function areaNodes(
  db: Db,
  scope: Scope,
  projectCode: string,
  buildCode: string | undefined,
): Promise<PositionNode[]> {
  const nodes = await findAll(
    db,
    publicArea,
    scope,
    { projectCode },
    { where: [buildCode ? sql`t.build_code = ${buildCode}` : sql`t.build_code is null`], limit: 5000 },
  )
  return nodes.map(area => ({
    key: `${projectCode}/area/${defined(area.code)}`,
    level: 'room',
    name: area.name,
    projectCode,
    ...(area.buildCode ? { buildCode: area.buildCode } : {}),
    id: area.id,
    code: defined(area.code),
    kind: 'area',
    leaf: true,
  }))
}

async function unitNodes(db: Db, scope: Scope, query: PositionNodeQuery): Promise<PositionNode[]> {
  const { projectCode, buildCode } = requireBuildingCode(scope, query)
  const counts = await countRoomsBy(db, scope, { ...query, projectCode, buildCode }, 'unit_name')
  const building = (await findBuildings(db, scope.ownerId, projectCode, [buildCode])).get(buildCode)
  const nodes: PositionNode[] = (building?.units ?? []).map(unit => ({
    key: `${projectCode}/${buildCode}/${unit.name}`,
    level: 'unit',
    name: `${unit.name}单元`.replace('单元单元', '单元'),
    projectCode,
    buildCode,
    unitName: unit.name,
    count: counts.get(unit.name) ?? 0,
    leaf: false,
  }))
  return [...nodes, ...(includesAreas(query) ? await areaNodes(db, scope, projectCode, buildCode) : [])]
}

async function roomNodes(db: Db, scope: Scope, query: PositionNodeQuery): Promise<PositionNode[]> {
  const { projectCode, buildCode } = requireBuildingCode(scope, query)
  const conditions = [
    ...(query.unitName === undefined ? [] : [sql`t.unit_name = ${query.unitName}`]),
    ...(query.floorNum === undefined ? [] : [sql`t.floor_num = ${query.floorNum}`]),
    sql`true ${sceneFilter(query)}`,
  ]
  const nodes = await findAll(
    db,
    roomEntity,
    scope,
    { projectCode, buildCode: [buildCode] },
    {
      filters: ['buildCode'],
      where: conditions,
      keys: ['id', 'code', 'roomNo', 'roomType', 'floorNum', 'unitName'],
      limit: 20_000,
    },
  )
  return nodes.map(room => ({
    key: `${projectCode}/room/${defined(room.code)}`,
    level: 'room',
    name: room.roomNo,
    projectCode,
    buildCode,
    unitName: room.unitName,
    id: room.id,
    code: defined(room.code),
    kind: room.roomType === 'shop' ? 'shop' : 'room',
    floorNum: room.floorNum,
    leaf: true,
  }))
}

function requireBuildingCode(
  scope: Scope,
  query: PositionNodeQuery,
): { projectCode: string; buildCode: string } {
  const projectCode = query.projectCode ?? scope.projectCode
  if (!projectCode) throw projectRequired()
  if (!query.buildCode) throw invalidField('Buildcode', '请先选择楼栋')
  if (!hasBuilding(scope.domain, projectCode, query.buildCode)) throw outOfDomain()
  return { projectCode, buildCode: query.buildCode }
}

const nodeLoaders = { project: projectNodes, building: buildingNodes, unit: unitNodes, room: roomNodes }

/** A level that is not named is under the deepest part that is. */
function nextLevel(query: PositionNodeQuery): keyof typeof nodeLoaders {
  if (query.level) return query.level
  if (query.unitName !== undefined) return 'room'
  return query.buildCode ? 'unit' : query.projectCode ? 'building' : 'project'
}

export const positionNodeHandlers = [
  reads(listPositionNodes, (query, { db, scope }) => nodeLoaders[nextLevel(query)](db, scope, query)),
]
