import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { readSignedLink, signLink, type SignedLink } from '#kit/server/signed-link.ts'
import { createVoidableLink } from '#kit/server/voidable-link.ts'
import { paths } from '../module.ts'

const purpose = 'merchant-coupon'
const letters = { fixed: 'f', once: 'o', shop: 'm' } as const

type LinkApp = Pick<App, 'database'>

const invalidCode = (): UnknownSecret =>
  new UnknownSecret('停车券码无效或已停用，请向商户重新索取', resultCode.notFound)

/** What a printed or shown code opens; nothing of it is stored: it is signed by the installation. */
export const codeLinkOf = async (
  app: LinkApp,
  kind: 'fixed' | 'once',
  ownerId: Id,
  id: Id,
): Promise<string> =>
  `${paths.claim}?t=${await signLink(app, purpose, { letter: letters[kind], ownerId, id })}`

export interface CodeLink extends SignedLink {
  readonly isFixed: boolean
}

export async function readCodeLink(app: LinkApp, token: string): Promise<CodeLink> {
  const link = await readSignedLink(app, purpose, token)
  if (link?.letter !== letters.fixed && link?.letter !== letters.once) throw invalidCode()
  return { ...link, isFixed: link.letter === letters.fixed }
}

/** The page of a merchant on the phone. */
export const shopLink = createVoidableLink({
  purpose,
  letter: letters.shop,
  page: paths.shop,
  table: 'merchant_link',
  idColumn: 'merchant_id',
  invalid: () => new UnknownSecret('链接无效或已失效，请向物业重新索取', resultCode.notFound),
})
