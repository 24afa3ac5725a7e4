import { codeOf } from '#kit/contract/field.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { inBuilding, outside, type Scope } from '#kit/server/scope.ts'
import { rows, unknownProject, wall } from '#kit/server/table.ts'
import { wrong } from '#kit/contract/wire.ts'
import { building } from '#modules/estates/contract/building.ts'
import { publicArea } from '#modules/estates/contract/area.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { standing } from '#modules/estates/server/public.ts'
import { positionNodes, type PositionNode } from '../contract/board.ts'
import { room } from '../contract/room.ts'
import { roomType } from '../contract/words.ts'

type Ask = NonNullable<typeof positionNodes.input.T>
const shop = codeOf(roomType, 'shop')

const ofScene = (q: Ask): RawBuilder<any> =>
  q.sceneType === 'room'
    ? sql`and t.room_type <> ${shop}`
    : q.sceneType === 'shop'
      ? sql`and t.room_type = ${shop}`
      : q.sceneType === 'area'
        ? sql`and false`
        : sql``

const withAreas = (q: Ask): boolean => q.sceneType === 'roomShopArea' || q.sceneType === 'area'

const countBy = async (
  db: Db,
  scope: Scope,
  q: Ask,
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
        where ${wall(room, scope, q.projectCode)} ${q.buildCode ? sql`and t.build_code = ${q.buildCode}` : sql``} ${ofScene(q)}
        group by 1
      `)
    ).map(r => [r.key, r.count]),
  )

async function projects(db: Db, scope: Scope, q: Ask): Promise<PositionNode[]> {
  const counts = await countBy(db, scope, q, 'project_code')
  return (await rows(db, estate, scope, q.projectCode ? { projectCode: q.projectCode } : {})).map(e => ({
    key: e.projectCode,
    level: 'project',
    name: e.name,
    projectCode: e.projectCode,
    count: counts.get(e.projectCode) ?? 0,
    leaf: false,
  }))
}

/** Buildings, and after them the areas that stand in none. */
async function buildings(db: Db, scope: Scope, q: Ask): Promise<PositionNode[]> {
  const projectCode = q.projectCode ?? scope.projectCode
  if (!projectCode) throw unknownProject()
  const asked = { ...q, projectCode }
  const counts = await countBy(db, scope, asked, 'build_code')
  const found: PositionNode[] = (await rows(db, building, scope, { projectCode })).map(b => ({
    key: `${projectCode}/${b.code!}`,
    level: 'building',
    name: b.name,
    projectCode,
    buildCode: b.code!,
    count: counts.get(b.code!) ?? 0,
    leaf: false,
  }))
  return [...found, ...(withAreas(q) ? await areas(db, scope, projectCode, undefined) : [])]
}

async function areas(
  db: Db,
  scope: Scope,
  projectCode: string,
  buildCode: string | undefined,
): Promise<PositionNode[]> {
  const found = await rows(
    db,
    publicArea,
    scope,
    { projectCode },
    { where: [buildCode ? sql`t.build_code = ${buildCode}` : sql`t.build_code is null`], limit: 5000 },
  )
  return found.map(a => ({
    key: `${projectCode}/area/${a.code!}`,
    level: 'room',
    name: a.name,
    projectCode,
    ...(a.buildCode ? { buildCode: a.buildCode } : {}),
    id: a.id,
    code: a.code!,
    kind: 'area',
    leaf: true,
  }))
}

async function units(db: Db, scope: Scope, q: Ask): Promise<PositionNode[]> {
  const { projectCode, buildCode } = located(scope, q)
  const counts = await countBy(db, scope, { ...q, projectCode, buildCode }, 'unit_name')
  const b = (await standing(db, scope.ownerId, projectCode, [buildCode])).get(buildCode)
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
  return [...found, ...(withAreas(q) ? await areas(db, scope, projectCode, buildCode) : [])]
}

async function rooms(db: Db, scope: Scope, q: Ask): Promise<PositionNode[]> {
  const { projectCode, buildCode } = located(scope, q)
  const where = [
    ...(q.unitName === undefined ? [] : [sql`t.unit_name = ${q.unitName}`]),
    ...(q.floorNum === undefined ? [] : [sql`t.floor_num = ${q.floorNum}`]),
    sql`true ${ofScene(q)}`,
  ]
  const found = await rows(
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
    key: `${projectCode}/room/${r.code!}`,
    level: 'room',
    name: r.roomNo,
    projectCode,
    buildCode,
    unitName: r.unitName,
    id: r.id,
    code: r.code!,
    kind: r.roomType === 'shop' ? 'shop' : 'room',
    floorNum: r.floorNum,
    leaf: true,
  }))
}

function located(scope: Scope, q: Ask): { projectCode: string; buildCode: string } {
  const projectCode = q.projectCode ?? scope.projectCode
  if (!projectCode) throw unknownProject()
  if (!q.buildCode) throw wrong([{ Field: 'Buildcode', Message: '请先选择楼栋' }])
  if (!inBuilding(scope.domain, projectCode, q.buildCode)) throw outside()
  return { projectCode, buildCode: q.buildCode }
}

const levels = { project: projects, building: buildings, unit: units, room: rooms }

/** A level that is not named lies under the deepest part that is. */
const next = (q: Ask): keyof typeof levels =>
  q.level ??
  (q.unitName !== undefined ? 'room' : q.buildCode ? 'unit' : q.projectCode ? 'building' : 'project')

export const nodeHandlers = [reads(positionNodes, (q, { db, scope }) => levels[next(q)](db, scope, q))]
