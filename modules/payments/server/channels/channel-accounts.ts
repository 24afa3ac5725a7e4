import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import { refuse } from '#kit/contract/wire.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { channel } from '../../contract/choices.ts'
import { payeeOf, type Payee } from '../../domain/order.ts'
import { getSimulator } from '../simulator/gateway.ts'
import { createAlipayClient } from './alipay-client.ts'
import type { PayOrder } from '../../contract/order.ts'
import type { ChannelAccount, Channel, ChannelClient } from './channel-client.ts'
import { createPosClient } from './pos-client.ts'
import { createWechatClient } from './wechat-client.ts'

/** The channels that we speak to, and where their gateways are. */
const channelDrivers: Partial<
  Record<Channel, { readonly open: (a: ChannelAccount) => ChannelClient; readonly base: string }>
> = {
  wechat: { open: createWechatClient, base: 'https://api.mch.weixin.qq.com' },
  alipay: { open: createAlipayClient, base: 'https://openapi.alipay.com/gateway.do' },
  pos: { open: createPosClient, base: '' },
}

export const isSupportedChannel = (name: string | null | undefined): name is Channel =>
  typeof name === 'string' && Object.hasOwn(channelDrivers, name)

export const supportedChannels: readonly Channel[] = Object.keys(channelDrivers).filter(isSupportedChannel)

interface ChannelAccountRow {
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

const channelCode = (c: Channel): number => Number(codeOf(channel, c))

/** The channels that a company has set up. */
export const findEnabledChannels = async (
  db: Db,
  ownerId: Id,
): Promise<readonly { readonly channel: Channel; readonly simulated: boolean }[]> =>
  (
    await db.rows<{ channel: number; simulated: boolean }>(
      sql`
        select channel, simulated
        from pay_channel
        where owner_id = ${ownerId}
          and enabled
          and ${notDeleted()}
          and channel = any(${supportedChannels.map(channelCode)})
          and (simulated or run_private_key is not null)
        order by channel
      `,
    )
  ).map(r => ({ channel: defined(keyOf(channel, r.channel)), simulated: r.simulated }))

/** By which application and merchant number a company is paid through a channel, once it is set up. */
export const findPaySetting = (
  db: Pick<Db, 'one'>,
  ownerId: Id,
  targetChannel: Channel,
): Promise<{ appId?: string; mchId?: string; enabled: boolean } | undefined> =>
  db.one(sql`
    select app_id, mch_id, enabled
    from pay_channel
    where owner_id = ${ownerId} and channel = ${channelCode(targetChannel)} and ${notDeleted()}
  `)

/** The platform's own accounts, to which companies pay for what they buy from it, belong to no company. */
const platformOwnerId = 0

/** The channels by which a payee can be paid. */
export const findPayeeChannels = (
  app: App,
  ownerId: Id,
  payee: Payee,
): ReturnType<typeof findEnabledChannels> =>
  payee === 'platform'
    ? findEnabledChannels(app.database.reader('*'), platformOwnerId)
    : findEnabledChannels(app.database.reader(ownerId), ownerId)

/**
 * The payee's account at a channel; refuses where there is none. A channel switched off still serves the
 * orders it has.
 */
export async function getChannelClient(
  app: App,
  ownerId: Id,
  targetChannel: Channel,
  payee: Payee = 'company',
): Promise<ChannelClient> {
  const kind = channelDrivers[targetChannel] ?? refuse('未接入该支付渠道')
  const holder = payee === 'platform' ? platformOwnerId : ownerId
  const account = await app.database.reader(payee === 'platform' ? '*' : ownerId).one<ChannelAccountRow>(
    sql`
        select channel, simulated, app_id, mch_id, serial_no, run_api_key, run_private_key, platform_serial,
          platform_key, api_base, notify_base
        from pay_channel
        where owner_id = ${holder} and channel = ${channelCode(targetChannel)} and ${notDeleted()}
      `,
  )
  if (!account) return refuse('该支付渠道尚未设置')
  const notifyUrlUnder = (base: string): string =>
    `${base.replace(/\/+$/, '')}/api/pay/notify/${targetChannel}/${ownerId}${payee === 'platform' ? '/platform' : ''}`
  if (account.simulated)
    return kind.open({
      ...(await getSimulator(app)).account(targetChannel),
      notifyUrl: notifyUrlUnder(app.originUrl?.() ?? 'http://127.0.0.1'),
      clock: app.clock,
    })
  if (!account.runPrivateKey || !account.notifyBase) return refuse('该支付渠道尚未设置完整')
  return kind.open({
    appId: account.appId ?? '',
    mchId: account.mchId ?? '',
    serialNo: account.serialNo ?? '',
    apiKey: account.runApiKey ?? '',
    privateKey: account.runPrivateKey,
    platformSerial: account.platformSerial ?? '',
    platformKey: account.platformKey ?? '',
    base: account.apiBase || kind.base,
    notifyUrl: notifyUrlUnder(account.notifyBase),
    clock: app.clock,
  })
}

/** The client of the channel that an order is paid through. */
export const getOrderChannelClient = (
  app: App,
  ownerId: Id,
  order: Pick<PayOrder, 'orderType' | 'channel'>,
): Promise<ChannelClient> =>
  getChannelClient(
    app,
    ownerId,
    order.channel ?? refuse('该支付单尚未提交任何渠道'),
    payeeOf(order.orderType),
  )
