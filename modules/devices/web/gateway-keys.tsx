import { useRef } from 'react'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { useElementWidth } from '#kit/web/list/use-size.ts'
import { useCall } from '#kit/web/query.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { listGatewayKeys } from '../contract/device-security.ts'
import { gatewayKeyDetail } from './gateway-key-detail.ts'
import { SecurityTable } from './security-table.tsx'

const keyColumns = buildColumns(listGatewayKeys.output, [
  { key: 'name', title: '网关', identity: true, width: 160, grow: 1 },
  { key: 'gateNo', hidePriority: 4 },
  'state',
  { key: 'keyId', width: 220, grow: 2, hidePriority: 3 },
  'pairTime',
  { key: 'pairIp', hidePriority: 3 },
  { key: 'codeExpireTime', hidePriority: 4 },
  { key: 'revokeTime', hidePriority: 3 },
  { key: 'revokeReason', width: 140, grow: 1, hidePriority: 2 },
]).map(withoutSorting)

type GatewayKey = NonNullable<typeof listGatewayKeys.output.T>[number]

/** Narrower, what the other columns say is under the name. */
const twoColumnsWidth = 480

const narrowColumns = buildColumns(listGatewayKeys.output, [
  {
    key: 'name',
    title: '网关',
    identity: true,
    width: 160,
    grow: 1,
    render: (row: GatewayKey) => (
      <span className="security-key">
        <span className="ellipsis">{row.name}</span>
        <small className="ellipsis">{gatewayKeyDetail(row)}</small>
      </span>
    ),
  },
  'state',
]).map(withoutSorting)

/** The keys of the sites, and those that were revoked. */
export function GatewayKeys() {
  const project = useProject()
  const query = useCall(listGatewayKeys, project ? { projectCode: project } : {})
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useElementWidth(box) < twoColumnsWidth
  return (
    <div ref={box}>
      <SecurityTable
        query={query}
        columns={isNarrow ? narrowColumns : keyColumns}
        keyOf={row => row.id}
        label="网关密钥"
        isDimmed={row => row.state === 'revoked'}
        emptyText="暂无网关"
      />
    </div>
  )
}
