import { openWechatSimulator } from './wechat-simulator.ts'
import type { World } from './world.ts'

/** A public account of WeChat as the OAuth of its web pages has it (sns/oauth2). */
export interface WechatGateway { readonly authorize: string; readonly api: string; readonly appId: string; readonly secret: string; readonly simulated?: boolean }
export interface Wechat {
  readonly simulated: boolean
  /** Where a phone asks its owner; WeChat sends it back to `returnTo` with `code` and `state`, or with `state` alone when he says no. */
  address(returnTo: string, state: string): string
  /** The person behind a code, as this public account knows him. Throws when WeChat does not take the code, or does not answer in ten seconds. */
  openIdOf(code: string): Promise<string>
}
export const openWechat = (g: WechatGateway): Wechat => ({
  simulated: g.simulated === true,
  address: (returnTo, state) => `${g.authorize}?${new URLSearchParams({ appid: g.appId, redirect_uri: returnTo, response_type: 'code', scope: 'snsapi_userinfo', state }).toString()}#wechat_redirect`,
  openIdOf: async code => {
    const answer = await fetch(`${g.api}/sns/oauth2/access_token?${new URLSearchParams({ appid: g.appId, secret: g.secret, code, grant_type: 'authorization_code' }).toString()}`, { signal: AbortSignal.timeout(10_000) })
    const said = await answer.json().catch(() => ({})) as { openid?: string; errcode?: number; errmsg?: string }
    if (!said.openid) throw new Error(`WeChat: ${said.errcode ?? answer.status} ${said.errmsg ?? ''}`)
    return said.openid
  },
})

const channels = new WeakMap<World, Promise<Wechat>>()
/** The public account of this server: `WECHAT_APP_ID` and `WECHAT_APP_SECRET` (`WECHAT_AUTHORIZE_URL`, `WECHAT_API_URL` for another gateway), else our own simulator on loopback. */
export function wechatOf(world: World): Promise<Wechat> {
  const open = async (): Promise<Wechat> => {
    const { WECHAT_APP_ID, WECHAT_APP_SECRET = '', WECHAT_AUTHORIZE_URL = 'https://open.weixin.qq.com/connect/oauth2/authorize', WECHAT_API_URL = 'https://api.weixin.qq.com' } = process.env
    return openWechat(WECHAT_APP_ID ? { authorize: WECHAT_AUTHORIZE_URL, api: WECHAT_API_URL, appId: WECHAT_APP_ID, secret: WECHAT_APP_SECRET } : await openWechatSimulator(world))
  }
  let c = channels.get(world)
  if (!c) { channels.set(world, (c = open())); c.catch(() => channels.delete(world)) }
  return c
}
