import { buildColumns } from '#kit/web/columns.tsx'
import { processInstances } from '../contract/instance.ts'
import { InstanceStatus, stateTextOf } from './instance-status.tsx'

const columnsWith = (isOpen: boolean) =>
  buildColumns(processInstances.list.output, [
    { key: 'title', identity: true, width: 240, grow: 3 },
    'bizType',
    'amount',
    { key: 'instanceNo', wideOnly: true, hidePriority: 2 },
    'applicantName',
    { key: 'departmentName', hidePriority: 2 },
    ...(isOpen ? [{ key: 'currentNode' as const, hidePriority: 1 }] : []),
    'applyTime',
    { key: 'finishTime', hidePriority: 1 },
    { key: 'state', render: row => <InstanceStatus instance={row} />, text: stateTextOf },
  ])

export const instanceColumns = columnsWith(true)

/** A finished request has no current node. */
export const endedInstanceColumns = columnsWith(false)
