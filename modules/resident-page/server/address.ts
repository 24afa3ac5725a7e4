import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import type { PersonLink } from '#modules/access/server/public.ts'
import { paths } from '../module.ts'
import { findHomes, type ResidentHome } from './resident.ts'
import { signSession, signToken } from './token.ts'

type LinkApp = Pick<App, 'database'>

const linkOf = (ownerId: Id, { kind, id }: ResidentHome): PersonLink => ({ kind, ownerId, id })

/** Of the first place whose links are not void. */
async function firstToken(
  homes: readonly ResidentHome[],
  sign: (home: ResidentHome) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const home of homes) {
    const token = await sign(home)
    if (token !== undefined) return token
  }
  return undefined
}

/** A page of residents with what opens it; the path may have a query of its own. */
export const withToken = (path: string, token: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}t=${token}`

/** The addresses of a page for residents, as messages carry them; those without a live link have none. */
export async function residentPageUrls(
  app: LinkApp,
  ownerId: Id,
  userIds: readonly Id[],
  path: string = paths.home,
): Promise<ReadonlyMap<Id, string>> {
  const homes = await findHomes(app.database.reader(ownerId), ownerId, userIds)
  const found = await Promise.all(
    [...homes].map(async ([userId, places]) => {
      const token = await firstToken(places, home => signToken(app, linkOf(ownerId, home)))
      return token === undefined ? [] : [[userId, withToken(path, token)] as const]
    }),
  )
  return new Map(found.flat())
}

export const residentPageUrl = async (
  app: LinkApp,
  ownerId: Id,
  userId: Id,
  path?: string,
): Promise<string | undefined> => (await residentPageUrls(app, ownerId, [userId], path)).get(userId)

/** What a phone keeps after its person proved who they are. */
export async function sessionOf(
  app: Pick<App, 'database' | 'clock'>,
  ownerId: Id,
  userId: Id,
): Promise<string | undefined> {
  const homes = await findHomes(app.database.reader(ownerId), ownerId, [userId])
  return firstToken(homes.get(userId) ?? [], home => signSession(app, linkOf(ownerId, home)))
}
