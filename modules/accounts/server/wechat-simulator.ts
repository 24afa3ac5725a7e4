import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WechatGateway } from './wechat.ts'
import type { App } from '#kit/server/app.ts'
import { keepMessage, listenOnLoopback, readBody } from './loopback-server.ts'

/** What the simulator's phones were sent, latest last, at most a thousand. */
export interface WechatMessage {
  readonly openId: string
  readonly template: string
  readonly data: Readonly<Record<string, string>>
  readonly at: number
}

const messagesByApp = new WeakMap<App, WechatMessage[]>()
export const sentWechatMessages = (app: App): readonly WechatMessage[] => messagesByApp.get(app) ?? []

/**
 * The person a name of the simulator's page stands for: the same on every server, so that a binding stays
 * bound.
 */
export const simulatedOpenId = (person: string): string =>
  `o${createHash('sha256').update(`anju:${person}`).digest('base64url').slice(0, 27)}`

const codeLifetimeMs = 300_000
const escapeHtml = (s: string): string => s.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

const equalsConstantTime = (a: string, b: string): boolean => {
  const x = Buffer.from(a)
  const y = Buffer.from(b)
  return x.length === y.length && timingSafeEqual(x, y)
}

interface WechatSimulator {
  readonly app: App
  readonly appId: string
  readonly secret: string
  /** Codes of people who agreed, each good once. */
  readonly codes: Map<string, { readonly openId: string; readonly until: number }>
  readonly accessTokens: Set<string>
  /** People who no longer follow the public account. */
  readonly unfollowed: Set<string>
  readonly messages: WechatMessage[]
}

const fault = (errcode: number, errmsg: string): object => ({ errcode, errmsg })

/** The page on which a phone's owner says yes or no. */
function consentPage(query: URLSearchParams): string {
  const hidden = ['redirect_uri', 'state']
    .map(name => `<input type="hidden" name="${name}" value="${escapeHtml(query.get(name) ?? '')}">`)
    .join('')
  return `<!doctype html><html lang="zh-CN">
      <meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>微信授权（模拟渠道）</title><style>
body{max-width:360px;margin:48px auto;padding:0 16px;font:16px/1.6 sans-serif}
input,button{width:100%;margin-top:12px;padding:10px;font:inherit}
</style>
      <h1 style="font-size:18px">微信授权（模拟渠道）</h1><p>「安居」申请获得你的微信身份。未配置微信公众号时，由这一页代替手机微信。</p>
      <form action="/answer">${hidden}
        <label>模拟的微信号<input name="account" value="weixin-1" maxlength="40" required></label>
        <button name="say" value="yes">允许</button><button name="say" value="no">拒绝</button>
      </form></html>`
}

/** A person's number for a code, once, against the real secret. */
function exchangeCode({ app, appId, secret, codes }: WechatSimulator, query: URLSearchParams): object {
  if (query.get('appid') !== appId) return fault(40013, 'invalid appid')
  if (!equalsConstantTime(query.get('secret') ?? '', secret)) return fault(40125, 'invalid appsecret')
  if (query.get('grant_type') !== 'authorization_code') return fault(40002, 'invalid grant_type')
  const code = query.get('code') ?? ''
  const known = codes.get(code)
  codes.delete(code)
  return known && known.until > app.clock()
    ? {
        access_token: randomBytes(16).toString('hex'),
        expires_in: 7200,
        openid: known.openId,
        scope: 'snsapi_userinfo',
      }
    : fault(40029, 'invalid code')
}

function issueAccessToken({ appId, secret, accessTokens }: WechatSimulator, query: URLSearchParams): object {
  const isKnown =
    query.get('grant_type') === 'client_credential' &&
    query.get('appid') === appId &&
    equalsConstantTime(query.get('secret') ?? '', secret)
  if (!isKnown) return fault(40001, 'invalid credential')
  const accessToken = randomBytes(32).toString('hex')
  accessTokens.add(accessToken)
  return { access_token: accessToken, expires_in: 7200 }
}

interface TemplateMessage {
  readonly touser?: string
  readonly template_id?: string
  readonly data?: Readonly<Record<string, { readonly value?: string }>>
}

function takeMessage(simulator: WechatSimulator, accessToken: string | null, body: string): object {
  const { app, accessTokens, unfollowed, messages } = simulator
  if (!accessTokens.has(accessToken ?? ''))
    return fault(40001, 'invalid credential, access_token is invalid or not latest')
  const message: TemplateMessage = JSON.parse(body)
  const { touser: openId = '', template_id: template = '', data = {} } = message
  if (!/^o[\w-]{27}$/.test(openId)) return fault(40003, 'invalid openid')
  if (unfollowed.has(openId)) return fault(43004, 'require subscribe')
  const texts = Object.fromEntries(Object.entries(data).map(([key, { value = '' }]) => [key, value]))
  const wechat = { openId, template, data: texts, at: app.clock() }
  keepMessage(messages, wechat)
  app.log.info({ wechat }, `微信（模拟渠道）→ ${openId}：${Object.values(texts).join(' ')}`)
  return { errcode: 0, errmsg: 'ok', msgid: messages.length }
}

/** The latest messages, with a link to leave off following for each receiver. */
function messagesPage({ messages, unfollowed }: WechatSimulator): string {
  const items = messages
    .slice(-50)
    .toReversed()
    .map(({ openId, data }) => {
      const following = unfollowed.has(openId)
        ? '已取消关注'
        : `<a href="/leave?openid=${encodeURIComponent(openId)}">取消关注</a>`
      return `<li><b>${escapeHtml(openId)}</b>\n${escapeHtml(Object.values(data).join('\n'))}\n${following}</li>`
    })
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8">
    <title>微信消息（模拟渠道）</title><style>
body{max-width:520px;margin:32px auto;padding:0 16px;font:15px/1.6 sans-serif}
li{margin:12px 0;white-space:pre-line}
</style>
    <h1 style="font-size:18px">收到的模板消息</h1><ul>${items.join('') || '<li>暂无消息</li>'}</ul></html>`
}

/** Back to where the person came from; with a code after consent. */
function answerConsent(
  { app, codes, unfollowed }: WechatSimulator,
  query: URLSearchParams,
  back: URL,
): string {
  if (query.get('say') === 'yes') {
    const code = randomBytes(16).toString('hex')
    const openId = simulatedOpenId(query.get('account') ?? '')
    if (codes.size > 1000) {
      codes.clear()
    }
    unfollowed.delete(openId)
    codes.set(code, { openId, until: app.clock() + codeLifetimeMs })
    back.searchParams.set('code', code)
  }
  back.searchParams.set('state', query.get('state') ?? '')
  return back.href
}

const sendJson = (response: ServerResponse, answer: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))

const sendPage = (response: ServerResponse, html: string): void =>
  void response.setHeader('content-type', 'text/html; charset=utf-8').end(html)

async function answerMessage(
  simulator: WechatSimulator,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  try {
    sendJson(response, takeMessage(simulator, query.get('access_token'), body))
  } catch {
    sendJson(response, fault(47001, 'data format error'))
  }
}

/** The pages that a person's phone opens. */
function answerBrowser(simulator: WechatSimulator, url: URL, response: ServerResponse): void {
  const { pathname, searchParams: query } = url
  if (pathname === '/leave') {
    simulator.unfollowed.add(query.get('openid') ?? '')
    response.writeHead(302, { location: '/messages' }).end()
    return
  }
  if (pathname === '/messages') return sendPage(response, messagesPage(simulator))
  const back = query.get('redirect_uri') ?? ''
  const isConsent = pathname === '/connect/oauth2/authorize'
  if (!/^https?:\/\//.test(back) || (isConsent && query.get('appid') !== simulator.appId)) {
    response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end('redirect_uri 参数错误')
    return
  }
  if (isConsent) return sendPage(response, consentPage(query))
  if (pathname === '/answer') {
    const location = answerConsent(simulator, query, new URL(back))
    response.writeHead(302, { location }).end()
    return
  }
  response.writeHead(404).end()
}

/**
 * The other end of the WeChat channel where no public account is named: it listens on loopback, shows the
 * page on which a phone's owner agrees or declines, redirects back as WeChat does, and gives a person's
 * number for a code once, within five minutes, against the real secret. It takes template messages for
 * followers, puts them into the server's log, and has a page of them on which a phone's owner can unfollow.
 */
export async function openWechatSimulator(app: App): Promise<WechatGateway> {
  const appId = `wx${randomBytes(8).toString('hex')}`
  const secret = randomBytes(16).toString('hex')
  const messages: WechatMessage[] = []
  messagesByApp.set(app, messages)
  const simulator: WechatSimulator = {
    app,
    appId,
    secret,
    codes: new Map(),
    accessTokens: new Set(),
    unfollowed: new Set(),
    messages,
  }
  const apiUrl = await listenOnLoopback((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback')
    const query = url.searchParams
    if (url.pathname === '/sns/oauth2/access_token') return sendJson(response, exchangeCode(simulator, query))
    if (url.pathname === '/cgi-bin/token') return sendJson(response, issueAccessToken(simulator, query))
    if (url.pathname === '/cgi-bin/message/template/send')
      return answerMessage(simulator, query, request, response)
    return answerBrowser(simulator, url, response)
  })
  return { authorizeUrl: `${apiUrl}/connect/oauth2/authorize`, apiUrl, appId, secret, isSimulated: true }
}
