import { randomBytes } from 'node:crypto'
import { isSameText } from '../platform/crypto.ts'
import {
  keepPhoneMessage,
  type SimulatedAccount,
  type SimulatedButton,
  type SimulatedFollower,
} from './platform-state.ts'

const twoDaysMs = 48 * 3_600_000
const maxMenuName = 16
const maxSubName = 60

export const refusal = (errcode: number, errmsg: string): object => ({ errcode, errmsg })
const ok = { errcode: 0, errmsg: 'ok' }

type Input = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const recordOf = (value: unknown): Input =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
const rowsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** An access token against the real secret; another one where the caller asks for it. */
export function grantToken(account: SimulatedAccount | undefined, input: Input, nowMs: number): object {
  if (!account) return refusal(40013, 'invalid appid')
  if (!isSameText(textOf(input.secret), account.keys.secret)) return refusal(40125, 'invalid appsecret')
  if (input.grant_type !== 'client_credential') return refusal(40002, 'invalid grant_type')
  if (input.force_refresh === true) {
    account.expireTokens(nowMs)
  }
  return account.issueToken(nowMs)
}

function buttonFault(button: SimulatedButton, maxBytes: number): object | undefined {
  if (Buffer.byteLength(textOf(button.name)) > maxBytes) return refusal(40018, 'invalid button name size')
  const children = button.sub_button ?? []
  if (children.length > 5) return refusal(40023, 'invalid sub button size')
  if (children.length) return children.map(child => buttonFault(child, maxSubName)).find(Boolean)
  if (button.type === 'view' && !/^https?:\/\//.test(textOf(button.url)))
    return refusal(40020, 'invalid button url size')
  if (button.type === 'click' && !textOf(button.key)) return refusal(40019, 'invalid button key size')
  return ['view', 'click', 'miniprogram'].includes(textOf(button.type))
    ? undefined
    : refusal(40016, 'invalid button type')
}

const optional = (value: unknown): string | undefined => textOf(value) || undefined

function buttonsOf(value: unknown): readonly SimulatedButton[] {
  return rowsOf(value)
    .map(recordOf)
    .map(({ name, type, key, url, appid, pagepath, sub_button: children }) => ({
      name: textOf(name),
      type: optional(type),
      key: optional(key),
      url: optional(url),
      appid: optional(appid),
      pagepath: optional(pagepath),
      sub_button: children === undefined ? undefined : buttonsOf(children),
    }))
}

function createMenu(account: SimulatedAccount, input: Input): object {
  const buttons = buttonsOf(input.button)
  if (buttons.length < 1 || buttons.length > 3) return refusal(40017, 'invalid button size')
  const fault = buttons.map(button => buttonFault(button, maxMenuName)).find(Boolean)
  if (fault) return fault
  account.menu = buttons
  return ok
}

function createQr(account: SimulatedAccount, input: Input): object {
  const scene = textOf(recordOf(recordOf(input.action_info).scene).scene_str)
  if (!scene || scene.length > 64) return refusal(40053, 'invalid action info')
  const ticket = randomBytes(32).toString('base64url')
  account.scenes.set(ticket, scene)
  return { ticket, url: `http://weixin.qq.com/q/${ticket}` }
}

const findByOpenId = (account: SimulatedAccount, openId: string): SimulatedFollower | undefined =>
  account.followers.get(openId)

function sendTemplate(account: SimulatedAccount, input: Input): object {
  const openId = textOf(input.touser)
  if (!/^o[\w-]{27}$/.test(openId)) return refusal(40003, 'invalid openid')
  if (!textOf(input.template_id)) return refusal(40037, 'invalid template_id')
  const follower = findByOpenId(account, openId)
  if (!follower?.isFollowing) return refusal(43004, 'require subscribe')
  if (follower.refusesTemplates) return refusal(43101, 'user refuse to accept the msg')
  const lines = Object.entries(recordOf(input.data)).map(
    ([name, value]) => `${name}：${textOf(recordOf(value).value)}`,
  )
  if (!lines.length) return refusal(47003, 'argument invalid! data')
  keepPhoneMessage(follower, {
    from: 'account',
    kind: 'template',
    text: lines.join('\n'),
    url: textOf(input.url) || undefined,
  })
  const msgid = account.nextId()
  account.jobs.push({
    openId,
    fields: {
      MsgType: 'event',
      Event: 'TEMPLATESENDJOBFINISH',
      MsgID: msgid,
      Status: account.jobStatus ?? 'success',
    },
  })
  return { ...ok, msgid }
}

/** The report of a mass message: who has left since does not get it. */
function queueMassJob(account: SimulatedAccount, msgid: number, total: number, arrived: number): void {
  const status = account.jobStatus ?? 'send success'
  const sent = status === 'send success' ? arrived : 0
  account.jobs.push({
    openId: `o${'m'.repeat(27)}`,
    fields: {
      MsgType: 'event',
      Event: 'MASSSENDJOBFINISH',
      MsgID: msgid,
      Status: status,
      TotalCount: total,
      FilterCount: total,
      SentCount: sent,
      ErrorCount: total - sent,
    },
  })
}

function massText(
  account: SimulatedAccount,
  input: Input,
): { kind: 'text' | 'article' | 'image'; text: string } | undefined {
  const type = textOf(input.msgtype)
  if (type === 'text') return { kind: 'text', text: textOf(recordOf(input.text).content) }
  const media = account.media.get(textOf(recordOf(input[type]).media_id))
  if (!media) return undefined
  return { kind: type === 'mpnews' ? 'article' : 'image', text: media.title }
}

function sendMass(account: SimulatedAccount, input: Input): object {
  const openIds = rowsOf(input.touser).map(textOf)
  if (openIds.length < 2) return refusal(40130, 'invalid openid list size, at least two openid')
  const clientId = textOf(input.clientmsgid)
  const earlier = account.massIds.get(clientId)
  if (clientId && earlier !== undefined) return { ...refusal(45065, 'clientmsgid exist'), msg_id: earlier }
  const content = massText(account, input)
  if (!content) return refusal(40007, 'invalid media_id')
  const msgid = account.nextId()
  account.massIds.set(clientId, msgid)
  const followers = openIds.map(openId => findByOpenId(account, openId)).filter(each => each?.isFollowing)
  for (const follower of followers) {
    if (follower) {
      keepPhoneMessage(follower, { from: 'account', ...content })
    }
  }
  queueMassJob(account, msgid, openIds.length, followers.length)
  return { ...ok, msg_id: msgid }
}

function sendCustom(account: SimulatedAccount, input: Input, nowMs: number): object {
  const follower = findByOpenId(account, textOf(input.touser))
  if (!follower?.isFollowing) return refusal(43004, 'require subscribe')
  if (nowMs - follower.lastTime > twoDaysMs) return refusal(45015, 'response out of time limit')
  keepPhoneMessage(follower, { from: 'account', kind: 'text', text: textOf(recordOf(input.text).content) })
  return ok
}

const templates = [
  {
    template_id: 'tmpl-notice',
    title: '物业公告提醒',
    content: '标题：{{thing1.DATA}}\n时间：{{time2.DATA}}',
  },
  { template_id: 'tmpl-fee', title: '缴费提醒', content: '房屋：{{thing1.DATA}}\n金额：{{amount2.DATA}}' },
  {
    template_id: 'tmpl-order',
    title: '工单进度通知',
    content: '事项：{{thing1.DATA}}\n进度：{{phrase2.DATA}}',
  },
]

function addDraft(account: SimulatedAccount, input: Input): object {
  const [article] = rowsOf(input.articles).map(recordOf)
  if (!article || !account.media.has(textOf(article.thumb_media_id)))
    return refusal(40007, 'invalid media_id')
  return { media_id: account.addMedia({ type: 'news', title: textOf(article.title) }) }
}

/** What a call with an access token is answered. */
export function answerApi(account: SimulatedAccount, path: string, input: Input, nowMs: number): object {
  if (account.callsLeft <= 0) return refusal(45009, 'reach max api daily quota limit')
  account.callsLeft -= 1
  switch (path) {
    case '/cgi-bin/menu/create':
      return createMenu(account, input)
    case '/cgi-bin/menu/delete':
      account.menu = []
      return ok
    case '/cgi-bin/qrcode/create':
      return createQr(account, input)
    case '/cgi-bin/message/template/send':
      return sendTemplate(account, input)
    case '/cgi-bin/template/get_all_private_template':
      return { template_list: templates }
    case '/cgi-bin/message/mass/send':
      return sendMass(account, input)
    case '/cgi-bin/message/custom/send':
      return sendCustom(account, input, nowMs)
    case '/cgi-bin/draft/add':
      return addDraft(account, input)
    case '/cgi-bin/material/del_material':
      return account.media.delete(textOf(input.media_id)) ? ok : refusal(40007, 'invalid media_id')
    default:
      return refusal(43002, 'require POST method or unknown address')
  }
}

const mediaLimits: Readonly<Record<string, number>> = {
  image: 10_485_760,
  voice: 2_097_152,
  video: 10_485_760,
  thumb: 65_536,
}

/** Material that arrived as a form. */
export function storeMedia(
  account: SimulatedAccount,
  type: string,
  file: { readonly name: string; readonly size: number } | undefined,
): object {
  const limit = mediaLimits[type]
  if (limit === undefined) return refusal(40004, 'invalid media type')
  if (!file?.size) return refusal(41005, 'media data missing')
  if (file.size > limit) return refusal(45001, 'media size out of limit')
  return { media_id: account.addMedia({ type, title: file.name }), url: `https://mmbiz.example/${type}` }
}
