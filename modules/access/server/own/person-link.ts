import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { residencyLinkFacts } from '#modules/residents/server/public.ts'
import type { LinkedPlace } from '../../contract/person-link.ts'
import { findLinkState, type LinkState } from './link-stamps.ts'

/** Whose page a link opens: of a resident at one home, or of a worker of a company. */
export interface PersonLink extends LinkedPlace {
  readonly ownerId: Id
}

const letterOf = { residency: 'r', worker: 'w' } as const satisfies Record<PersonLink['kind'], string>

type LinkApp = Pick<App, 'database'>

const mobilePurpose = 'access-link-mobile'
const stampLength = 8

async function workerLinkFacts(db: Db, ownerId: Id, id: Id): Promise<string> {
  const found = await db.one<{ mobile?: string }>(sql`
    select p.mobile
    from company_worker l
    join resident p on p.owner_id = ${ownerId} and p.id = l.user_id
    where l.owner_id = ${ownerId} and l.id = ${id}
  `)
  return found?.mobile ?? ''
}

/**
 * Changes with the mobile of the person (BASE-14) and with the stamp of the place, and reveals neither: a
 * link ends with the number, and when staff make it void.
 */
async function stampedLetter(
  app: LinkApp,
  { kind, ownerId, id }: PersonLink,
  state: LinkState | undefined,
): Promise<string> {
  const db = app.database.reader(ownerId)
  const facts = await (kind === 'residency' ? residencyLinkFacts : workerLinkFacts)(db, ownerId, id)
  const letter = state ? `${facts} ${state.stamp}` : facts
  const signed = await signLink(app, mobilePurpose, { letter, ownerId, id })
  return `${letterOf[kind]}${signed.slice(-stampLength)}`
}

const stateOf = (app: LinkApp, link: PersonLink): Promise<LinkState | undefined> =>
  findLinkState(app.database.reader(link.ownerId), link.ownerId, link)

/** The token of a person's link to the page of a purpose; none while the links of the place are void. */
export async function signPersonLink(
  app: LinkApp,
  purpose: string,
  link: PersonLink,
): Promise<string | undefined> {
  const { ownerId, id } = link
  const state = await stateOf(app, link)
  if (state?.isVoid === true) return undefined
  return signLink(app, purpose, { letter: await stampedLetter(app, link, state), ownerId, id })
}

/** Whose token it is; nothing for a forged or a void one, or one of an earlier mobile. */
export async function readPersonLink(
  app: LinkApp,
  purpose: string,
  token: string,
): Promise<PersonLink | undefined> {
  const signed = await readSignedLink(app, purpose, token)
  if (!signed) return undefined
  const { letter, ownerId, id } = signed
  const kind = letter.startsWith(letterOf.worker) ? 'worker' : 'residency'
  const link: PersonLink = { kind, ownerId, id }
  const state = await stateOf(app, link)
  if (state?.isVoid === true) return undefined
  return letter === (await stampedLetter(app, link, state)) ? link : undefined
}
