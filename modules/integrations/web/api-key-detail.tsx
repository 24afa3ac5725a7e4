import type { Id } from '#kit/domain/id.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { PermissionGrid } from '#modules/accounts/web/public.ts'
import { apiKey, getApiKey, listApiKeyCalls, listKeyPermissions, type ApiKey } from '../contract/api-key.ts'
import { editAction, revokeAction } from './api-key-actions.tsx'
import { apiKeyGroups, KeyStatus } from './api-key-columns.tsx'
import './integrations.css'

const codeText = ({ code }: { readonly code: number }): string =>
  code === resultCode.ok ? '成功' : String(code)

const callColumns = buildColumns(listApiKeyCalls.output, [
  { key: 'createTime', title: '时间' },
  { key: 'title', identity: true, width: 150, grow: 1 },
  { key: 'call', width: 240, grow: 1, hidePriority: 3 },
  { key: 'code', width: 96, text: codeText, render: codeText },
  { key: 'tookMs', hidePriority: 2 },
  { key: 'ip', width: 130, hidePriority: 3 },
  { key: 'requestId', width: 140, hidePriority: 1, wideOnly: true },
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'failed', name: '失败', filter: { onlyFailed: true } },
]

const KeyCalls = ({ keyId }: { readonly keyId: Id }) => (
  <ListPage
    embedded
    pageSize={20}
    list={listApiKeyCalls}
    itemName="调用记录"
    columns={callColumns}
    fixedFilter={{ keyId: [String(keyId)] }}
    filters={['createTimeFrom', 'createTimeTo', 'code']}
    barFilters={['createTimeFrom', 'createTimeTo']}
    views={views}
    keywordPlaceholder="操作、接口、来源地址、请求编号"
    settingsKey="integrations/key-calls"
    isDimmed={row => row.code !== resultCode.ok}
  />
)

function KeyPermissions({ row }: { readonly row: ApiKey }) {
  const tree = useCall(listKeyPermissions, undefined, { quiet: true, project: 0 })
  return (
    <Loaded query={tree} height={320} rows={6}>
      {nodes => (
        <div className="key-permissions">
          <PermissionGrid tree={nodes} value={new Set(row.permissions)} />
        </div>
      )}
    </Loaded>
  )
}

/** 接口密钥详情: what a key may do, and what it did. */
export default function ApiKeyDetailPage() {
  return (
    <DetailPage
      loadCall={getApiKey}
      title={row => row.name}
      status={row => <KeyStatus apiKey={row} />}
      groups={apiKeyGroups}
      historyEntity={apiKey.name}
      actions={row => [editAction(row), revokeAction(row)]}
      tabs={[
        { key: 'calls', label: '调用记录', body: row => <KeyCalls keyId={row.id} /> },
        { key: 'permissions', label: '权限', body: row => <KeyPermissions row={row} /> },
      ]}
    />
  )
}
