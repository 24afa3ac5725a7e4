import { labelOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { listWebhooks, webhookEvent, webhookState, type WebhookEndpoint } from '../contract/webhook.ts'
import { projectFields, projectsText } from './projects-control.tsx'

export const WebhookStatus = ({ webhook }: { readonly webhook: WebhookEndpoint }) => (
  <ChoiceStatus choices={webhookState} value={webhook.state} />
)

const eventsText = ({ eventTypes }: WebhookEndpoint): string =>
  eventTypes.map(event => labelOf(webhookEvent, event)).join('、')

export const webhookColumns = buildColumns(listWebhooks.output, [
  { key: 'name', identity: true, width: 140, grow: 1 },
  { key: 'url', width: 260, grow: 2, hidePriority: 3 },
  'state',
  { key: 'pendingCount', hidePriority: 4 },
  { key: 'lastSuccessTime', hidePriority: 4 },
  { key: 'lastFailureTime', hidePriority: 2 },
  { key: 'creatorName', width: 110, hidePriority: 1 },
])

export const webhookGroups = [
  {
    title: '推送地址',
    keys: [
      'url',
      { key: 'eventTypes', render: eventsText },
      { key: 'allProject', label: '数据范围', render: projectsText },
      'creatorName',
      'createTime',
    ] as const,
  },
  {
    title: '推送',
    keys: [
      'pendingCount',
      'failingSince',
      'failureReason',
      'nextTime',
      'lastSuccessTime',
      'lastFailureTime',
      'stopReason',
    ] as const,
  },
]

export const webhookFormGroups = [
  { keys: ['name', 'url', 'eventTypes'] },
  { title: '数据范围', keys: projectFields },
]
