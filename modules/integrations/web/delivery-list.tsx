import { useState } from 'react'
import { keyOf, labelOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Action } from '#kit/web/action.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { EditDialog } from '#kit/web/form/use-edit.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  deliveryState,
  getDelivery,
  listDeliveries,
  replayDeliveries,
  skipDelivery,
  testEventType,
  webhookEvent,
  type WebhookDelivery,
} from '../contract/webhook.ts'
import { menu } from '../module.ts'
import { DeliveryContent } from './delivery-content.tsx'

const { permissions } = menu.webhook

const eventLabel = ({ type }: WebhookDelivery): string => {
  if (type === testEventType) return '测试'
  const event = keyOf(webhookEvent, type)
  return event ? labelOf(webhookEvent, event) : type
}

/** A number by which a record is found, and no quantity. */
const subjectText = ({ subjectId }: WebhookDelivery): string => (subjectId ? String(subjectId) : '')

const columns = buildColumns(listDeliveries.output, [
  'eventTime',
  { key: 'type', identity: true, width: 140, grow: 1, text: eventLabel, render: eventLabel },
  { key: 'subjectId', hidePriority: 3, text: subjectText, render: subjectText },
  'state',
  { key: 'attempts', width: 72, hidePriority: 4 },
  { key: 'statusCode', width: 96, hidePriority: 4 },
  { key: 'tookMs', hidePriority: 2 },
  { key: 'nextTime', hidePriority: 3 },
  { key: 'reason', width: 200, grow: 1, hidePriority: 3 },
])

const groups = [
  {
    title: '推送',
    keys: [
      { key: 'type', render: (row: WebhookDelivery) => `${eventLabel(row)}（${row.type}）` },
      { key: 'subjectId', render: subjectText },
      'eventTime',
      'attempts',
      'lastTime',
      'nextTime',
      'statusCode',
      {
        key: 'tookMs',
        render: (row: WebhookDelivery) =>
          row.tookMs === undefined ? undefined : `${formatCount(row.tookMs)} 毫秒`,
      },
      { key: 'webhookId', wide: true },
      'reason',
    ] as const,
  },
]

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'pending', name: '待推送', filter: { state: ['pending'] } },
  { id: 'failed', name: '失败', filter: { state: ['failed'] } },
]

const replayIds = async (ids: readonly string[]): Promise<void> => {
  const { count } = await sendAndInvalidate(replayDeliveries, { ids })
  toast.success(count ? `${formatCount(count)} 条将立即推送` : '没有可推送的记录')
}

const replaySelected: BatchAction<WebhookDelivery> = {
  label: '重新推送',
  needs: permissions.replay,
  run: ({ ids }) => replayIds(ids.map(String)),
}

const skipAction = ({ id }: WebhookDelivery): Action => ({
  label: '跳过',
  needs: permissions.replay,
  run: async () => {
    await sendAndToast(skipDelivery, { id }, '已跳过，后面的继续推送')
  },
})

const rowActions = (row: WebhookDelivery): Action[] => {
  const isWaiting = row.state === 'pending'
  const send = {
    label: isWaiting ? '立即推送' : '重新推送',
    needs: permissions.replay,
    run: () => replayIds([String(row.id)]),
  }
  return isWaiting ? [send, skipAction(row)] : [send]
}

/** 推送记录 of one endpoint: what was sent, what came back, and what still waits. */
export function DeliveryList({ endpointId }: { readonly endpointId: Id }) {
  const [isReplaying, setReplaying] = useState(false)
  return (
    <>
      <ListPage
        embedded
        pageSize={20}
        list={listDeliveries}
        itemName="推送记录"
        columns={columns}
        fixedFilter={{ endpointId: [String(endpointId)] }}
        filters={['state', 'eventTime', 'type', 'subjectId']}
        barFilters={['eventTime']}
        views={views}
        keywordPlaceholder="事件"
        settingsKey="integrations/deliveries"
        toolbarActions={[
          { label: '按时间重新推送', needs: permissions.replay, run: () => setReplaying(true) },
        ]}
        rowActions={rowActions}
        batchActions={[replaySelected]}
        isDimmed={row => row.state === 'skipped'}
        drawer={{
          title: eventLabel,
          width: 880,
          status: row => <ChoiceStatus choices={deliveryState} value={row.state} />,
          groups,
          loadCall: getDelivery,
          afterGroups: row => <DeliveryContent delivery={row} />,
          actions: rowActions,
        }}
      />
      {isReplaying && <ReplayDialog endpointId={endpointId} onClose={() => setReplaying(false)} />}
    </>
  )
}

const ReplayDialog = ({ endpointId, onClose }: { readonly endpointId: Id; readonly onClose: () => void }) => (
  <EditDialog
    shape={replayDeliveries.input}
    draftKey={undefined}
    title="按时间重新推送"
    submitLabel="重新推送"
    groups={[{ keys: ['timeFrom', 'timeTo', 'onlyFailed'] }]}
    initial={{ onlyFailed: true }}
    save={values => sendAndInvalidate(replayDeliveries, { ...values, endpointId }, { quiet: true })}
    onClose={onClose}
    onDone={({ count }) => {
      toast.success(count ? `${formatCount(count)} 条将重新推送` : '这段时间没有可重新推送的记录')
      onClose()
    }}
  />
)
