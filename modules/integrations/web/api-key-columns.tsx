import { labelOf } from '#kit/contract/field.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { Status } from '#kit/web/status.tsx'
import { apiKeyState, listApiKeys, type ApiKey } from '../contract/api-key.ts'
import { projectsText } from './projects-control.tsx'

const isExpired = ({ state, expireDate }: ApiKey): boolean =>
  state === 'valid' && expireDate !== undefined && expireDate < dayOfInstant(Date.now())

const stateText = (row: ApiKey): string => (isExpired(row) ? '已过期' : labelOf(apiKeyState, row.state))

export function KeyStatus({ apiKey }: { readonly apiKey: ApiKey }) {
  const tone = isExpired(apiKey) ? 'hold' : apiKey.state === 'valid' ? 'done' : 'off'
  return <Status tone={tone}>{stateText(apiKey)}</Status>
}

const startText = ({ visibleStart }: ApiKey): string => (visibleStart ? `${visibleStart}…` : '')

export const apiKeyColumns = buildColumns(listApiKeys.output, [
  { key: 'name', identity: true, width: 160, grow: 1 },
  { key: 'visibleStart', width: 140, text: startText, hidePriority: 3 },
  { key: 'state', width: 96, text: stateText, render: row => <KeyStatus apiKey={row} /> },
  { key: 'expireDate', hidePriority: 4 },
  { key: 'creatorName', width: 110, hidePriority: 2 },
  { key: 'callCount', hidePriority: 4 },
  { key: 'lastTime', hidePriority: 4 },
  { key: 'lastIp', width: 130, hidePriority: 1 },
])

export const apiKeyGroups = [
  {
    title: '密钥',
    keys: [
      { key: 'visibleStart', render: startText },
      'expireDate',
      { key: 'perMinute', render: (row: ApiKey) => `${formatCount(row.perMinute)} 次` },
      'creatorName',
      'createTime',
      'revokeTime',
      'revokeReason',
    ] as const,
  },
  {
    title: '权限',
    keys: [
      { key: 'permissions', label: '权限', render: (row: ApiKey) => `${row.permissions.length} 项` },
      { key: 'allProject', label: '数据范围', render: projectsText },
      'showPrivacy',
    ] as const,
  },
  { title: '使用', keys: ['callCount', 'lastTime', 'lastIp'] as const },
]
