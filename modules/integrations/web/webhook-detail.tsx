import { useState } from 'react'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { getWebhook, webhookEndpoint } from '../contract/webhook.ts'
import { DeliveryList } from './delivery-list.tsx'
import {
  deleteWebhook,
  rotateAction,
  sendNowAction,
  stateAction,
  testAction,
  type NewSecret,
} from './webhook-actions.tsx'
import { webhookGroups, WebhookStatus } from './webhook-columns.tsx'
import { WebhookSecretDialog } from './webhook-list.tsx'

/** 推送地址详情: an endpoint and its deliveries. */
export default function WebhookDetailPage() {
  const [secret, setSecret] = useState<NewSecret>()
  return (
    <>
      <DetailPage
        loadCall={getWebhook}
        title={row => row.name}
        status={row => <WebhookStatus webhook={row} />}
        groups={webhookGroups}
        historyEntity={webhookEndpoint.name}
        actions={row => [
          sendNowAction(row),
          testAction(row),
          stateAction(row),
          rotateAction(row, setSecret),
          deleteWebhook.row(row),
        ]}
        tabs={[{ key: 'deliveries', label: '推送记录', body: row => <DeliveryList endpointId={row.id} /> }]}
      />
      {secret && <WebhookSecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}
