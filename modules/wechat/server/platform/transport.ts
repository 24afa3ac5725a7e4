import type { App } from '#kit/server/app.ts'
import { wechatSettings } from '#modules/accounts/server/public.ts'
import { simulatorUrlOf } from '../simulator/simulator.ts'
import type { StoredAccount } from './account-store.ts'
import { PlatformAway } from './platform-fault.ts'

const timeoutMs = 10_000

export interface PlatformAnswer {
  readonly errcode?: number
  readonly errmsg?: string
  readonly msg_id?: unknown
}

/** Where the platform of an account is: that of WeChat, or the simulator of this machine. */
const baseOf = (app: App, account: StoredAccount): Promise<string> | string =>
  account.isSimulated ? simulatorUrlOf(app, account) : wechatSettings.apiUrl.read()

/** One request; an answer that cannot be read is as if the platform were away. */
export async function askPlatform<T extends object>(
  app: App,
  account: StoredAccount,
  path: string,
  body?: object | FormData,
): Promise<T & PlatformAnswer> {
  const base = await baseOf(app, account)
  const isForm = body instanceof FormData
  try {
    const response = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(isForm || body === undefined ? {} : { headers: { 'content-type': 'application/json' } }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer: T & PlatformAnswer = JSON.parse(await response.text())
    return answer
  } catch (cause) {
    throw new PlatformAway(cause)
  }
}
