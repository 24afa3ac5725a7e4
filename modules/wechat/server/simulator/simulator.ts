import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#kit/server/app.ts'
import { listenOnLoopback, simulatedOpenId } from '#modules/accounts/server/public.ts'
import type { StoredAccount } from '../platform/account-store.ts'
import { callbackPath } from '../platform/callback-path.ts'
import { answerApi, grantToken, refusal, storeMedia } from './api-requests.ts'
import { deliver, deliverJobs } from './callback-client.ts'
import { accountsPage, phonePage } from './phone-page.ts'
import { keepPhoneMessage, SimulatedAccount, type SimulatedFollower } from './platform-state.ts'
import { readForm, readUpload } from './request-body.ts'
import { answerConsent, consentPage, exchangeCode } from './web-sign-in.ts'

/** The platform of this process: it listens on loopback, with a page on which one plays a follower. */
interface Simulator {
  readonly url: string
  readonly accounts: Map<string, SimulatedAccount>
}

const simulatorByApp = new WeakMap<App, Promise<Simulator>>()

const sendJson = (response: ServerResponse, answer: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))

const sendPage = (response: ServerResponse, html: string): void =>
  void response.setHeader('content-type', 'text/html; charset=utf-8').end(html)

/** Somebody's phone with an account; a new one does not follow yet. */
export function followerOf(account: SimulatedAccount, name: string): SimulatedFollower {
  const openId = simulatedOpenId(name)
  const known = account.followers.get(openId)
  if (known) return known
  const follower = { name, openId, isFollowing: false, refusesTemplates: false, lastTime: 0, messages: [] }
  account.followers.set(openId, follower)
  return follower
}

/** What a person does on the phone. */
export async function actOnPhone(
  account: SimulatedAccount,
  form: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<number> {
  const follower = followerOf(account, (form.person ?? '').slice(0, 40) || 'weixin-1')
  const event = (fields: Record<string, string>) =>
    deliver(account, follower, { MsgType: 'event', ...fields }, nowMs)
  follower.lastTime = nowMs
  switch (form.what) {
    case 'follow': {
      follower.isFollowing = true
      const scene = form.scene ?? ''
      const ticket = [...account.scenes].find(([, name]) => name === scene)?.[0] ?? ''
      return event({
        Event: 'subscribe',
        EventKey: scene ? `qrscene_${scene}` : '',
        ...(ticket ? { Ticket: ticket } : {}),
      })
    }
    case 'leave':
      follower.isFollowing = false
      return event({ Event: 'unsubscribe', EventKey: '' })
    case 'refuse':
      follower.refusesTemplates = !follower.refusesTemplates
      return 200
    case 'tap':
      keepPhoneMessage(follower, { from: 'me', kind: 'event', text: `点击菜单「${form.key ?? ''}」` })
      return event({ Event: 'CLICK', EventKey: form.key ?? '' })
    default: {
      const text = (form.text ?? '').slice(0, 600)
      keepPhoneMessage(follower, { from: 'me', kind: 'text', text })
      return deliver(
        account,
        follower,
        { MsgType: 'text', Content: text, MsgId: String(account.nextId()) },
        nowMs,
      )
    }
  }
}

/** The platform reports a little after it has answered. */
const jobDelayMs = 500

/** An account without a server configuration hears nothing, as at the platform itself. */
function reportJobs(account: SimulatedAccount, clock: () => number): void {
  if (account.holdsJobs || !account.jobs.length) return
  setTimeout(() => {
    deliverJobs(account, clock()).catch(() => undefined)
  }, jobDelayMs).unref()
}

interface Exchange {
  readonly app: App
  readonly simulator: Simulator
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
}

async function answerPhone({ app, simulator, request, response, url }: Exchange): Promise<void> {
  const [, , appId = '', action] = url.pathname.split('/')
  const account = simulator.accounts.get(appId)
  if (!account) return void response.writeHead(404).end()
  const person = url.searchParams.get('person') ?? 'weixin-1'
  if (action !== 'act') {
    sendPage(response, phonePage(account, person, followerOf(account, person)))
    return
  }
  const form = Object.fromEntries(new URLSearchParams(await readForm(request)))
  await actOnPhone(account, form, app.clock())
  const location = `/phone/${appId}?${new URLSearchParams({ person: form.person ?? person }).toString()}`
  response.writeHead(303, { location }).end()
}

async function answerPlatform({ app, simulator, request, response, url }: Exchange): Promise<void> {
  const nowMs = app.clock()
  if (url.pathname === '/cgi-bin/stable_token' || url.pathname === '/cgi-bin/token') {
    const input: Record<string, unknown> =
      request.method === 'POST' ? JSON.parse(await readForm(request)) : Object.fromEntries(url.searchParams)
    const asking = simulator.accounts.get(String(input.appid))
    if (asking?.isAway) return void response.destroy()
    sendJson(response, grantToken(asking, input, nowMs))
    return
  }
  const token = url.searchParams.get('access_token') ?? ''
  const account = simulator.accounts.get(token.split('.')[0] ?? '')
  if (account?.isAway) return void response.destroy()
  if (!account?.isTokenValid(token, nowMs)) {
    sendJson(response, refusal(40001, 'invalid credential, access_token is invalid or not latest'))
    return
  }
  if (url.pathname === '/cgi-bin/material/add_material') {
    const type = url.searchParams.get('type') ?? ''
    sendJson(response, storeMedia(account, type, await readUpload(request)))
    return
  }
  const body = await readForm(request)
  sendJson(response, answerApi(account, url.pathname, body ? JSON.parse(body) : {}, nowMs))
  reportJobs(account, app.clock)
}

/** Pages that ask who somebody is, and the number for the code that they got. */
function answerSignIn({ app, simulator, response, url }: Exchange): void {
  const { pathname, searchParams: query } = url
  const account = simulator.accounts.get(query.get('appid') ?? '')
  if (pathname === '/sns/oauth2/access_token')
    return sendJson(response, exchangeCode(account, query, app.clock()))
  if (!account || !/^https?:\/\//.test(query.get('redirect_uri') ?? ''))
    return void response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end('参数错误')
  if (pathname === '/connect/oauth2/authorize') return sendPage(response, consentPage(account, query))
  const location = answerConsent(account, query, app.clock())
  return void response.writeHead(302, { location }).end()
}

async function open(app: App): Promise<Simulator> {
  const accounts = new Map<string, SimulatedAccount>()
  const simulator: { url: string; accounts: Map<string, SimulatedAccount> } = { url: '', accounts }
  simulator.url = await listenOnLoopback(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback')
    const exchange = { app, simulator, request, response, url }
    if (url.pathname.startsWith('/cgi-bin/')) return answerPlatform(exchange)
    if (/^\/(connect|sns)\/oauth2\//.test(url.pathname)) return answerSignIn(exchange)
    if (url.pathname.startsWith('/phone/')) return answerPhone(exchange)
    sendPage(response, accountsPage([...accounts.values()]))
  })
  return simulator
}

export function simulatorOf(app: App): Promise<Simulator> {
  let opening = simulatorByApp.get(app)
  if (!opening) {
    simulatorByApp.set(app, (opening = open(app)))
    opening.catch(() => simulatorByApp.delete(app))
  }
  return opening
}

/** The account at the simulated platform, with the keys that it has now. */
export async function simulatedAccount(app: App, account: StoredAccount): Promise<SimulatedAccount> {
  const { accounts } = await simulatorOf(app)
  const keys = {
    appId: account.appId,
    name: account.mpName,
    secret: account.secret ?? '',
    token: account.token,
    aesKey: account.aesKey,
    isEncrypted: account.isEncrypted,
    callbackUrl: `${app.originUrl?.() ?? 'http://127.0.0.1'}${callbackPath(account)}`,
  }
  const known = accounts.get(account.appId)
  if (known) {
    known.keys = keys
    return known
  }
  const created = new SimulatedAccount(keys)
  accounts.set(account.appId, created)
  return created
}

/** Where the simulated platform is, which then knows the account. */
export async function simulatorUrlOf(app: App, account: StoredAccount): Promise<string> {
  await simulatedAccount(app, account)
  return (await simulatorOf(app)).url
}
