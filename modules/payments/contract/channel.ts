import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, text } from '#kit/contract/field.ts'
import { listOf, recordOf, listOfRows, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { channel, orderType } from './choices.ts'

/** The company's account at a channel. Secrets go in and never come out. */
export const payChannel = entity(
  'payChannel',
  '支付渠道',
  { table: 'pay_channel', tenancy: 'company', title: 'channel', order: ['channel'] },
  {
    channel: choice('渠道', channel, { required: true }),
    simulated: flag('模拟渠道', {
      required: true,
      initial: false,
      help: '使用模拟渠道，不产生真实扣款',
    }),
    enabled: flag('启用', { required: true, initial: true }),
    appId: text('应用编号', { max: 40, wire: 'AppID' }),
    mchId: text('商户号', { max: 32, wire: 'MchID' }),
    serialNo: text('商户证书序列号', { max: 64 }),
    platformSerial: text('平台公钥编号', { max: 64 }),
    platformKey: text('平台公钥', {
      max: 4000,
      help: 'PEM 格式，用于验证渠道的响应和回调',
      hiddenIn: ['table', 'filter'],
    }),
    hasStoredKey: flag('已存密钥', { wire: 'Keyed', derived: true }),
    apiBase: text('网关地址', { max: 100, help: '不填为渠道的正式网关' }),
    notifyBase: text('回调地址', { max: 100, help: '渠道能访问到的本系统地址，如 https://wy.example.com' }),
  },
)

export type PayChannel = Row<typeof payChannel>

const {
  channel: channelField,
  simulated,
  enabled,
  appId,
  mchId,
  serialNo,
  platformSerial,
  platformKey,
  apiBase,
  notifyBase,
} = payChannel.fields

const apiKey = text('APIv3 密钥', { max: 32, help: '不填则保持不变', masked: 'secret' })
const privateKey = text('商户私钥', { max: 4000, help: 'PEM 格式；不填则保持不变', masked: 'secret' })

export const listChannels = call({
  route: 'GET finance/v1/PayChannel/Get',
  title: '查询支付渠道',
  needs: menu.channel.permissions.view,
  input: shape({}),
  output: listOf(payChannel),
})

/** A secret left empty stays what it is. */
export const saveChannel = call({
  route: 'PUT finance/v1/PayChannel/Put',
  title: '设置支付渠道',
  needs: menu.channel.permissions.edit,
  input: shape({
    channel: channelField,
    simulated,
    enabled,
    appId,
    mchId,
    serialNo,
    apiKey,
    privateKey,
    platformSerial,
    platformKey,
    apiBase,
    notifyBase,
  }),
  output: recordOf(payChannel),
  affects: ['payChannel'],
})

/**
 * What can be offered for a kind of order (bills by default): the channels that work, of the company or, for
 * what is bought of the platform, of the platform.
 */
export const listAvailableChannels = call({
  route: 'GET finance/v1/PayChannel/GetOpen',
  title: '可用的支付渠道',
  needs: everyone,
  input: shape({ orderType: choice('业务类型', orderType) }),
  output: listOfRows({ channel: channelField, simulated }, { entity: 'payChannel' }),
})
