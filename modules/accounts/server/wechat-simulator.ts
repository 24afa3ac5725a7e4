import { defined } from '#kit/domain/defined.ts'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WechatGateway } from './wechat.ts'
import type { App } from '../../../kit/server/app.ts'

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
 * The person a name of the simulator's page stands for: the same on every server, so that who is bound stays
 * bound.
 */
export const simulatedOpenId = (who: string): string =>
  `o${createHash('sha256').update(`anju:${who}`).digest('base64url').slice(0, 27)}`

const codeLifetimeMs = 300_000
const escapeHtml = (s: string): string => s.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

const equalsConstantTime = (a: string, b: string): boolean => {
  const x = Buffer.from(a)
  const y = Buffer.from(b)
  return x.length === y.length && timingSafeEqual(x, y)
}

/**
 * The other end of the WeChat channel where no public account is named: it listens on loopback, shows the
 * page on which a phone's owner says yes or no, sends him back as WeChat does, and gives a person's number
 * for a code once, within five minutes, against the real secret. It takes template messages for whoever
 * follows, puts them into the server's log, and has a page of them on which a phone's owner can leave off
 * following.
 */
export async function openWechatSimulator(app: App): Promise<WechatGateway> {
  const appId = `wx${randomBytes(8).toString('hex')}`
  const secret = randomBytes(16).toString('hex')
  const codes = new Map<string, { openId: string; until: number }>()
  const tokens = new Set<string>()
  const left = new Set<string>()
  const box: WechatMessage[] = []
  messagesByApp.set(app, box)
  const page = (q: URLSearchParams): string => {
    const hidden = ['redirect_uri', 'state']
      .map(k => `<input type="hidden" name="${k}" value="${escapeHtml(q.get(k) ?? '')}">`)
      .join('')
    return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>微信授权（本机模拟）</title><style>body{max-width:360px;margin:48px auto;padding:0 16px;font:16px/1.6 sans-serif}input,button{width:100%;margin-top:12px;padding:10px;font:inherit}</style>
      <h1 style="font-size:18px">微信授权（本机模拟）</h1><p>「安居」申请获得你的微信身份。没有配置微信公众号时，由这一页代替手机微信。</p>
      <form action="/answer">${hidden}<label>模拟的微信号<input name="who" value="weixin-1" maxlength="40" required></label><button name="say" value="yes">允许</button><button name="say" value="no">拒绝</button></form></html>`
  }
  const token = (q: URLSearchParams): object => {
    const no = (errcode: number, errmsg: string) => ({ errcode, errmsg })
    if (q.get('appid') !== appId) return no(40013, 'invalid appid')
    if (!equalsConstantTime(q.get('secret') ?? '', secret)) return no(40125, 'invalid appsecret')
    if (q.get('grant_type') !== 'authorization_code') return no(40002, 'invalid grant_type')
    const code = q.get('code') ?? ''
    const known = codes.get(code)
    codes.delete(code)
    return known && known.until > app.clock()
      ? {
          access_token: randomBytes(16).toString('hex'),
          expires_in: 7200,
          openid: known.openId,
          scope: 'snsapi_userinfo',
        }
      : no(40029, 'invalid code')
  }
  const access = (q: URLSearchParams): object => {
    if (
      q.get('grant_type') !== 'client_credential' ||
      q.get('appid') !== appId ||
      !equalsConstantTime(q.get('secret') ?? '', secret)
    )
      return { errcode: 40001, errmsg: 'invalid credential' }
    const access_token = randomBytes(32).toString('hex')
    tokens.add(access_token)
    return { access_token, expires_in: 7200 }
  }
  const take = (given: string | null, body: string): object => {
    if (!tokens.has(given ?? ''))
      return { errcode: 40001, errmsg: 'invalid credential, access_token is invalid or not latest' }
    const said = JSON.parse(body) as {
      touser?: string
      template_id?: string
      data?: Record<string, { value?: string }>
    }
    if (!/^o[\w-]{27}$/.test(said.touser ?? '')) return { errcode: 40003, errmsg: 'invalid openid' }
    if (left.has(defined(said.touser))) return { errcode: 43004, errmsg: 'require subscribe' }
    const one = {
      openId: defined(said.touser),
      template: said.template_id ?? '',
      data: Object.fromEntries(Object.entries(said.data ?? {}).map(([k, v]) => [k, v.value ?? ''])),
      at: app.clock(),
    }
    box.push(one)
    if (box.length > 1000) {
      box.shift()
    }
    app.log.info({ wechat: one }, `微信（本机模拟）→ ${one.openId}：${Object.values(one.data).join(' ')}`)
    return { errcode: 0, errmsg: 'ok', msgid: box.length }
  }
  const inbox = (): string =>
    `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>微信消息（本机模拟）</title><style>body{max-width:520px;margin:32px auto;padding:0 16px;font:15px/1.6 sans-serif}li{margin:12px 0;white-space:pre-line}</style><h1 style="font-size:18px">收到的模板消息</h1><ul>${
      box
        .slice(-50)
        .toReversed()
        .map(
          m =>
            `<li><b>${escapeHtml(m.openId)}</b>\n${escapeHtml(Object.values(m.data).join('\n'))}\n${left.has(m.openId) ? '已取消关注' : `<a href="/leave?openid=${encodeURIComponent(m.openId)}">取消关注</a>`}</li>`,
        )
        .join('') || '<li>还没有消息</li>'
    }</ul></html>`
  const json = (res: ServerResponse, said: object): void =>
    void res.setHeader('content-type', 'application/json').end(JSON.stringify(said))
  const server = createServer((req, res) => {
    const at = new URL(req.url ?? '/', 'http://loopback')
    const q = at.searchParams
    const back = q.get('redirect_uri') ?? ''
    if (at.pathname === '/sns/oauth2/access_token') return json(res, token(q))
    if (at.pathname === '/cgi-bin/token') return json(res, access(q))
    if (at.pathname === '/cgi-bin/message/template/send') {
      const parts: Buffer[] = []
      req.on('data', (b: Buffer) => {
        if (parts.length < 100) {
          parts.push(b)
        }
      })
      req.on('end', () => {
        let said: object
        try {
          said = take(q.get('access_token'), Buffer.concat(parts).toString('utf8'))
        } catch {
          said = { errcode: 47001, errmsg: 'data format error' }
        }
        json(res, said)
      })
      return undefined
    }
    if (at.pathname === '/leave') {
      left.add(q.get('openid') ?? '')
      return void res.writeHead(302, { location: '/messages' }).end()
    }
    if (at.pathname === '/messages')
      return void res.setHeader('content-type', 'text/html; charset=utf-8').end(inbox())
    if (
      !/^https?:\/\//.test(back) ||
      (at.pathname === '/connect/oauth2/authorize' && q.get('appid') !== appId)
    )
      return void res
        .writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
        .end('redirect_uri 参数错误')
    if (at.pathname === '/connect/oauth2/authorize')
      return void res.setHeader('content-type', 'text/html; charset=utf-8').end(page(q))
    if (at.pathname !== '/answer') return void res.writeHead(404).end()
    const to = new URL(back)
    if (q.get('say') === 'yes') {
      const code = randomBytes(16).toString('hex')
      if (codes.size > 1000) {
        codes.clear()
      }
      codes.set(code, {
        openId: (left.delete(simulatedOpenId(q.get('who') ?? '')), simulatedOpenId(q.get('who') ?? '')),
        until: app.clock() + codeLifetimeMs,
      })
      to.searchParams.set('code', code)
    }
    to.searchParams.set('state', q.get('state') ?? '')
    res.writeHead(302, { location: to.href }).end()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  server.unref()
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { authorizeUrl: `${base}/connect/oauth2/authorize`, apiUrl: base, appId, secret, isSimulated: true }
}
