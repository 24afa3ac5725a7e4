import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { World } from '#kit/server/world.ts'
import { channel } from '../../contract/choices.ts'
import { payeeOf, type Payee } from '../../domain/order.ts'
import { simulatorOf } from '../simulator/open.ts'
import { alipayGate } from './alipay.ts'
import type { PayOrder } from '../../contract/order.ts'
import type { Account, Channel, Gate } from './gate.ts'
import { posGate } from './pos.ts'
import { wechatGate } from './wechat.ts'

/** The channels that we speak to, and where their gateways are. */
const kinds: Partial<Record<Channel, { readonly open: (a: Account) => Gate; readonly base: string }>> = {
  wechat: { open: wechatGate, base: 'https://api.mch.weixin.qq.com' },
  alipay: { open: alipayGate, base: 'https://openapi.alipay.com/gateway.do' },
  pos: { open: posGate, base: '' },
}

export const spoken = Object.keys(kinds) as Channel[]

interface Stored {
  channel: number
  simulated: boolean
  appId?: string
  mchId?: string
  serialNo?: string
  runApiKey?: string
  runPrivateKey?: string
  platformSerial?: string
  platformKey?: string
  apiBase?: string
  notifyBase?: string
}

const code = (c: Channel): number => Number(codeOf(channel, c))

/** Which channels a company has set up. */
export const channelsOf = async (
  db: Db,
  owner: number,
): Promise<readonly { readonly channel: Channel; readonly simulated: boolean }[]> =>
  (
    await db.rows<{ channel: number; simulated: boolean }>(
      sql`
        select channel, simulated
        from pay_channel
        where owner_id = ${owner}
          and enabled
          and delete_tag = 0
          and channel = any(${spoken.map(code)})
          and (simulated or run_private_key is not null)
        order by channel
      `,
    )
  ).map(r => ({ channel: keyOf(channel, r.channel)!, simulated: r.simulated }))

/** The platform's own accounts, to which companies pay what they buy of it, stand under no company. */
const platform = 0

/** The channels that stand open for money to a payee. */
export const channelsFor = (world: World, owner: number, payee: Payee): ReturnType<typeof channelsOf> =>
  payee === 'platform'
    ? channelsOf(world.store.reader('*'), platform)
    : channelsOf(world.store.reader(owner), owner)

/**
 * The payee's account at a channel; refuses where there is none. A channel switched off still answers for the
 * orders it has.
 */
export async function gateOf(
  world: World,
  owner: number,
  c: Channel,
  payee: Payee = 'company',
): Promise<Gate> {
  const kind = kinds[c] ?? refuse('没有接入这个支付渠道')
  const holder = payee === 'platform' ? platform : owner
  const s = await world.store.reader(payee === 'platform' ? '*' : owner).one<Stored>(
    sql`
        select channel, simulated, app_id, mch_id, serial_no, run_api_key, run_private_key, platform_serial,
          platform_key, api_base, notify_base
        from pay_channel
        where owner_id = ${holder} and channel = ${code(c)} and delete_tag = 0
      `,
  )
  if (!s) return refuse('这个支付渠道还没有设置')
  const at = (base: string): string =>
    `${base.replace(/\/+$/, '')}/api/pay/notify/${c}/${owner}${payee === 'platform' ? '/platform' : ''}`
  if (s.simulated)
    return kind.open({
      ...(await simulatorOf(world)).account(c),
      notifyUrl: at(world.origin?.() ?? 'http://127.0.0.1'),
      clock: world.clock,
    })
  if (!s.runPrivateKey || !s.notifyBase) return refuse('这个支付渠道还没有设置完整')
  return kind.open({
    appId: s.appId ?? '',
    mchId: s.mchId ?? '',
    serialNo: s.serialNo ?? '',
    apiKey: s.runApiKey ?? '',
    privateKey: s.runPrivateKey,
    platformSerial: s.platformSerial ?? '',
    platformKey: s.platformKey ?? '',
    base: s.apiBase || kind.base,
    notifyUrl: at(s.notifyBase),
    clock: world.clock,
  })
}

/** The gate that an order of ours goes through. */
export const gateFor = (
  world: World,
  owner: number,
  o: Pick<PayOrder, 'orderType' | 'channel'>,
): Promise<Gate> =>
  gateOf(world, owner, o.channel ?? refuse('这张支付单还没有去任何渠道'), payeeOf(o.orderType))
