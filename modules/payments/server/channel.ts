import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll } from '#kit/server/table.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { channel } from '../contract/choices.ts'
import { listChannels, listAvailableChannels, payChannel, saveChannel } from '../contract/channel.ts'
import { payeeOf } from '../domain/order.ts'
import { findPayeeChannels, supportedChannels } from './channels/channel-accounts.ts'

const isReadableKey = (read: (pem: string) => unknown, pem: string): boolean => {
  try {
    read(pem)
    return true
  } catch {
    return false
  }
}

type ChannelForm = NonNullable<typeof saveChannel.input.T>

/** What a channel still lacks for real use. */
function missingFieldFaults(form: ChannelForm, hasPrivateKey: boolean): FieldFault[] {
  const isAlipay = form.channel === 'alipay'
  const isPos = form.channel === 'pos'
  const faults: (FieldFault | false)[] = [
    !isPos && !form.appId && { Field: 'AppID', Message: '请填写应用编号' },
    !isAlipay && !form.mchId && { Field: 'MchID', Message: '请填写商户号' },
    !isAlipay && !form.serialNo && { Field: 'SerialNo', Message: '请填写商户证书序列号' },
    !isAlipay && !form.platformSerial && { Field: 'PlatformSerial', Message: '请填写平台公钥编号' },
    !form.privateKey && !hasPrivateKey && { Field: 'PrivateKey', Message: '请粘贴商户私钥' },
    !form.platformKey && { Field: 'PlatformKey', Message: '请粘贴平台公钥' },
    isPos && !form.apiBase && { Field: 'ApiBase', Message: '请填写收单方的网关地址' },
    !form.notifyBase && { Field: 'NotifyBase', Message: '请填写渠道能访问到的本系统地址' },
  ]
  return faults.filter(fault => fault !== false)
}

const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/.test(text)

const addressRule = '请填写以 https:// 开头的地址'

/** What is filled in, but not in its form. */
function malformedFieldFaults(form: ChannelForm): FieldFault[] {
  const { apiKey, privateKey, platformKey, apiBase, notifyBase } = form
  const faults: (FieldFault | false | '' | undefined)[] = [
    apiKey && apiKey.length !== 32 && { Field: 'ApiKey', Message: 'APIv3 密钥为 32 位' },
    privateKey &&
      !isReadableKey(createPrivateKey, privateKey) && {
        Field: 'PrivateKey',
        Message: '不是 PEM 格式的私钥，请整段粘贴',
      },
    platformKey &&
      !isReadableKey(createPublicKey, platformKey) && {
        Field: 'PlatformKey',
        Message: '不是 PEM 格式的公钥，请整段粘贴',
      },
    apiBase && !isWebAddress(apiBase) && { Field: 'ApiBase', Message: addressRule },
    notifyBase && !isWebAddress(notifyBase) && { Field: 'NotifyBase', Message: addressRule },
  ]
  return faults.filter(fault => typeof fault === 'object')
}

function assertComplete(form: ChannelForm, hasPrivateKey: boolean): void {
  const faults: FieldFault[] = [
    ...(supportedChannels.includes(form.channel) ? [] : [{ Field: 'Channel', Message: '暂不能接入该渠道' }]),
    ...(form.enabled && !form.simulated ? missingFieldFaults(form, hasPrivateKey) : []),
    ...malformedFieldFaults(form),
  ]
  if (faults.length) throw invalidInput(faults)
}

/** The columns of a form; a key that is not filled in stays as it is. */
const columnsOf = (form: ChannelForm): [string, unknown][] =>
  Object.entries({
    simulated: form.simulated,
    enabled: form.enabled,
    app_id: form.appId ?? null,
    mch_id: form.mchId ?? null,
    serial_no: form.serialNo ?? null,
    platform_serial: form.platformSerial ?? null,
    platform_key: form.platformKey ?? null,
    api_base: form.apiBase ?? null,
    notify_base: form.notifyBase ?? null,
    ...(form.apiKey ? { run_api_key: form.apiKey } : {}),
    ...(form.privateKey ? { run_private_key: form.privateKey } : {}),
  })

interface StoredChannel {
  readonly id: Id
  readonly hasStoredKey: boolean
}

const lockStoredChannel = (tx: Tx, ownerId: Id, channelCode: number): Promise<StoredChannel | undefined> =>
  tx.one<StoredChannel>(
    sql`
      select id, run_private_key is not null as has_stored_key
      from pay_channel
      where owner_id = ${ownerId} and channel = ${channelCode} and ${notDeleted()}
      for update
    `,
  )

const updateChannel = (tx: Tx, scope: Scope, id: Id, form: ChannelForm): Promise<unknown> =>
  tx.execute(
    sql`
      update pay_channel
      set ${sql.join(columnsOf(form).map(([column, value]) => sql`${sql.id(column)} = ${value}`))}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${id}
    `,
  )

const insertChannel = (tx: Tx, scope: Scope, channelCode: number, form: ChannelForm): Promise<unknown> =>
  tx.execute(
    sql`
      insert into pay_channel (
        owner_id, create_by, update_by, channel,
        ${sql.join(columnsOf(form).map(([column]) => sql.id(column)))}
      )
      values (
        ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${channelCode},
        ${sql.join(columnsOf(form).map(([, value]) => sql`${value}`))}
      )
    `,
  )

export const channelHandlers = [
  reads(listChannels, async (_, { db, scope }) => {
    const channels = await findAll(db, payChannel, scope, {})
    const keyed = await db.rows<{ id: Id }>(
      sql`select id from pay_channel where owner_id = ${scope.ownerId} and run_private_key is not null`,
    )
    const keyedIds = new Set(keyed.map(row => row.id))
    return channels.map(row => ({ ...row, hasStoredKey: keyedIds.has(row.id) }))
  }),
  reads(listAvailableChannels, ({ orderType = 'bill' }, { app, scope }) =>
    findPayeeChannels(app, scope.ownerId, payeeOf(orderType)),
  ),
  writes(saveChannel, async (form, { tx, scope }) => {
    const channelCode = Number(codeOf(channel, form.channel))
    const stored = await lockStoredChannel(tx, scope.ownerId, channelCode)
    assertComplete(form, stored?.hasStoredKey ?? false)
    await (stored ? updateChannel(tx, scope, stored.id, form) : insertChannel(tx, scope, channelCode, form))
    const channels = await findAll(tx, payChannel, scope, {})
    const saved = defined(channels.find(row => row.channel === form.channel))
    const { apiKey, privateKey, ...publicFields } = form
    const hasStoredKey = Boolean(privateKey) || (stored?.hasStoredKey ?? false)
    // The audit says that there are keys, never what they are.
    await audit(tx, scope, [
      {
        action: stored ? 'update' : 'insert',
        entity: 'payChannel',
        entityId: saved.id,
        after: { ...publicFields, hasStoredKey },
        reason: privateKey || apiKey ? '更换密钥' : undefined,
      },
    ])
    return { ...saved, hasStoredKey }
  }),
]
