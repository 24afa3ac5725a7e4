import { Refused, UnknownSecret, refuse, resultCode } from '#kit/contract/wire.ts'
import { fromInstant, type Moment } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { anonymous, reads, writes, type ReadContext } from '#kit/server/handler.ts'
import { countHit } from '#kit/server/rate-limit.ts'
import { clockScope, hasProject, type Scope } from '#kit/server/scope.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { waitForCommand } from '#modules/devices/server/public.ts'
import { findEstateFacts } from '#modules/estates/server/public.ts'
import { requireResident } from '#modules/residents/server/public.ts'
import {
  getOwnOpening,
  getStaffAccess,
  listOwnLinks,
  openingsPerMinute,
  openOwnAccess,
  openOwnDoorway,
  openStaffDoorway,
  showOwnCode,
  showStaffCode,
  type OwnAccess,
} from '../../contract/own-access.ts'
import { openByPhone, requireDoorway } from './open-doorway.ts'
import { findOwnDoorways } from './own-doorways.ts'
import {
  findPlaces,
  ownLinkOf,
  readOwnLink,
  requireLinkedPerson,
  requireStaffPerson,
  type OwnPerson,
} from './own-person.ts'
import type { PersonLink } from './person-link.ts'
import { isStopped, showCode, stoppedText } from './pass-code.ts'

/** A telephone asks again after so long. */
const waitMs = 5000

const ticketPurpose = 'access-opening'

const ticketOf = (app: App, ownerId: Id, taskId: Id): Promise<string> =>
  signLink(app, ticketPurpose, { letter: 'o', ownerId, id: taskId })

async function accessOf(db: Db, ownerId: Id, person: OwnPerson, now: Moment): Promise<OwnAccess> {
  const { estateName, servicePhone } = await findEstateFacts(db, ownerId, person.projectCode)
  const { doorways, refusal } = (await isStopped(db, ownerId, person))
    ? { doorways: [], refusal: stoppedText }
    : await findOwnDoorways(person, { db, ownerId, now })
  return {
    estateName,
    servicePhone,
    personName: person.name,
    placeName: person.placeName,
    doorways,
    refusal,
  }
}

interface LinkContext {
  readonly tx: Tx
  readonly scope: Scope
  readonly now: Moment
}

/** Work for the person behind a link: nobody's rights, under their name. */
const asLinked = <T>(
  app: App,
  link: PersonLink,
  work: (person: OwnPerson, c: LinkContext) => Promise<T>,
): Promise<T> =>
  app.database.tx(link.ownerId, async tx => {
    const person = await requireLinkedPerson(tx, link)
    const now = fromInstant(app.clock())
    return work(person, { tx, now, scope: { ...clockScope(app, link.ownerId), name: person.name } })
  })

/** Behind one address there may be a whole estate: each person has the limit, with however many links. */
async function limitOpenings({ database }: App, link: PersonLink): Promise<void> {
  const { ownerId } = link
  const { userId } = await requireLinkedPerson(database.reader(ownerId), link)
  if ((await countHit(database, `own opening ${ownerId} ${userId}`)) > openingsPerMinute)
    throw new Refused(resultCode.rateLimited, '开门过于频繁，请一分钟后再试')
}

const linkHandlers = [
  anonymous(openOwnAccess, async ({ token }, { app }) => {
    const link = await readOwnLink(app, token)
    return asLinked(app, link, (person, { tx, now }) => accessOf(tx, link.ownerId, person, now))
  }),
  anonymous(showOwnCode, async ({ token, isNew }, { app }) =>
    asLinked(app, await readOwnLink(app, token), (person, c) => showCode(person, isNew === true, c)),
  ),
  anonymous(openOwnDoorway, async ({ token, doorwayId }, { app }) => {
    const link = await readOwnLink(app, token)
    await limitOpenings(app, link)
    return asLinked(app, link, async (person, c) => {
      const opened = await requireDoorway(c.tx, link.ownerId, doorwayId)
      const taskId = await openByPhone(person, opened, c)
      return { ticket: await ticketOf(app, link.ownerId, taskId), doorwayName: opened.doorwayName }
    })
  }),
  // RMT-3: to the sender alone, who has the ticket.
  anonymous(getOwnOpening, async ({ ticket }, { app }) => {
    const found = await readSignedLink(app, ticketPurpose, ticket)
    if (!found) throw new UnknownSecret('开门记录不存在，请返回重新开门', resultCode.notFound)
    const { state, reason } = await waitForCommand(app, found.ownerId, found.id, waitMs)
    return { state, reason, hasEnded: state !== 'sent' && state !== 'received' }
  }),
]

interface Project {
  readonly code: string
  readonly name: string
}

/** Projects with doors, of the caller's. */
async function findProjects(db: Db, { ownerId, domain }: Scope): Promise<Project[]> {
  const found = await db.rows<Project>(sql`
    select e.project_code as code, e.name
    from estate e
    where e.owner_id = ${ownerId}
      and ${notDeleted('e')}
      and exists (
        select 1
        from doorway d
        where d.owner_id = ${ownerId} and d.project_code = e.project_code and ${notDeleted('d')}
      )
    order by e.sort, e.project_code
  `)
  return found.filter(({ code }) => hasProject(domain, code))
}

async function chosenProject(
  db: Db,
  scope: Scope,
  asked: string | undefined,
): Promise<{ readonly projects: readonly Project[]; readonly projectCode: string }> {
  const projects = await findProjects(db, scope)
  const wanted = asked ?? scope.projectCode
  const chosen = projects.find(({ code }) => code === wanted) ?? projects[0]
  return chosen ? { projects, projectCode: chosen.code } : refuse('数据范围内的项目暂无门，请联系物业管理员')
}

async function staffAccess(asked: string | undefined, { db, scope, now }: ReadContext) {
  const { projects, projectCode } = await chosenProject(db, scope, asked)
  const person = await requireStaffPerson(db, scope, projectCode)
  return { ...(await accessOf(db, scope.ownerId, person, now)), projectCode, projects }
}

const staffHandlers = [
  reads(getStaffAccess, ({ projectCode }, c) => staffAccess(projectCode, c)),
  writes(showStaffCode, async ({ projectCode: asked, isNew }, { tx, scope, now }) => {
    const { projectCode } = await chosenProject(tx, scope, asked)
    return showCode(await requireStaffPerson(tx, scope, projectCode), isNew === true, { tx, scope, now })
  }),
  writes(openStaffDoorway, async ({ doorwayId }, { app, tx, scope, now }) => {
    const opened = await requireDoorway(tx, scope.ownerId, doorwayId)
    if (!hasProject(scope.domain, opened.projectCode)) return refuse('该门不在数据范围内，请选择其他门')
    const person = await requireStaffPerson(tx, scope, opened.projectCode)
    const taskId = await openByPhone(person, opened, { tx, scope, now })
    return { ticket: await ticketOf(app, scope.ownerId, taskId), doorwayName: opened.doorwayName }
  }),
  reads(listOwnLinks, async ({ userId }, { app, db, scope }) => {
    await requireResident(db, scope, userId)
    const places = (await findPlaces(db, scope.ownerId, userId)).filter(({ projectCode }) =>
      hasProject(scope.domain, projectCode),
    )
    return Promise.all(
      places.map(async ({ kind, id, placeName }) => {
        const url = await ownLinkOf(app, { kind, ownerId: scope.ownerId, id })
        return { kind, id, placeName, url, isVoid: url === undefined }
      }),
    )
  }),
]

export const ownAccessHandlers = [...linkHandlers, ...staffHandlers]
