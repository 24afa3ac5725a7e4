import type { Id } from '#kit/domain/id.ts'
import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { readSignedLink, signLink, type SignedLink } from '#kit/server/signed-link.ts'
import { readPersonLink, signPersonLink, type PersonLink } from '#modules/access/server/public.ts'
import { paths } from '../module.ts'

const visitorLetter = 'v'

const purpose = 'visitor-link'

type LinkApp = Pick<App, 'database'>

export const invalidLink = (): UnknownSecret =>
  new UnknownSecret('链接无效或已失效，请向物业或邀请人重新索取', resultCode.notFound)

/** The page on which a resident at one home or a worker invites, unless the links of the place are void. */
export async function hostLinkOf(app: LinkApp, link: PersonLink): Promise<string | undefined> {
  const token = await signPersonLink(app, purpose, link)
  return token && `${paths.host}?t=${token}`
}

export async function readHostLink(app: LinkApp, token: string): Promise<PersonLink> {
  const link = await readPersonLink(app, purpose, token)
  if (!link) throw invalidLink()
  return link
}

/** The page of one visitor; it ends with the visit. */
export const visitorLinkOf = async (app: LinkApp, ownerId: Id, id: Id): Promise<string> =>
  `${paths.guest}?t=${await signLink(app, purpose, { letter: visitorLetter, ownerId, id })}`

export async function readVisitorLink(app: LinkApp, token: string): Promise<SignedLink> {
  const link = await readSignedLink(app, purpose, token)
  if (link?.letter !== visitorLetter) throw invalidLink()
  return link
}
