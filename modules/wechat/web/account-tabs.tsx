import { useState } from 'react'
import { Modal } from 'antd'
import type { Id } from '#kit/domain/id.ts'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { CrudExtras } from '#kit/web/crud/crud-spec.ts'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { QrCode } from '#kit/web/qr-code.tsx'
import { send } from '#kit/web/send.ts'
import type { WechatAccount } from '../contract/account.ts'
import {
  bindEstates,
  getEstateQr,
  unbindEstates,
  wechatEstates,
  type WechatEstate,
} from '../contract/estate-binding.ts'
import { wechatFollowers } from '../contract/follower.ts'
import { cancelMass, sendMass, wechatMasses, type WechatMass } from '../contract/mass.ts'
import { sendTrialTemplate, wechatTemplates, type WechatTemplate } from '../contract/template.ts'
import { menu } from '../module.ts'
import { MassCount } from './mass-count.tsx'

interface OfAccount {
  readonly account: WechatAccount
}

const embedded = ({ id }: WechatAccount, settingsKey: string, barFilters: readonly string[] = []) => ({
  embedded: true,
  pageSize: 15,
  barFilters,
  settingsKey: `wechat/${settingsKey}`,
  fixedFilter: { accountId: [String(id)] },
})

const BindForm = actionDialog({
  call: bindEstates,
  title: (account: WechatAccount) => `绑定项目到「${account.mpName}」`,
  submitLabel: '绑定',
  keys: [{ key: 'projectCodes', wide: true }],
  target: ({ id }) => ({ accountId: id }),
  doneText: ({ mpName }) => `已绑定到「${mpName}」`,
})

interface ShownQr {
  readonly url: string
  readonly projectName?: string
}

const QrDialog = ({ qr, onClose }: { readonly qr: ShownQr; readonly onClose: () => void }) => (
  <Modal open title={`「${qr.projectName ?? ''}」关注二维码`} width={360} footer={null} onCancel={onClose}>
    <div style={{ display: 'grid', justifyItems: 'center', gap: 12 }}>
      <QrCode value={qr.url} size={260} />
      <p>微信扫码关注公众号，系统记录来自该项目</p>
    </div>
  </Modal>
)

const unbind = (row: WechatEstate): Promise<boolean> =>
  confirmAndSend(unbindEstates, {
    actionLabel: '解除绑定',
    unit: '个项目',
    title: `解除「${row.projectName ?? row.projectCode}」的绑定`,
    consequences: ['该项目的住户不再从该公众号收到通知；关注者不变'],
    reason: { presets: ['更换公众号', '绑定有误'] },
    input: { ids: [String(row.id)] },
    doneText: '已解除绑定',
  })

function useQr(): CrudExtras<WechatEstate, unknown> {
  const [qr, setQr] = useState<ShownQr>()
  return {
    actions: row => [
      { label: '二维码', run: async () => setQr(await send(getEstateQr, { id: row.id })) },
      { label: '解除绑定', needs: menu.account.permissions.bind, danger: true, run: () => unbind(row) },
    ],
    dialogs: qr && <QrDialog qr={qr} onClose={() => setQr(undefined)} />,
  }
}

const { model: bindingModel } = crudPages(wechatEstates, {
  unit: '个项目',
  nameOf: row => row.projectName ?? row.projectCode,
  columns: [
    { key: 'projectName', identity: true, grow: 2 },
    { key: 'projectCode', width: 140 },
    { key: 'bindTime', width: 150 },
  ],
  useExtras: useQr,
  drawer: false,
})

/** 绑定项目: the estates whose residents follow the account. */
export function Bindings({ account }: OfAccount) {
  const [isBinding, setBinding] = useState(false)
  return (
    <>
      <CrudList
        model={bindingModel}
        list={{
          ...embedded(account, 'bindings'),
          primaryAction: account.mpType !== 'mini' && {
            label: '绑定项目',
            needs: menu.account.permissions.bind,
            run: () => setBinding(true),
          },
        }}
      />
      {isBinding && <BindForm record={account} onClose={() => setBinding(false)} />}
    </>
  )
}

const TrialForm = actionDialog({
  call: sendTrialTemplate,
  title: (template: WechatTemplate) => `试发「${template.templateTitle}」`,
  submitLabel: '试发',
  keys: [{ key: 'followerId', wide: true }],
  target: ({ id }) => ({ id }),
  context: ({ accountId }) => ({ accountId }),
  doneText: () => '已发送，请在微信中查看',
})

const TrialDialog = ({
  of: [template],
  onClose,
}: {
  readonly of: readonly WechatTemplate[]
  readonly onClose: () => void
}) => template && <TrialForm record={template} onClose={onClose} />

const { model: templateModel } = crudPages(wechatTemplates, {
  unit: '个模板',
  deletion: { consequences: ['该事项不再用微信通知'], reasons: ['不再使用', '录入有误'] },
  columns: [
    { key: 'event', width: 110 },
    { key: 'templateTitle', identity: true, grow: 2 },
    { key: 'templateId', grow: 2, hidePriority: 1 },
    'state',
  ],
  form: {
    presentation: 'drawer',
    groups: [
      { keys: ['event', 'state', 'templateTitle', 'templateId'] },
      { title: '模板内容', keys: [{ key: 'fieldValues', wide: true }] },
    ],
  },
  actions: [{ label: '试发', needs: menu.mass.permissions.send, dialog: TrialDialog }],
})

/** 模板消息: which template carries the message of which event. */
export const Templates = ({ account }: OfAccount) => (
  <CrudList
    model={templateModel}
    initial={{ accountId: account.id }}
    list={embedded(account, 'templates', ['event', 'state'])}
  />
)

const { model: followerModel } = crudPages(wechatFollowers, {
  unit: '位关注者',
  columns: [
    { key: 'openId', identity: true, grow: 2 },
    { key: 'residentName', width: 100 },
    { key: 'estateName', width: 140, grow: 1 },
    { key: 'isFollowing', width: 80 },
    { key: 'followTime', width: 150 },
    { key: 'leaveTime', width: 150, hidePriority: 1 },
  ],
  drawer: false,
})

export const Followers = ({ account }: OfAccount) => (
  <CrudList model={followerModel} list={embedded(account, 'followers', ['isFollowing', 'estateCode'])} />
)

const isText = ({ messageType }: Partial<WechatMass>): boolean => (messageType ?? 'text') === 'text'

const SendForm = actionDialog({
  call: sendMass,
  title: (account: WechatAccount) => `群发「${account.mpName}」`,
  submitLabel: '群发',
  danger: true,
  keys: [
    { key: 'title', wide: true },
    { key: 'messageType', wide: true },
    { key: 'content', wide: true, isHidden: (values: Partial<WechatMass>) => !isText(values) },
    { key: 'materialId', wide: true, isHidden: isText },
    { key: 'estateCodes', wide: true },
  ],
  target: ({ id }) => ({ accountId: id }),
  initial: () => ({ messageType: 'text' as const }),
  below: ({ estateCodes }, account) => <MassCount accountId={account.id} estateCodes={estateCodes ?? []} />,
  doneText: (_, { receiverCount }) => `已提交群发，共 ${receiverCount} 人`,
})

const cancel = ({ id, title }: { readonly id: Id; readonly title: string }): Promise<boolean> =>
  confirmAndSend(cancelMass, {
    actionLabel: '取消群发',
    unit: '次群发',
    title: `取消「${title}」`,
    consequences: ['已提交给微信的消息不能收回'],
    reason: { presets: ['内容有误', '不再需要'] },
    input: { id },
    doneText: '已取消群发',
  })

const { model: massModel } = crudPages(wechatMasses, {
  unit: '次群发',
  columns: [
    { key: 'title', identity: true, grow: 2 },
    { key: 'messageType', width: 80 },
    { key: 'receiverCount', width: 88 },
    { key: 'sentCount', width: 80 },
    { key: 'failCount', width: 80 },
    { key: 'reportedCount', width: 100, hidePriority: 2 },
    { key: 'sendTime', width: 150, hidePriority: 1 },
    'state',
  ],
  detail: [
    {
      keys: [
        'messageType',
        { key: 'content', wide: true },
        'materialTitle',
        'receiverCount',
        'sentCount',
        'failCount',
        'reportedCount',
        { key: 'fault', wide: true },
        'sendTime',
      ],
    },
  ],
  actions: [
    {
      label: '取消',
      needs: menu.mass.permissions.send,
      danger: true,
      isOffered: row => row.state === 'waiting' || row.state === 'sending',
      run: cancel,
    },
  ],
})

/** 群发: messages to all who follow the account, within its quota. */
export function Masses({ account }: OfAccount) {
  const [isSending, setSending] = useState(false)
  return (
    <>
      <CrudList
        model={massModel}
        list={{
          ...embedded(account, 'masses', ['state']),
          primaryAction: account.mpType !== 'mini' && {
            label: '群发',
            needs: menu.mass.permissions.send,
            run: () => setSending(true),
          },
        }}
      />
      {isSending && <SendForm record={account} onClose={() => setSending(false)} />}
    </>
  )
}
