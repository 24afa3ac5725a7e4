import { buildColumns } from '#kit/web/columns.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { requestState } from '../contract/choices.ts'
import './personal-data.css'
import { listErasures, type ErasureRequest } from '../contract/erasure.ts'

export const RequestStatus = ({ request }: { readonly request: ErasureRequest }) => (
  <ChoiceStatus choices={requestState} value={request.state} />
)

export const erasureColumns = buildColumns(listErasures.output, [
  { key: 'personName', identity: true, width: 140, grow: 1 },
  { key: 'kindLabel', width: 110 },
  { key: 'personMobile', width: 136, hidePriority: 3 },
  'applicant',
  { key: 'reason', width: 220, grow: 2, hidePriority: 2 },
  {
    key: 'dueDate',
    width: 140,
    render: row => (row.isOverdue ? <span className="privacy-late">{row.dueDate} 逾期</span> : row.dueDate),
  },
  'state',
  { key: 'endTime', hidePriority: 4 },
  { key: 'endName', hidePriority: 1 },
])

export const erasureGroups = [
  {
    title: '请求',
    keys: [
      'kindLabel',
      'personMobile',
      'applicant',
      'applicantName',
      'dueDate',
      'createTime',
      { key: 'reason', wide: true },
      { key: 'evidence', wide: true },
    ] as const,
  },
  {
    title: '办理',
    keys: [
      'mentionsTime',
      'approveName',
      'approveTime',
      'endName',
      'endTime',
      { key: 'endReason', wide: true },
    ] as const,
  },
]
