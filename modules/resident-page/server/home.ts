import { Refused, resultCode } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { anonymous } from '#kit/server/handler.ts'
import { openHome, type HomePage } from '../contract/home.ts'
import { withToken } from './address.ts'
import { readEntrance } from './entrance-link.ts'
import { findParts, type PartContent, type PartContext, type ResidentPart } from './parts.ts'
import { readResident, type Resident, type ResidentHome } from './resident.ts'
import { invalidToken } from './token.ts'

const shownItems = 3
const letterOf = { residency: 'r', worker: 'w' } as const

/** Names a home of one resident in an address; nothing to who is not that resident. */
export const homeKeyOf = ({ kind, id }: ResidentHome): string => `${letterOf[kind]}${id.toString(36)}`

/** The home that was asked for, else that of the link, else the first. */
export function chosenHome({ homes, linkId }: Resident, key: string | undefined): ResidentHome {
  const found =
    homes.find(home => homeKeyOf(home) === key) ?? homes.find(({ id }) => id === linkId) ?? homes[0]
  if (!found) throw invalidToken()
  return found
}

/** A home where a printed code hangs. */
async function homeAtEntrance(app: App, { ownerId, homes }: Resident, code: string): Promise<ResidentHome> {
  const entrance = await readEntrance(app, code)
  const found = homes.find(({ projectCode }) => projectCode === entrance.projectCode)
  if (ownerId !== entrance.ownerId || !found)
    throw new Refused(resultCode.notFound, `您在${entrance.estateName}未登记住处，请用登记的手机号登录`)
  return found
}

export const findCompanyName = async (db: Db, ownerId: Id): Promise<string> => {
  const found = await db.one<{ companyName: string }>(sql`
    select company_name from property where owner_id = ${ownerId}
  `)
  return found?.companyName ?? ''
}

interface LoadedPart {
  readonly part: ResidentPart
  readonly content: PartContent
}

/** A part that cannot be read is left out: the others are shown. */
async function loadPart(part: ResidentPart, c: PartContext): Promise<readonly LoadedPart[]> {
  try {
    const content = part.load ? await part.load(c) : {}
    return content ? [{ part, content }] : []
  } catch (err) {
    c.app.log.error({ err, part: part.key }, 'a part of the page of residents failed')
    return []
  }
}

async function pageOf(c: PartContext, token: string): Promise<HomePage> {
  const { db, resident, home } = c
  const loaded = (await Promise.all(findParts().map(part => loadPart(part, c)))).flat()
  const own = (path: string): string => withToken(path, `${token}&h=${homeKeyOf(home)}`)
  return {
    personName: resident.name,
    companyName: await findCompanyName(db, resident.ownerId),
    estateName: home.estateName,
    servicePhone: home.servicePhone,
    homeKey: homeKeyOf(home),
    homes: resident.homes.map(each => ({
      homeKey: homeKeyOf(each),
      kind: each.kind,
      placeName: each.roomPath,
      estateName: each.estateName,
    })),
    parts: loaded.flatMap(({ part, content }) => {
      const url = content.url ?? (part.path && own(part.path))
      if (url === undefined) return []
      const { key, title, icon } = part
      return [{ key, title, icon, url, count: content.count, note: content.note }]
    }),
    items: loaded.flatMap(({ part, content }) =>
      (content.items ?? []).slice(0, shownItems).map(({ title, note, path, isNew = false }) => ({
        partKey: part.key,
        title,
        note,
        url: own(path),
        isNew,
      })),
    ),
  }
}

export const homeHandlers = [
  anonymous(openHome, async ({ token, home: key, entrance }, { app }) => {
    const resident = await readResident({ app }, token)
    const home =
      entrance === undefined ? chosenHome(resident, key) : await homeAtEntrance(app, resident, entrance)
    const now = fromInstant(app.clock())
    return pageOf(
      {
        app,
        db: app.database.reader(resident.ownerId),
        resident,
        home,
        now,
        today: dayOfMoment(now),
      },
      token,
    )
  }),
]
