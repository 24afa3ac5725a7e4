import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseId, type Id } from '#kit/domain/id.ts'
import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { App } from '#kit/server/app.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'
import { paths } from '../module.ts'

/** What a link of a resident opens. */
export type LinkKind = 'room' | 'area' | 'order'

export interface ResidentLink {
  readonly kind: LinkKind
  readonly ownerId: Id
  readonly id: Id
}

const letterOf = { room: 'r', area: 'a', order: 'o' } as const satisfies Record<LinkKind, string>

const secretOf = (app: Pick<App, 'database'>): Promise<string> =>
  installationSecretOf(app.database, 'work-order-link')

/** 144 bits: nobody guesses the link of another order. */
const signatureLength = 24

const sign = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('base64url').slice(0, signatureLength)

/** `r.1.1k4.…`: short, because it is printed as a code. */
export async function makeToken(app: Pick<App, 'database'>, link: ResidentLink): Promise<string> {
  const body = `${letterOf[link.kind]}.${link.ownerId.toString(36)}.${link.id.toString(36)}`
  return `${body}.${sign(await secretOf(app), body)}`
}

const invalidLink = (): UnknownSecret =>
  new UnknownSecret('链接无效，请重新扫描现场的二维码，或联系物业', resultCode.notFound)

const isSame = (a: string, b: string): boolean => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/** What a token opens; a forged one, or one of another kind, is no link at all. */
export async function readToken(
  app: Pick<App, 'database'>,
  token: string,
  kinds: readonly LinkKind[],
): Promise<ResidentLink> {
  const [letter = '', ownerId = '', id = '', signature = ''] = token.split('.')
  const expected = sign(await secretOf(app), `${letter}.${ownerId}.${id}`)
  const kind = kinds.find(k => letterOf[k] === letter)
  const link = { ownerId: parseId(parseInt(ownerId, 36)), id: parseId(parseInt(id, 36)) }
  if (!isSame(signature, expected) || !kind || !link.ownerId || !link.id) throw invalidLink()
  return { kind, ...link }
}

export const urlOf = (token: string): string => `${paths.resident}?t=${token}`

export async function linkOfOrder(app: Pick<App, 'database'>, ownerId: Id, id: Id) {
  const token = await makeToken(app, { kind: 'order', ownerId, id })
  return { token, url: urlOf(token) }
}
