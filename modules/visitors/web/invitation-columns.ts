import { buildColumns } from '#kit/web/columns.tsx'
import { invitations, listRequests } from '../contract/invitations.ts'
import { periodText } from './period-text.ts'

const visitColumns = [
  { key: 'visitorName', identity: true, grow: 1 },
  { key: 'mobile', hidePriority: 2 },
  'visitorKind',
  { key: 'personCount', hidePriority: 3 },
  { key: 'hostName', grow: 1 },
  { key: 'roomPath', grow: 1, hidePriority: 1 },
  { key: 'companyName', hidePriority: 4, wideOnly: true },
  { key: 'beginTime', title: '来访时间', width: 190, text: periodText, render: periodText },
  { key: 'plateNo', hidePriority: 4, wideOnly: true },
  { key: 'invitationNo', hidePriority: 4, wideOnly: true },
] as const

export const invitationColumns = buildColumns(invitations.list.output, [...visitColumns, 'state'])

/** Of those that wait: for whom. */
export const requestColumns = buildColumns(listRequests.output, [...visitColumns, 'stage'])
