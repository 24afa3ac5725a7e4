import type { Id } from '#kit/domain/id.ts'
import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { readSignedLink, signLink } from '#kit/server/signed-link.ts'
import { paths } from '../module.ts'

type LinkApp = Pick<App, 'database'>

/** What each link opens: printed codes of car parks and lanes; of a telephone its car, and what it paid. */
const letters = { park: 'p', lane: 'l', car: 'u', order: 'o', stay: 's' } as const

export type LinkKind = keyof typeof letters

export interface PayLink {
  readonly kind: LinkKind
  readonly ownerId: Id
  readonly id: Id
}

const purpose = 'parking-payer'

export const invalidCode = (): UnknownSecret =>
  new UnknownSecret('二维码无效或已停用，请扫描现场的二维码', resultCode.notFound)

export const signPayLink = (app: LinkApp, { kind, ownerId, id }: PayLink): Promise<string> =>
  signLink(app, purpose, { letter: letters[kind], ownerId, id })

export async function readPayLink(
  app: LinkApp,
  token: string,
  kinds: readonly LinkKind[],
): Promise<PayLink | undefined> {
  const link = await readSignedLink(app, purpose, token)
  const kind = kinds.find(each => letters[each] === link?.letter)
  return link && kind ? { kind, ownerId: link.ownerId, id: link.id } : undefined
}

export const payPageOf = async (app: LinkApp, link: PayLink): Promise<string> =>
  `${paths.pay}?t=${await signPayLink(app, link)}`
