import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { readPersonLink, signPersonLink, type PersonLink } from '#modules/access/server/public.ts'

const linkPurpose = 'resident-page'
/** Of the link inside a sign-in: alone it opens nothing. */
const innerPurpose = 'resident-session-link'
const sessionPurpose = 'resident-session'

const sessionMs = 30 * 86_400_000
const minuteMs = 60_000
const separator = '~'

type LinkApp = Pick<App, 'database'>
type ClockApp = Pick<App, 'database' | 'clock'>

export const invalidToken = (): UnknownSecret =>
  new UnknownSecret('链接无效或已失效，请向物业重新索取，或扫描楼栋的二维码登录', resultCode.notFound)

const endedSession = (): UnknownSecret =>
  new UnknownSecret('登录已过期，请扫描楼栋的二维码重新登录', resultCode.notFound)

/** The token of the link of a person; none while the links of the place are void. */
export const signToken = (app: LinkApp, link: PersonLink): Promise<string | undefined> =>
  signPersonLink(app, linkPurpose, link)

/** The token of a sign-in: for thirty days, and no longer than the links of the place. */
export async function signSession(app: ClockApp, link: PersonLink): Promise<string | undefined> {
  const inner = await signPersonLink(app, innerPurpose, link)
  if (inner === undefined) return undefined
  const { ownerId, id } = link
  const letter = Math.floor((app.clock() + sessionMs) / minuteMs).toString(36)
  return `${inner}${separator}${await signLink(app, sessionPurpose, { letter, ownerId, id })}`
}

async function readSession(app: ClockApp, inner: string, outer: string): Promise<PersonLink> {
  const signed = await readSignedLink(app, sessionPurpose, outer)
  const link = signed && (await readPersonLink(app, innerPurpose, inner))
  if (!signed || !link || signed.ownerId !== link.ownerId || signed.id !== link.id) throw invalidToken()
  if (parseInt(signed.letter, 36) * minuteMs < app.clock()) throw endedSession()
  return link
}

/** Whose token it is: of a link that was sent, or of a sign-in. */
export async function readToken(app: ClockApp, token: string): Promise<PersonLink> {
  const [inner = '', outer] = token.split(separator)
  if (outer !== undefined) return readSession(app, inner, outer)
  const link = await readPersonLink(app, linkPurpose, token)
  if (!link) throw invalidToken()
  return link
}
