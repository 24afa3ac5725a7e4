import type { App } from '#kit/server/app.ts'
import { accessTokenOf } from './access-token.ts'
import type { StoredAccount } from './account-store.ts'
import { isTokenFault, PlatformFault } from './platform-fault.ts'
import { askPlatform, type PlatformAnswer } from './transport.ts'

const withToken = (path: string, token: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}access_token=${encodeURIComponent(token)}`

/**
 * A call of the platform with the shared access token: once more with another one where it ran out. `body` is
 * made for each try, since a form can be sent once. Throws `PlatformFault` or `PlatformAway`.
 */
export async function callPlatform<T extends object = object>(
  app: App,
  account: StoredAccount,
  path: string,
  body?: () => object | FormData,
): Promise<T & PlatformAnswer> {
  const ask = (token: string) => askPlatform<T>(app, account, withToken(path, token), body?.())
  const token = await accessTokenOf(app, account)
  let answer = await ask(token)
  if (isTokenFault(answer.errcode)) {
    answer = await ask(await accessTokenOf(app, account, token))
  }
  if (answer.errcode) throw new PlatformFault(answer.errcode, answer.errmsg ?? '', answer.msg_id)
  return answer
}

/** A follower's message by a template of the account. */
export const sendTemplateMessage = (
  app: App,
  account: StoredAccount,
  message: {
    readonly openId: string
    readonly templateId: string
    readonly data: Readonly<Record<string, string>>
    readonly url?: string | undefined
  },
): Promise<PlatformAnswer & { msgid?: number }> =>
  callPlatform(app, account, '/cgi-bin/message/template/send', () => ({
    touser: message.openId,
    template_id: message.templateId,
    ...(message.url ? { url: message.url } : {}),
    data: Object.fromEntries(Object.entries(message.data).map(([name, value]) => [name, { value }])),
  }))
