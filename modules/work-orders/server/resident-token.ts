import type { Id } from '#kit/domain/id.ts'
import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { paths } from '../module.ts'

/** What a link of a resident opens. */
export type LinkKind = 'room' | 'area' | 'order'

export interface ResidentLink {
  readonly kind: LinkKind
  readonly ownerId: Id
  readonly id: Id
}

const letterOf = { room: 'r', area: 'a', order: 'o' } as const satisfies Record<LinkKind, string>

const purpose = 'work-order-link'

export const makeToken = (app: Pick<App, 'database'>, { kind, ...link }: ResidentLink): Promise<string> =>
  signLink(app, purpose, { letter: letterOf[kind], ...link })

const invalidLink = (): UnknownSecret =>
  new UnknownSecret('链接无效，请重新扫描现场的二维码，或联系物业', resultCode.notFound)

/** What a token opens; a forged one, or one of another kind, is no link at all. */
export async function readToken(
  app: Pick<App, 'database'>,
  token: string,
  kinds: readonly LinkKind[],
): Promise<ResidentLink> {
  const link = await readSignedLink(app, purpose, token)
  const kind = kinds.find(k => letterOf[k] === link?.letter)
  if (!link || !kind) throw invalidLink()
  return { kind, ownerId: link.ownerId, id: link.id }
}

export const urlOf = (token: string): string => `${paths.resident}?t=${token}`

export async function linkOfOrder(app: Pick<App, 'database'>, ownerId: Id, id: Id) {
  const token = await makeToken(app, { kind: 'order', ownerId, id })
  return { token, url: urlOf(token) }
}
