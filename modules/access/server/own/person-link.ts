import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { residencyLinkFacts } from '#modules/residents/server/public.ts'

/** Whose page a link opens: of a resident at one home, or of a worker of a company. */
export interface PersonLink {
  readonly kind: 'residency' | 'worker'
  readonly ownerId: Id
  readonly id: Id
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

/** Changes with the mobile of the person and does not reveal it: a link ends with the number (BASE-14). */
async function stampedLetter(app: LinkApp, { kind, ownerId, id }: PersonLink): Promise<string> {
  const db = app.database.reader(ownerId)
  const facts = await (kind === 'residency' ? residencyLinkFacts : workerLinkFacts)(db, ownerId, id)
  const signed = await signLink(app, mobilePurpose, { letter: facts, ownerId, id })
  return `${letterOf[kind]}${signed.slice(-stampLength)}`
}

/** The token of a person's link to the page of a purpose. */
export async function signPersonLink(app: LinkApp, purpose: string, link: PersonLink): Promise<string> {
  const { ownerId, id } = link
  return signLink(app, purpose, { letter: await stampedLetter(app, link), ownerId, id })
}

/** Whose token it is; nothing for a forged one, or one of an earlier mobile. */
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
  return letter === (await stampedLetter(app, link)) ? link : undefined
}
