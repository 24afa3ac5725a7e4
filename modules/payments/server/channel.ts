import { defined } from '#kit/domain/defined.ts'
import { codeOf } from '#kit/contract/field.ts'
import { invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { findAll } from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
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

export const channelHandlers = [
  reads(listChannels, async (_, { db, scope }) => {
    const [list, keyed] = [
      await findAll(db, payChannel, scope, {}),
      new Set(
        (
          await db.rows<{ id: number }>(
            sql`select id from pay_channel where owner_id = ${scope.ownerId} and run_private_key is not null`,
          )
        ).map(r => r.id),
      ),
    ]
    return list.map(r => ({ ...r, keyed: keyed.has(r.id) }))
  }),
  reads(listAvailableChannels, ({ orderType = 'bill' }, { app, scope }) =>
    findPayeeChannels(app, scope.ownerId, payeeOf(orderType)),
  ),
  writes(saveChannel, async ({ apiKey, privateKey, ...said }, { tx, scope }) => {
    const which = Number(codeOf(channel, said.channel))
    const before = await tx.one<{ id: number; keyed: boolean }>(
      sql`
        select id, run_private_key is not null as keyed
        from pay_channel
        where owner_id = ${scope.ownerId} and channel = ${which} and ${live()}
        for update
      `,
    )
    const faults: FieldFault[] = []
    const fault = (Field: string, Message: string): void => {
      faults.push({ Field, Message })
    }
    if (!supportedChannels.includes(said.channel)) {
      fault('Channel', '还不能接入这个渠道')
    }
    if (!said.simulated && said.enabled) {
      if (said.channel !== 'pos' && !said.appId) {
        fault('AppID', '请填写应用编号')
      }
      if (said.channel !== 'alipay' && !said.mchId) {
        fault('MchID', '请填写商户号')
      }
      if (said.channel !== 'alipay' && !said.serialNo) {
        fault('SerialNo', '请填写商户证书序列号')
      }
      if (said.channel !== 'alipay' && !said.platformSerial) {
        fault('PlatformSerial', '请填写平台公钥编号')
      }
      if (!privateKey && !before?.keyed) {
        fault('PrivateKey', '请粘贴商户私钥')
      }
      if (!said.platformKey) {
        fault('PlatformKey', '请粘贴平台公钥')
      }
      if (said.channel === 'pos' && !said.apiBase) {
        fault('ApiBase', '请填写收单方的网关地址')
      }
      if (!said.notifyBase) {
        fault('NotifyBase', '请填写渠道能访问到的本系统地址')
      }
    }
    if (apiKey && apiKey.length !== 32) {
      fault('ApiKey', 'APIv3 密钥为 32 位')
    }
    if (privateKey && !isReadableKey(createPrivateKey, privateKey)) {
      fault('PrivateKey', '不是 PEM 格式的私钥，请整段粘贴')
    }
    if (said.platformKey && !isReadableKey(createPublicKey, said.platformKey)) {
      fault('PlatformKey', '不是 PEM 格式的公钥，请整段粘贴')
    }
    for (const [Field, v] of [
      ['ApiBase', said.apiBase],
      ['NotifyBase', said.notifyBase],
    ] as const) {
      if (v && !/^https?:\/\/[^\s]+$/.test(v)) {
        fault(Field, '请填写以 https:// 开头的地址')
      }
    }
    if (faults.length) throw invalidInput(faults)
    const cols = {
      simulated: said.simulated,
      enabled: said.enabled,
      app_id: said.appId ?? null,
      mch_id: said.mchId ?? null,
      serial_no: said.serialNo ?? null,
      platform_serial: said.platformSerial ?? null,
      platform_key: said.platformKey ?? null,
      api_base: said.apiBase ?? null,
      notify_base: said.notifyBase ?? null,
      ...(apiKey ? { run_api_key: apiKey } : {}),
      ...(privateKey ? { run_private_key: privateKey } : {}),
    }
    const set = Object.entries(cols)
    if (before) {
      await tx.execute(
        sql`
          update pay_channel
          set ${sql.join(set.map(([k, v]) => sql`${sql.id(k)} = ${v}`))}, ${touch(scope)}
          where owner_id = ${scope.ownerId} and id = ${before.id}
        `,
      )
    } else {
      await tx.execute(
        sql`
          insert into pay_channel (
            owner_id, create_by, update_by, channel, ${sql.join(set.map(([k]) => sql.id(k)))}
          )
          values (
            ${scope.ownerId}, ${scope.operatorId}, ${scope.operatorId}, ${which},
            ${sql.join(set.map(([, v]) => sql`${v}`))}
          )
        `,
      )
    }
    const [row] = (await findAll(tx, payChannel, scope, {})).filter(r => r.channel === said.channel)
    // Keys are named by their being there, never by what they are.
    await audit(tx, scope, [
      {
        action: before ? 'update' : 'insert',
        entity: 'payChannel',
        entityId: defined(row).id,
        after: { ...said, keyed: Boolean(privateKey) || (before?.keyed ?? false) },
        reason: privateKey || apiKey ? '更换密钥' : undefined,
      },
    ])
    return { ...defined(row), keyed: Boolean(privateKey) || (before?.keyed ?? false) }
  }),
]
