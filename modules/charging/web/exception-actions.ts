import { processHubException, type HubException } from '../contract/exception.ts'

const isOpen = ({ state }: HubException): boolean => state === 'open'

const note = { key: 'handleNote', wide: true } as const
const handling = { label: '处理', call: processHubException, doneText: '已处理：' } as const

/** 处理 of an anomaly: where it has an order, that is settled as well on request. */
export const exceptionActions = [
  {
    ...handling,
    keys: [note, { key: 'settlesOrder', wide: true }],
    isOffered: (row: HubException) => isOpen(row) && row.orderNo !== undefined,
  },
  {
    ...handling,
    keys: [note],
    isOffered: (row: HubException) => isOpen(row) && row.orderNo === undefined,
  },
] as const
