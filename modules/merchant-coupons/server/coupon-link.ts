import { randomBytes } from 'node:crypto'
import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { readSignedLink, signLink, type SignedLink } from '#kit/server/signed-link.ts'
import { paths } from '../module.ts'

const purpose = 'merchant-coupon'
const letters = { fixed: 'f', once: 'o', shop: 'm' } as const

type LinkApp = Pick<App, 'database'>

const invalidCode = (): UnknownSecret =>
  new UnknownSecret('停车券码无效或已停用，请向商户重新索取', resultCode.notFound)

export const invalidShopLink = (): UnknownSecret =>
  new UnknownSecret('链接无效或已失效，请向物业重新索取', resultCode.notFound)

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

export interface ShopLinkState {
  readonly stamp: string
  readonly isVoid: boolean
}

export const findShopLink = (db: Db, ownerId: Id, merchantId: Id): Promise<ShopLinkState | undefined> =>
  db.one(sql`
    select stamp, is_void from merchant_link where owner_id = ${ownerId} and merchant_id = ${merchantId}
  `)

/** Ends the links of before; none works where the link is void. */
export const stampShopLink = (
  tx: Tx,
  ownerId: Id,
  { id, projectCode }: { readonly id: Id; readonly projectCode: string },
  isVoid: boolean,
): Promise<number> =>
  tx.execute(sql`
    insert into merchant_link (owner_id, merchant_id, project_code, stamp, is_void)
    values (${ownerId}, ${id}, ${projectCode}, ${randomBytes(9).toString('base64url')}, ${isVoid})
    on conflict (owner_id, merchant_id) do update set stamp = excluded.stamp, is_void = excluded.is_void
  `)

/** The page of a merchant on the phone; none while the link is void. */
export async function shopLinkOf(app: LinkApp, ownerId: Id, merchantId: Id): Promise<string | undefined> {
  const state = await findShopLink(app.database.reader(ownerId), ownerId, merchantId)
  if (state?.isVoid === true) return undefined
  const letter = `${letters.shop}${state?.stamp ?? ''}`
  return `${paths.shop}?t=${await signLink(app, purpose, { letter, ownerId, id: merchantId })}`
}

export async function readShopLink(app: LinkApp, token: string): Promise<SignedLink> {
  const link = await readSignedLink(app, purpose, token)
  if (!link?.letter.startsWith(letters.shop)) throw invalidShopLink()
  const state = await findShopLink(app.database.reader(link.ownerId), link.ownerId, link.id)
  if (state?.isVoid === true || link.letter !== `${letters.shop}${state?.stamp ?? ''}`)
    throw invalidShopLink()
  return link
}
