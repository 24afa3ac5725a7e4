import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { channel } from '../contract/choices.ts'
import { listChannels, saveChannel, type PayChannel } from '../contract/channel.ts'
import { menu } from '../module.ts'
import './channels.css'

/** The channels that can be set up, each with what it asks for. */
const channelForms = [
  {
    channel: 'wechat',
    words: '微信支付直连商户，APIv3。付款人扫收款码，或出示付款码。',
    keys: [
      'appId',
      'mchId',
      'serialNo',
      'apiKey',
      'privateKey',
      'platformSerial',
      'platformKey',
      'notifyBase',
      'apiBase',
    ],
  },
  {
    channel: 'alipay',
    words: '支付宝开放平台，RSA2 公钥模式。付款人扫收款码，或出示付款码。',
    keys: ['appId', 'privateKey', 'platformKey', 'notifyBase', 'apiBase'],
  },
  {
    channel: 'pos',
    words: '收单方的 POS 云服务。支付单发到 POS 机，在机上刷卡。终端在「POS 机」中登记。',
    keys: ['mchId', 'serialNo', 'privateKey', 'platformSerial', 'platformKey', 'apiBase', 'notifyBase'],
  },
] as const

type ChannelForm = (typeof channelForms)[number]

/**
 * 支付设置: which channels the company takes money by, and its accounts there. Keys go in and are never shown.
 */
export default function ChannelsPage() {
  const query = useCall(listChannels, {}, { quiet: true, project: 0 })
  const hasPermission = usePermission()
  const [openForm, setOpenForm] = useState<ChannelForm>()
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={5} />
      </div>
    )
  const stateByChannel = new Map(query.data.map(c => [c.channel, c]))
  const close = (): void => setOpenForm(undefined)
  return (
    <div className="pay-channels">
      {channelForms.map(form => (
        <ChannelCard
          key={form.channel}
          kind={form}
          row={stateByChannel.get(form.channel)}
          onEdit={hasPermission(menu.channel.permissions.edit) ? () => setOpenForm(form) : undefined}
        />
      ))}
      {openForm && (
        <ChannelDialog
          kind={openForm}
          row={stateByChannel.get(openForm.channel)}
          onClose={close}
          onDone={() => {
            close()
            toast.success('已保存')
            void query.refetch()
          }}
        />
      )}
    </div>
  )
}

function ChannelState({ row }: { readonly row: PayChannel }) {
  if (!row.enabled) return <Status tone="off">已停用</Status>
  if (row.simulated) return <Status tone="todo">模拟渠道，不产生真实扣款</Status>
  return <Status tone="done">已启用</Status>
}

function ChannelCard({
  kind,
  row,
  onEdit,
}: {
  readonly kind: ChannelForm
  readonly row: PayChannel | undefined
  readonly onEdit: (() => void) | undefined
}) {
  const state = row ? <ChannelState row={row} /> : <Status tone="open">未设置</Status>
  return (
    <section>
      <h2>
        {labelOf(channel, kind.channel)}
        {state}
        <span />
        {onEdit && <Button onClick={onEdit}>{row ? '修改' : '设置'}</Button>}
      </h2>
      <p>
        {kind.words}
        {row?.enabled ? '' : ' 未启用时收银台没有该渠道的按钮。'}
      </p>
      {row && !row.simulated && (
        <dl>
          {kind.channel !== 'pos' && (
            <div>
              <dt>应用编号</dt>
              <dd>{row.appId ?? '--'}</dd>
            </div>
          )}
          {kind.channel !== 'alipay' && (
            <div>
              <dt>商户号</dt>
              <dd>{row.mchId ?? '--'}</dd>
            </div>
          )}
          <div>
            <dt>商户私钥</dt>
            <dd>{row.hasStoredKey ? '已保存，不显示' : '--'}</dd>
          </div>
          <div>
            <dt>回调地址</dt>
            <dd>
              {row.notifyBase
                ? `${row.notifyBase.replace(/\/+$/, '')}/api/pay/notify/${kind.channel}/…`
                : '--'}
            </dd>
          </div>
        </dl>
      )}
    </section>
  )
}

function ChannelDialog({
  kind,
  row,
  onClose,
  onDone,
}: {
  readonly kind: ChannelForm
  readonly row: PayChannel | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const initial = useMemo(
    () => ({
      ...row,
      channel: kind.channel,
      simulated: row?.simulated ?? false,
      enabled: row?.enabled ?? true,
    }),
    [row, kind],
  )
  return (
    <EditDialog
      shape={saveChannel.input}
      draftKey={draftKeyOf(saveChannel, [row?.id ?? 'new', kind.channel])}
      presentation="drawer"
      title={`设置${labelOf(channel, kind.channel)}`}
      initial={initial}
      groups={[
        { keys: ['enabled', 'simulated'] },
        {
          title: '商户信息',
          keys: kind.keys.map(key => ({ key, wide: key === 'privateKey' || key === 'platformKey' })),
        },
      ]}
      save={v => sendAndInvalidate(saveChannel, { ...v, channel: kind.channel }, { quiet: true })}
      onClose={onClose}
      onDone={onDone}
    />
  )
}
