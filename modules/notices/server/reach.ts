import { Refused, resultCode, notFound, type FieldFault } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { hasBuilding, type DataDomain, type Scope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import type { Audience } from '#modules/messaging/contract/audience.ts'
import { namedBuildings, namedProjects } from '../domain/audience.ts'

type Sql = RawBuilder<unknown>

interface OfProjects {
  readonly projectCodes?: readonly string[] | undefined
}

/** Of rows `t` with the projects that they are of: those of the whole company, and those of the domain. */
export const inDomain = ({ domain }: Pick<Scope, 'domain'>): Sql[] =>
  domain.all
    ? []
    : [
        sql`(
          cardinality(coalesce(t.project_codes, '{}')) = 0
          or t.project_codes && ${[...domain.projects.keys()]}::text[]
        )`,
      ]

/** Of rows `t` those that concern one project: its own, and those of the whole company. */
export const ofProject = (projectCode: string | undefined): Sql[] =>
  projectCode
    ? [
        sql`(
          cardinality(coalesce(t.project_codes, '{}')) = 0
          or t.project_codes && ${[projectCode]}::text[]
        )`,
      ]
    : []

/** Refuses a record of other projects alone as one that is not there. */
export function requireInDomain<T extends OfProjects>({ domain }: Pick<Scope, 'domain'>, row: T): T {
  const { projectCodes = [] } = row
  if (domain.all || !projectCodes.length || projectCodes.some(code => domain.projects.has(code))) return row
  throw notFound()
}

const beyondDomain = (text: string): Refused => new Refused(resultCode.forbidden, text)

/** What is of several projects is written by those who have all of them, each whole. */
export function assertWholeProjects(
  { domain }: Pick<Scope, 'domain'>,
  { projectCodes = [] }: OfProjects,
  noun: string,
): void {
  if (domain.all) return
  if (!projectCodes.length)
    throw beyondDomain(`${noun}适用于全部项目，超出你的数据范围：请选择项目，或由负责全部项目的人员办理`)
  if (projectCodes.some(code => domain.projects.get(code) !== null))
    throw beyondDomain(`${noun}的部分项目不在你的数据范围内，请由负责人员办理`)
}

const isWholeProjects = ({ projects }: DataDomain): boolean =>
  [...projects.values()].every(buildings => buildings === null)

/** Nobody is at a building that is not there. */
export async function missingBuildingFaults(
  db: Db,
  { ownerId }: Pick<Scope, 'ownerId'>,
  audience: Audience,
): Promise<FieldFault[]> {
  const keys = [...new Set(namedBuildings(audience).map(([project, building]) => `${project}/${building}`))]
  if (!keys.length) return []
  const found = await db.rows<{ key: string }>(sql`
    select b.project_code || '/' || b.code as key
    from building b
    where b.owner_id = ${ownerId}
      and b.project_code = any(${keys.map(key => key.split('/')[0])}::text[])
      and ${notDeleted('b')}
  `)
  const known = new Set(found.map(row => row.key))
  const missing = keys.filter(key => !known.has(key))
  if (!missing.length) return []
  return [{ Field: 'ScopeJson', Message: `楼栋「${missing.join('、')}」不存在，请重新选择` }]
}

interface RoomPlace {
  readonly projectCode: string
  readonly buildCode: string
}

const findRoomPlaces = (db: Db, ownerId: Id, roomIds: readonly string[] = []): Promise<RoomPlace[]> =>
  db.rows<RoomPlace>(sql`
    select distinct project_code, coalesce(build_code, '') as build_code
    from room
    where owner_id = ${ownerId} and id = any(${roomIds.map(parseId)}::bigint[])
  `)

const outside = (): Refused => beyondDomain('发送范围超出你的数据范围，请重新选择，或由负责人员办理')

/** Refuses an audience beyond the data domain; returns the projects that the notice is of. */
export async function audienceProjects(
  db: Db,
  { ownerId, domain }: Pick<Scope, 'ownerId' | 'domain'>,
  audience: Audience,
): Promise<readonly string[] | undefined> {
  const { scopeType, scopeJson } = audience
  if (scopeType === 'departments') return undefined
  if (scopeType === 'rooms') {
    const places = await findRoomPlaces(db, ownerId, scopeJson?.roomIds)
    if (places.some(place => !hasBuilding(domain, place.projectCode, place.buildCode))) throw outside()
    return [...new Set(places.map(place => place.projectCode))]
  }
  if (domain.all) return namedProjects(audience)
  if (scopeType === 'all')
    throw beyondDomain('全部住户超出你的数据范围，请选择项目，或由负责全部项目的人员发布')
  if (scopeType === 'tags') {
    if (!isWholeProjects(domain)) throw beyondDomain('你的数据范围限于楼栋，请选择楼栋、单元或房屋')
    return [...domain.projects.keys()]
  }
  if (scopeType === 'projects') {
    assertWholeProjects({ domain }, { projectCodes: scopeJson?.projectCodes }, '公告')
  } else if (namedBuildings(audience).some(([project, code]) => !hasBuilding(domain, project, code))) {
    throw outside()
  }
  return namedProjects(audience)
}

/** The scope in which an audience is resolved: no further than the projects of its notice. */
export const audienceScope = (scope: Scope, { projectCodes = [] }: OfProjects): Scope =>
  projectCodes.length && scope.domain.all
    ? { ...scope, domain: { all: false, projects: new Map(projectCodes.map(code => [code, null])) } }
    : scope
