import type { Id } from '#kit/domain/id.ts'
import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { readSignedLink, signLink, type SignedLink } from '#kit/server/signed-link.ts'
import { paths } from '../module.ts'

type LinkApp = Pick<App, 'database'>

const purpose = 'charging'
const letters = { port: 'p', order: 'o' } as const

const invalidLink = (): UnknownSecret =>
  new UnknownSecret('二维码无效，请重新扫描充电桩上的二维码', resultCode.notFound)

async function readLink(app: LinkApp, token: string, letter: string): Promise<SignedLink> {
  const link = await readSignedLink(app, purpose, token)
  if (link?.letter !== letter) throw invalidLink()
  return link
}

/** What is printed on a port. */
export const portTokenOf = (app: LinkApp, ownerId: Id, id: Id): Promise<string> =>
  signLink(app, purpose, { letter: letters.port, ownerId, id })

/** What who placed an order follows and stops it by. */
export const orderTokenOf = (app: LinkApp, ownerId: Id, id: Id): Promise<string> =>
  signLink(app, purpose, { letter: letters.order, ownerId, id })

export const readPortLink = (app: LinkApp, token: string): Promise<SignedLink> =>
  readLink(app, token, letters.port)

export const readOrderLink = (app: LinkApp, token: string): Promise<SignedLink> =>
  readLink(app, token, letters.order)

/** The page of the payment, which leads back to the order. */
export const payUrlOf = (codeUrl: string, orderToken: string): string =>
  `${codeUrl}&back=${encodeURIComponent(`${paths.progress}?t=${orderToken}`)}`
