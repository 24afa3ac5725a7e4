import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { consumeSmsCode, requireCaptcha, sendSmsCode } from '#modules/accounts/server/public.ts'
import { residentState } from '#modules/residents/contract/labels.ts'
import { residentWechatOf } from '#modules/residents/server/public.ts'
import {
  askResidentWechat,
  openEntrance,
  sendResidentCode,
  signInByWechat,
  signInResident,
} from '../contract/home.ts'
import { paths } from '../module.ts'
import { sessionOf } from './address.ts'
import { readEntrance, type Entrance } from './entrance-link.ts'

/** The residents of a company whom a condition names and who have a home or a job there now. */
async function findSession(app: App, ownerId: Id, where: RawBuilder<unknown>): Promise<string | undefined> {
  const found = await app.database.reader(ownerId).rows<{ id: Id }>(sql`
    select p.id
    from resident p
    where p.owner_id = ${ownerId}
      and ${where}
      and p.state = ${code(residentState, 'normal')}
      and ${notDeleted('p')}
    order by p.id
    limit 5
  `)
  for (const { id } of found) {
    const token = await sessionOf(app, ownerId, id)
    if (token !== undefined) return token
  }
  return undefined
}

const hasMobile = (mobile: string) => sql`p.mobile = ${mobile}`

/** Whose WeChat gave this code; refuses where WeChat does not say. */
async function requestOpenId(
  { app }: AnonymousContext,
  { ownerId, projectCode }: Entrance,
  authorizationCode: string,
): Promise<string> {
  try {
    return await (await residentWechatOf(app, ownerId, projectCode)).openIdOf(authorizationCode)
  } catch (err) {
    app.log.warn({ err }, 'no openid for a code')
    return refuse('微信未确认身份，请重新登录')
  }
}

export const entranceHandlers = [
  anonymous(openEntrance, async ({ entrance }, { app }) => {
    const { ownerId: _ownerId, projectCode: _projectCode, ...facts } = await readEntrance(app, entrance)
    return facts
  }),
  anonymous(sendResidentCode, async ({ entrance, mobile, ...captcha }, c) => {
    const { ownerId } = await readEntrance(c.app, entrance)
    await requireCaptcha(c, captcha)
    const isKnown = (await findSession(c.app, ownerId, hasMobile(mobile))) !== undefined
    const origin = { ip: c.ip, companyId: ownerId }
    await sendSmsCode(c.app, mobile, 'resident', origin, isKnown ? 'later' : 'never')
  }),
  anonymous(signInResident, async ({ entrance, mobile, smsCode }, { app }) => {
    const { ownerId } = await readEntrance(app, entrance)
    await consumeSmsCode(app, mobile, 'resident', smsCode)
    const token = await findSession(app, ownerId, hasMobile(mobile))
    return token === undefined ? refuse('该手机号没有在住的房屋，请联系物业登记') : { token }
  }),
  anonymous(askResidentWechat, async ({ entrance, origin, nonce }, { app }) => {
    const { ownerId, projectCode } = await readEntrance(app, entrance)
    const wechat = await residentWechatOf(app, ownerId, projectCode)
    const returnTo = new URL(`${paths.home}?e=${encodeURIComponent(entrance)}`, origin).href
    return { address: wechat.authorizeUrl(returnTo, nonce) }
  }),
  anonymous(signInByWechat, async ({ entrance, code: authorizationCode }, c) => {
    const place = await readEntrance(c.app, entrance)
    const openId = await requestOpenId(c, place, authorizationCode)
    const token = await findSession(c.app, place.ownerId, sql`p.run_wechat = ${openId}`)
    return token === undefined ? refuse('该微信未绑定住户，请用手机号登录，或联系物业绑定') : { token }
  }),
]
