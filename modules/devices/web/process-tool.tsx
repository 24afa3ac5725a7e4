import { useState } from 'react'
import { int, text } from '#kit/contract/field.ts'
import { listOfRows } from '#kit/contract/shape.ts'
import { formatFileSize } from '#kit/contract/text.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import type { ProcessRow } from '../contract/agent-protocol.ts'
import { commandRules } from '../contract/remote-command.ts'
import { sendCommand } from './command-confirm.ts'
import { commandRefusal, type RemoteGateway } from './gateway-access.ts'
import { readProcesses, siteTimeText } from './listing-rows.ts'
import { ListingTool } from './listing-tool.tsx'
import { useListing } from './use-listing.ts'

const processRows = listOfRows({
  name: text('进程', { required: true }),
  pid: int('进程号', { required: true }),
  user: text('用户', { required: true }),
  cpuPercent: int('CPU', { required: true, unit: '%' }),
  memoryBytes: int('内存', { required: true }),
  startedAt: text('启动时间', { required: true }),
})

const cpuText = (row: ProcessRow): string => row.cpuPercent.toFixed(1)
const memoryText = (row: ProcessRow): string => formatFileSize(row.memoryBytes)
const startText = (row: ProcessRow): string => siteTimeText(row.startedAt)
const pidText = (row: ProcessRow): string => String(row.pid)

const columns = buildColumns(processRows, [
  { key: 'name', identity: true, width: 200, grow: 2, sortKey: 'name' },
  { key: 'pid', width: 88, text: pidText, render: pidText, sortKey: 'pid' },
  { key: 'cpuPercent', width: 88, text: cpuText, render: cpuText, sortKey: 'cpuPercent' },
  { key: 'memoryBytes', width: 120, text: memoryText, render: memoryText, sortKey: 'memoryBytes' },
  { key: 'user', width: 110, sortKey: 'user', hidePriority: 3 },
  { key: 'startedAt', width: 170, text: startText, render: startText, sortKey: 'startedAt', hidePriority: 4 },
])

const compareProcesses = (a: ProcessRow, b: ProcessRow, key: string): number => {
  if (key === 'pid') return a.pid - b.pid
  if (key === 'cpuPercent') return a.cpuPercent - b.cpuPercent
  if (key === 'memoryBytes') return a.memoryBytes - b.memoryBytes
  if (key === 'user') return a.user.localeCompare(b.user)
  return key === 'startedAt' ? a.startedAt.localeCompare(b.startedAt) : a.name.localeCompare(b.name)
}

/** What runs on a site's computer, and how to end it. */
export function ProcessTool({ gateway }: { readonly gateway: RemoteGateway }) {
  const listing = useListing(gateway, 'listProcesses', readProcesses)
  const [taskNo, setTaskNo] = useState<string>()
  const kill = async (row: ProcessRow): Promise<void> => {
    const data = JSON.stringify({ pid: row.pid, startedAt: row.startedAt || undefined })
    const sent = await sendCommand(
      { gateway, command: 'killProcess', data },
      `进程「${row.name}」，进程号 ${row.pid}`,
    )
    if (sent) {
      setTaskNo(sent)
    }
  }
  return (
    <ListingTool
      label="进程"
      listing={listing}
      columns={columns}
      keyOf={row => row.pid}
      searched={row => `${row.name} ${row.pid} ${row.user}`}
      compare={compareProcesses}
      initialOrder={{ key: 'memoryBytes', descending: true }}
      lastTaskNo={taskNo}
      actions={row => [
        {
          label: '结束进程',
          needs: commandRules.killProcess.needs,
          danger: true,
          disabledReason: commandRefusal(gateway, 'killProcess'),
          run: () => kill(row),
        },
      ]}
    />
  )
}
