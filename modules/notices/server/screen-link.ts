import { randomBytes } from 'node:crypto'
import { UnknownSecret, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { readSignedLink, signLink, type SignedLink } from '#kit/server/signed-link.ts'
import type { NoticeScreen } from '../contract/screen.ts'
import { paths } from '../module.ts'

const purpose = 'notice-screen'
const screenLetter = 's'

type LinkApp = Pick<App, 'database'>

export const invalidScreenLink = (): UnknownSecret =>
  new UnknownSecret('信息屏链接无效或已失效，请向物业重新索取', resultCode.notFound)

export interface ScreenLinkState {
  readonly stamp: string
  readonly isVoid: boolean
}

export const findScreenLink = (db: Db, ownerId: Id, screenId: Id): Promise<ScreenLinkState | undefined> =>
  db.one(sql`
    select stamp, is_void from notice_screen_link where owner_id = ${ownerId} and screen_id = ${screenId}
  `)

/** Ends the links of before; none works where the link is void. */
export const stampScreenLink = (
  tx: Tx,
  ownerId: Id,
  { id, projectCode }: Pick<NoticeScreen, 'id' | 'projectCode'>,
  isVoid: boolean,
): Promise<number> =>
  tx.execute(sql`
    insert into notice_screen_link (owner_id, screen_id, project_code, stamp, is_void)
    values (${ownerId}, ${id}, ${projectCode}, ${randomBytes(9).toString('base64url')}, ${isVoid})
    on conflict (owner_id, screen_id) do update set stamp = excluded.stamp, is_void = excluded.is_void
  `)

/** The page of a screen; none while its link is void. */
export async function screenLinkOf(app: LinkApp, ownerId: Id, screenId: Id): Promise<string | undefined> {
  const state = await findScreenLink(app.database.reader(ownerId), ownerId, screenId)
  if (state?.isVoid === true) return undefined
  const letter = `${screenLetter}${state?.stamp ?? ''}`
  return `${paths.screen}?t=${await signLink(app, purpose, { letter, ownerId, id: screenId })}`
}

export async function readScreenLink(app: LinkApp, token: string): Promise<SignedLink> {
  const link = await readSignedLink(app, purpose, token)
  if (!link?.letter.startsWith(screenLetter)) throw invalidScreenLink()
  const state = await findScreenLink(app.database.reader(link.ownerId), link.ownerId, link.id)
  if (state?.isVoid === true || link.letter !== `${screenLetter}${state?.stamp ?? ''}`)
    throw invalidScreenLink()
  return link
}
