import { invalidField, refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { type Db } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { createLabelSheet } from '#kit/server/label-sheet.ts'
import { hasBuilding, hasProject, type Scope } from '#kit/server/scope.ts'
import { findAll, findByKey } from '#kit/server/table.ts'
import { building } from '#modules/estates/contract/building.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { requireResident } from '#modules/residents/server/public.ts'
import { listEntranceCodes, listHomeLinks, printEntranceCodes } from '../contract/codes.ts'
import { withToken } from './address.ts'
import { entranceUrlOf } from './entrance-link.ts'
import { findHomes } from './resident.ts'
import { paths } from '../module.ts'
import { signToken } from './token.ts'

interface CodeContext {
  readonly db: Db
  readonly scope: Scope
  readonly app: Pick<App, 'database'>
}

/** Of the project, and of those of its buildings that the caller may see. */
async function codesOf(asked: string | undefined, { db, scope, app }: CodeContext) {
  const { ownerId, domain } = scope
  const projectCode = asked ?? scope.projectCode ?? refuse('请先在页面上方选择一个项目')
  const place = (await findByKey(db, estate, scope, projectCode)) ?? refuse('项目不存在，请重新选择')
  const buildings = await findAll(db, building, scope, { projectCode, order: 'sort' })
  const ofBuildings = buildings
    .filter(({ code: buildCode }) => buildCode !== undefined && hasBuilding(domain, projectCode, buildCode))
    .map(async ({ id, name }) => ({ name, url: await entranceUrlOf(app, 'building', ownerId, id) }))
  const ofEstate = { name: '整个项目', url: await entranceUrlOf(app, 'estate', ownerId, place.id) }
  return { place, codes: [ofEstate, ...(await Promise.all(ofBuildings))] }
}

/** What hangs in a building leads to the product alone, by the name that it is reached by. */
function assertOwnAddress(origin: string, ownOrigin: string | undefined): void {
  if (ownOrigin === undefined || URL.parse(origin)?.hostname === URL.parse(ownOrigin)?.hostname) return
  throw invalidField('Origin', `网址应为本系统的地址（${ownOrigin}）`)
}

async function linksOf(userId: Id, { db, scope, app }: CodeContext) {
  const { ownerId, domain } = scope
  const homes = (await findHomes(db, ownerId, [userId])).get(userId) ?? []
  return Promise.all(
    homes
      .filter(({ projectCode }) => hasProject(domain, projectCode))
      .map(async ({ kind, id, roomPath }) => {
        const token = await signToken(app, { kind, ownerId, id })
        const url = token && withToken(paths.home, token)
        return { kind, id, placeName: roomPath, url, isVoid: url === undefined }
      }),
  )
}

export const codeHandlers = [
  reads(listEntranceCodes, async ({ projectCode }, c) => (await codesOf(projectCode, c)).codes),
  reads(printEntranceCodes, async ({ projectCode, origin }, c) => {
    assertOwnAddress(origin, c.origin)
    const { place, codes } = await codesOf(projectCode, c)
    return createLabelSheet(
      { name: `住户页二维码_${place.name}.pdf`, title: '住户页二维码' },
      codes.map(({ name, url }) => ({
        code: `${origin}${url}`,
        kind: '住户服务',
        title: place.name,
        place: name,
        notes: ['公告、活动、报事、访客'],
      })),
    )
  }),
  reads(listHomeLinks, async ({ userId }, c) => {
    await requireResident(c.db, c.scope, userId)
    return linksOf(userId, c)
  }),
]
