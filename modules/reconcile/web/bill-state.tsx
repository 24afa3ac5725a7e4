import { labelOf } from '#kit/contract/field.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import type { ChannelBill } from '../contract/channel-bill.ts'
import { channelBillState } from '../contract/choices.ts'

type BillOfDay = Pick<ChannelBill, 'state' | 'diffCount'>

/** There were differences, and all are dealt with: not the same as two sides that agreed. */
const isSettled = ({ state, diffCount }: BillOfDay): boolean => state === 'same' && diffCount > 0

export const billStateLabel = (bill: BillOfDay): string =>
  isSettled(bill) ? '差异已处理' : labelOf(channelBillState, bill.state)

export const BillState = ({ bill }: { readonly bill: BillOfDay }) =>
  isSettled(bill) ? (
    <Status tone="done">差异已处理</Status>
  ) : (
    <ChoiceStatus choices={channelBillState} value={bill.state} />
  )
