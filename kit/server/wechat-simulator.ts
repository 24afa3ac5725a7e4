import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WechatGateway } from './wechat.ts'
import type { World } from './world.ts'

const lastsMs = 300_000
const plain = (s: string): string => s.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)
const same = (a: string, b: string): boolean => { const x = Buffer.from(a), y = Buffer.from(b); return x.length === y.length && timingSafeEqual(x, y) }

/**
 * The other end of the WeChat channel where no public account is named: it listens on loopback, shows the page on which a phone's owner says yes
 * or no, sends him back as WeChat does, and gives a person's number for a code once, within five minutes, against the real secret.
 */
export async function openWechatSimulator(world: World): Promise<WechatGateway> {
  const appId = `wx${randomBytes(8).toString('hex')}`, secret = randomBytes(16).toString('hex'), codes = new Map<string, { openId: string; until: number }>()
  const page = (q: URLSearchParams): string => {
    const hidden = ['redirect_uri', 'state'].map(k => `<input type="hidden" name="${k}" value="${plain(q.get(k) ?? '')}">`).join('')
    return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>微信授权（本机模拟）</title><style>body{max-width:360px;margin:48px auto;padding:0 16px;font:16px/1.6 sans-serif}input,button{width:100%;margin-top:12px;padding:10px;font:inherit}</style>
      <h1 style="font-size:18px">微信授权（本机模拟）</h1><p>「安居」申请获得你的微信身份。没有配置微信公众号时，由这一页代替手机微信。</p>
      <form action="/answer">${hidden}<label>模拟的微信号<input name="who" value="weixin-1" maxlength="40" required></label><button name="say" value="yes">允许</button><button name="say" value="no">拒绝</button></form></html>`
  }
  const token = (q: URLSearchParams): object => {
    const no = (errcode: number, errmsg: string) => ({ errcode, errmsg })
    if (q.get('appid') !== appId) return no(40013, 'invalid appid')
    if (!same(q.get('secret') ?? '', secret)) return no(40125, 'invalid appsecret')
    if (q.get('grant_type') !== 'authorization_code') return no(40002, 'invalid grant_type')
    const code = q.get('code') ?? '', known = codes.get(code)
    codes.delete(code)
    return known && known.until > world.clock() ? { access_token: randomBytes(16).toString('hex'), expires_in: 7200, openid: known.openId, scope: 'snsapi_userinfo' } : no(40029, 'invalid code')
  }
  const server = createServer((req, res) => {
    const at = new URL(req.url ?? '/', 'http://loopback'), q = at.searchParams, back = q.get('redirect_uri') ?? ''
    if (at.pathname === '/sns/oauth2/access_token') return void res.setHeader('content-type', 'application/json').end(JSON.stringify(token(q)))
    if (!/^https?:\/\//.test(back) || (at.pathname === '/connect/oauth2/authorize' && q.get('appid') !== appId)) return void res.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end('redirect_uri 参数错误')
    if (at.pathname === '/connect/oauth2/authorize') return void res.setHeader('content-type', 'text/html; charset=utf-8').end(page(q))
    if (at.pathname !== '/answer') return void res.writeHead(404).end()
    const to = new URL(back)
    if (q.get('say') === 'yes') {
      const code = randomBytes(16).toString('hex')
      if (codes.size > 1000) codes.clear()
      codes.set(code, { openId: `o${createHash('sha256').update(`${appId}:${q.get('who') ?? ''}`).digest('base64url').slice(0, 27)}`, until: world.clock() + lastsMs })
      to.searchParams.set('code', code)
    }
    to.searchParams.set('state', q.get('state') ?? '')
    res.writeHead(302, { location: to.href }).end()
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  server.unref()
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { authorize: `${base}/connect/oauth2/authorize`, api: base, appId, secret, simulated: true }
}
