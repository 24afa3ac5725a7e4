import type { Id } from '#kit/domain/id.ts'
import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { personLinkStamp } from '#modules/access/server/public.ts'
import { paths } from '../module.ts'

/** What a link opens: the page of a resident at one home, of a company's worker, or of one visitor. */
export type LinkKind = 'residency' | 'worker' | 'visitor'

const letterOf = { residency: 'r', worker: 'w', visitor: 'v' } as const satisfies Record<LinkKind, string>

const purpose = 'visitor-link'

type LinkApp = Pick<App, 'database'>

/** A person's link ends with the mobile (BASE-14); a visitor's with the visit. */
async function letterFor(app: LinkApp, kind: LinkKind, ownerId: Id, id: Id): Promise<string> {
  return kind === 'visitor'
    ? letterOf.visitor
    : `${letterOf[kind]}${await personLinkStamp(app, { kind, ownerId, id })}`
}

export async function linkOf(app: LinkApp, kind: LinkKind, ownerId: Id, id: Id): Promise<string> {
  const token = await signLink(app, purpose, { letter: await letterFor(app, kind, ownerId, id), ownerId, id })
  return `${kind === 'visitor' ? paths.guest : paths.host}?t=${token}`
}

export const invalidLink = (): UnknownSecret =>
  new UnknownSecret('链接无效或已失效，请向物业或邀请人重新索取', resultCode.notFound)

export async function readLink(app: LinkApp, token: string, kinds: readonly LinkKind[]) {
  const link = await readSignedLink(app, purpose, token)
  const kind = kinds.find(each => link?.letter.startsWith(letterOf[each]))
  if (!link || !kind) throw invalidLink()
  const { letter, ownerId, id } = link
  if (letter !== (await letterFor(app, kind, ownerId, id))) throw invalidLink()
  return { kind, ownerId, id }
}
