import { readJsonAnswer } from './json-answer.ts'
import { openWechatSimulator } from './wechat-simulator.ts'
import type { App } from '../../../kit/server/app.ts'
import { wechatSettings } from './settings.ts'

/** A public account of WeChat as the OAuth of its web pages has it (sns/oauth2). */
export interface WechatGateway {
  readonly authorizeUrl: string
  readonly apiUrl: string
  readonly appId: string
  readonly secret: string
  readonly templates?: Readonly<Record<string, string>>
  readonly isSimulated?: boolean
}

export interface Wechat {
  readonly isSimulated: boolean
  /**
   * Where a phone asks its owner; WeChat sends it back to `returnTo` with `code` and `state`, or with `state`
   * alone when the owner declines.
   */
  authorizeUrl(returnTo: string, state: string): string
  /**
   * The person behind a code, as this public account knows it. Throws when WeChat does not take the code, or
   * does not answer in ten seconds.
   */
  openIdOf(code: string): Promise<string>
  /**
   * A template message to somebody who follows the public account. Throws `WechatFault` when WeChat does not
   * take it.
   */
  sendTemplate(openId: string, template: string, data: Readonly<Record<string, string>>): Promise<void>
}

const timeoutMs = 10_000

/** The refusals of WeChat as text for staff; a code that is not here is shown as it is. */
const wordsByErrcode: Readonly<Record<number, string>> = {
  40001: '微信不接受公众号的 AppID 与密钥，请核对 WECHAT_APP_ID 与 WECHAT_APP_SECRET',
  40003: '微信绑定已失效，请住户重新绑定',
  40013: '公众号 AppID 不正确，请核对 WECHAT_APP_ID',
  40037: '微信消息模板不存在，请核对 WECHAT_TEMPLATE_…',
  40125: '公众号密钥不正确，请核对 WECHAT_APP_SECRET',
  40164: '服务器的 IP 不在公众号的白名单中',
  43004: '用户已取消关注公众号',
  43101: '用户拒收消息',
  45009: '微信接口今天的调用次数已用完',
  47003: '微信消息模板的内容不符',
  48001: '公众号未开通模板消息',
}

/**
 * A refusal of WeChat: 40003 no such person, 43004 not a follower, 43101 messages declined, 40001 and 42001
 * an access token that ran out. The cause is for the log.
 */
export class WechatFault extends Error {
  readonly errcode: number
  constructor(errcode: number, errmsg: string) {
    super(wordsByErrcode[errcode] ?? `微信不接受（错误码 ${errcode}）`, {
      cause: new Error(`WeChat: ${errcode} ${errmsg}`),
    })
    this.errcode = errcode
  }
}

/** WeChat cannot be reached, or does not answer in ten seconds. */
async function askWechat(address: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) })
  } catch (cause) {
    throw new Error('连接不上微信服务器，或等不到答复', { cause })
  }
}

interface WechatResponse {
  readonly errcode?: number
  readonly errmsg?: string
}

/**
 * Good for two hours, asked for once and kept until shortly before; again at once where WeChat has forgotten
 * it.
 */
function createTokenSource(gateway: WechatGateway): (anew?: boolean) => Promise<string> {
  let kept: { readonly token: Promise<string>; readonly until: number } | undefined
  const fetchToken = async (): Promise<string> => {
    const answer = await askWechat(
      `${gateway.apiUrl}/cgi-bin/token?${new URLSearchParams({ grant_type: 'client_credential', appid: gateway.appId, secret: gateway.secret }).toString()}`,
    )
    const response = await readJsonAnswer<WechatResponse & { access_token?: string }>(answer, {})
    if (!response.access_token)
      throw new WechatFault(response.errcode ?? answer.status, response.errmsg ?? '')
    return response.access_token
  }
  return anew => {
    if (!kept || anew || kept.until < performance.now()) {
      const one = { token: fetchToken(), until: performance.now() + 6_900_000 }
      kept = one
      one.token.catch(() => {
        if (kept === one) {
          kept = undefined
        }
      })
    }
    return kept.token
  }
}

export const openWechat = (gateway: WechatGateway, tokenOf = createTokenSource(gateway)): Wechat => ({
  isSimulated: gateway.isSimulated === true,
  authorizeUrl: (returnTo, state) =>
    `${gateway.authorizeUrl}?${new URLSearchParams({ appid: gateway.appId, redirect_uri: returnTo, response_type: 'code', scope: 'snsapi_userinfo', state }).toString()}#wechat_redirect`,
  openIdOf: async code => {
    const answer = await askWechat(
      `${gateway.apiUrl}/sns/oauth2/access_token?${new URLSearchParams({ appid: gateway.appId, secret: gateway.secret, code, grant_type: 'authorization_code' }).toString()}`,
    )
    const response = await readJsonAnswer<WechatResponse & { openid?: string }>(answer, {})
    if (!response.openid) throw new WechatFault(response.errcode ?? answer.status, response.errmsg ?? '')
    return response.openid
  },
  sendTemplate: async (openId, template, data) => {
    const post = async (anew: boolean): Promise<WechatResponse> => {
      const answer = await askWechat(
        `${gateway.apiUrl}/cgi-bin/message/template/send?access_token=${encodeURIComponent(await tokenOf(anew))}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            touser: openId,
            template_id: gateway.templates?.[template] ?? template,
            data: Object.fromEntries(Object.entries(data).map(([k, value]) => [k, { value }])),
          }),
        },
      )
      return readJsonAnswer<WechatResponse>(answer, { errcode: answer.status, errmsg: 'unreadable' })
    }
    let response = await post(false)
    if (response.errcode === 40001 || response.errcode === 42001) {
      response = await post(true)
    }
    if (response.errcode !== 0) throw new WechatFault(response.errcode ?? -1, response.errmsg ?? '')
  },
})

const wechatByApp = new WeakMap<App, Promise<Wechat>>()

/**
 * The public account of this server: `WECHAT_APP_ID` and `WECHAT_APP_SECRET` (templates by
 * `WECHAT_TEMPLATE_…`; `WECHAT_AUTHORIZE_URL`, `WECHAT_API_URL` for another gateway), else our own simulator
 * on loopback.
 */
export function wechatOf(app: App): Promise<Wechat> {
  const open = async (): Promise<Wechat> => {
    const appId = wechatSettings.appId.read()
    return openWechat(
      appId
        ? {
            authorizeUrl: wechatSettings.authorizeUrl.read(),
            apiUrl: wechatSettings.apiUrl.read(),
            appId,
            secret: wechatSettings.appSecret.read(),
            templates: wechatSettings.templates.read(),
          }
        : await openWechatSimulator(app),
    )
  }
  let pending = wechatByApp.get(app)
  if (!pending) {
    wechatByApp.set(app, (pending = open()))
    pending.catch(() => wechatByApp.delete(app))
  }
  return pending
}
