import { buildColumns } from '#kit/web/columns.tsx'
import { processInstances } from '../contract/instance.ts'

export const instanceColumns = buildColumns(processInstances.list.output, [
  { key: 'title', identity: true, grow: 2 },
  'bizType',
  { key: 'instanceNo', wideOnly: true, hidePriority: 2 },
  'applicantName',
  { key: 'departmentName', hidePriority: 2 },
  { key: 'currentNode', hidePriority: 1 },
  'applyTime',
  { key: 'finishTime', hidePriority: 1 },
  'state',
])
