import { useState } from 'react'
import { text, type Tone } from '#kit/contract/field.ts'
import { listOfRows } from '#kit/contract/shape.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import type { Action } from '#kit/web/action.tsx'
import { Status } from '#kit/web/status.tsx'
import { commandRules } from '../contract/remote-command.ts'
import { sendCommand } from './command-confirm.ts'
import { commandRefusal, type RemoteGateway } from './gateway-access.ts'
import { readServices } from './listing-rows.ts'
import { ListingTool } from './listing-tool.tsx'
import { useListing } from './use-listing.ts'

const serviceStates: Readonly<Record<string, readonly [tone: Tone, text: string]>> = {
  running: ['done', '运行中'],
  stopped: ['off', '已停止'],
  failed: ['bad', '失败'],
  other: ['open', '其他'],
}

const stateOf = (state: string): readonly [tone: Tone, text: string] =>
  serviceStates[state] ?? ['open', '其他']

const serviceRows = listOfRows({
  name: text('服务', { required: true }),
  title: text('说明', { required: true }),
  state: text('状态', { required: true }),
})

const columns = buildColumns(serviceRows, [
  { key: 'name', identity: true, width: 220, grow: 1, sortKey: 'name' },
  { key: 'title', width: 240, grow: 2, sortKey: 'title', hidePriority: 4 },
  {
    key: 'state',
    width: 110,
    sortKey: 'state',
    text: row => stateOf(row.state)[1],
    render: row => <Status tone={stateOf(row.state)[0]}>{stateOf(row.state)[1]}</Status>,
  },
])

type ServiceText = Readonly<Record<'name' | 'title' | 'state', string>>

const compareServices = (a: ServiceText, b: ServiceText, key: string): number =>
  key === 'title' || key === 'state' ? a[key].localeCompare(b[key]) : a.name.localeCompare(b.name)

type ServiceCommand = 'startService' | 'stopService' | 'restartService'

/** The services of a site's computer: started, stopped, started again. */
export function ServiceTool({ gateway }: { readonly gateway: RemoteGateway }) {
  const listing = useListing<ServiceText>(gateway, 'listServices', readServices)
  const [taskNo, setTaskNo] = useState<string>()
  const actionOf = (row: ServiceText, command: ServiceCommand, label: string): Action => ({
    label,
    needs: commandRules[command].needs,
    danger: command === 'stopService',
    disabledReason: commandRefusal(gateway, command),
    run: async () => {
      const sent = await sendCommand({ gateway, command, data: row.name }, `服务「${row.title || row.name}」`)
      if (sent) {
        setTaskNo(sent)
      }
    },
  })
  return (
    <ListingTool
      label="服务"
      listing={listing}
      columns={columns}
      keyOf={row => row.name}
      searched={row => `${row.name} ${row.title}`}
      compare={compareServices}
      initialOrder={{ key: 'name', descending: false }}
      lastTaskNo={taskNo}
      actions={row => [
        row.state !== 'running' && actionOf(row, 'startService', '启动服务'),
        row.state === 'running' && actionOf(row, 'restartService', '重启服务'),
        row.state === 'running' && actionOf(row, 'stopService', '停止服务'),
      ]}
    />
  )
}
