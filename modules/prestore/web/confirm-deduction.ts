import { confirm } from '#kit/web/confirm.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { deductRooms } from '../contract/account.ts'
import type { DeductionResult } from './deduction-result.tsx'

/** Deducts once it is confirmed; nothing comes back where it is not, or where a toast has shown a refusal. */
export async function confirmDeduction(
  projectCode: string,
  roomCodes: readonly string[] | undefined,
  subject: string,
): Promise<DeductionResult | undefined> {
  const isConfirmed = await confirm({
    title: '预存冲抵',
    text: `用预存缴清${subject}的账单：专用账户在前，通用在后，最早到期的先缴`,
    okLabel: '冲抵',
  })
  if (!isConfirmed) return undefined
  const rooms = roomCodes ? { roomCodes } : { allRooms: true }
  return sendAndInvalidate(deductRooms, { projectCode, ...rooms }).catch(() => undefined)
}
