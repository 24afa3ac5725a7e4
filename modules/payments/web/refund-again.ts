import { send } from '#kit/web/send.ts'
import { getInstanceOfRecord } from '#modules/approvals/contract/instance.ts'
import type { FeeRefund } from '../contract/refund.ts'

/** The page on which what came back is amended and goes in again (APR-4). */
export async function findAmendPage({ id }: Pick<FeeRefund, 'id'>): Promise<string | undefined> {
  return (await send(getInstanceOfRecord, { bizType: 'refund', bizId: id })).amendLink
}
