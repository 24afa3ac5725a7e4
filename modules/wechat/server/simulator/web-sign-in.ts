import { randomBytes } from 'node:crypto'
import { simulatedOpenId } from '#modules/accounts/server/public.ts'
import { isSameText } from '../platform/crypto.ts'
import { refusal } from './api-requests.ts'
import type { SimulatedAccount } from './platform-state.ts'

const codeLifetimeMs = 300_000
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`)

/** The page on which the owner of a phone lets an account know who they are. */
export function consentPage(account: SimulatedAccount, query: URLSearchParams): string {
  const hidden = ['appid', 'redirect_uri', 'state']
    .map(name => `<input type="hidden" name="${name}" value="${escapeHtml(query.get(name) ?? '')}">`)
    .join('')
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>微信授权（模拟公众号）</title><style>
body{max-width:360px;margin:48px auto;padding:0 16px;font:16px/1.6 sans-serif}
input,button{width:100%;margin-top:12px;padding:10px;font:inherit}
</style><h1 style="font-size:18px">${escapeHtml(account.keys.name)}（模拟公众号）</h1>
<p>申请获得你的微信身份。</p><form action="/connect/oauth2/answer">${hidden}
<label>模拟的微信号<input name="account" value="weixin-1" maxlength="40" required></label>
<button name="say" value="yes">允许</button><button name="say" value="no">拒绝</button></form></html>`
}

/** Back to where the person came from; with a code after consent. */
export function answerConsent(account: SimulatedAccount, query: URLSearchParams, nowMs: number): string {
  const back = new URL(query.get('redirect_uri') ?? '')
  if (query.get('say') === 'yes') {
    const code = randomBytes(16).toString('hex')
    account.codes.set(code, {
      openId: simulatedOpenId(query.get('account') ?? ''),
      until: nowMs + codeLifetimeMs,
    })
    back.searchParams.set('code', code)
  }
  back.searchParams.set('state', query.get('state') ?? '')
  return back.href
}

/** A person's number for a code, once, against the real secret. */
export function exchangeCode(
  account: SimulatedAccount | undefined,
  query: URLSearchParams,
  nowMs: number,
): object {
  if (!account) return refusal(40013, 'invalid appid')
  if (!isSameText(query.get('secret') ?? '', account.keys.secret)) return refusal(40125, 'invalid appsecret')
  if (query.get('grant_type') !== 'authorization_code') return refusal(40002, 'invalid grant_type')
  const code = query.get('code') ?? ''
  const known = account.codes.get(code)
  account.codes.delete(code)
  if (!known || known.until <= nowMs) return refusal(40029, 'invalid code')
  const access = randomBytes(16).toString('hex')
  return { access_token: access, expires_in: 7200, openid: known.openId, scope: 'snsapi_userinfo' }
}
