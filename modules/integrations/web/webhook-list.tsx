import { useState } from 'react'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import {
  addWebhook,
  editWebhook,
  getWebhook,
  listWebhooks,
  webhookEndpoint,
  type WebhookEndpoint,
} from '../contract/webhook.ts'
import { SecretDialog } from '#kit/web/secret-dialog.tsx'
import {
  deleteWebhook,
  openWebhook,
  rotateAction,
  sendNowAction,
  stateAction,
  testAction,
  type NewSecret,
} from './webhook-actions.tsx'
import { webhookColumns, webhookFormGroups, webhookGroups, WebhookStatus } from './webhook-columns.tsx'

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'on', name: '启用', filter: { state: ['on'] } },
  { id: 'off', name: '已停用', filter: { state: ['off', 'failed'] } },
]

/** 事件推送: the addresses that are notified of events, and whether they answer. */
export default function WebhookListPage() {
  const [secret, setSecret] = useState<NewSecret>()
  const form = useEdit({
    itemName: '推送地址',
    add: addWebhook,
    edit: editWebhook,
    load: getWebhook,
    isRowComplete: true,
    nameOf: (row: WebhookEndpoint) => row.name,
    groups: webhookFormGroups,
    presentation: 'dialog',
    onSaved: (saved: WebhookEndpoint & { readonly secret?: string }) => {
      if (saved.secret !== undefined) {
        setSecret({ name: saved.name, secret: saved.secret })
      }
    },
  })
  const rowActions = (row: WebhookEndpoint) => [
    { label: '详情', run: () => openWebhook(row) },
    form.editAction(row),
    sendNowAction(row),
    testAction(row),
    stateAction(row),
    rotateAction(row, setSecret),
    deleteWebhook.row(row),
  ]
  return (
    <>
      <ListPage
        list={listWebhooks}
        itemName="推送地址"
        columns={webhookColumns}
        filters={['state']}
        barFilters={[]}
        views={views}
        keywordPlaceholder="名称、地址"
        primaryAction={form.addAction}
        rowActions={rowActions}
        isDimmed={row => row.state === 'off'}
        drawer={{
          title: row => row.name,
          status: row => <WebhookStatus webhook={row} />,
          groups: webhookGroups,
          historyEntity: webhookEndpoint.name,
          actions: rowActions,
          openAsPage: openWebhook,
        }}
      />
      {form.dialog}
      {secret && <WebhookSecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

export const WebhookSecretDialog = ({
  secret: { name, secret, until },
  onClose,
}: {
  readonly secret: NewSecret
  readonly onClose: () => void
}) => (
  <SecretDialog
    title={until === undefined ? `「${name}」的签名密钥` : `「${name}」的新签名密钥（原密钥有效至 ${until}）`}
    label="签名密钥"
    secret={secret}
    onClose={onClose}
  />
)
