import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import { canOpen } from '../reach/decision.ts'
import type { NewPassage } from './new-passage.ts'

/** What devices answer of a credential that they do not have. */
const unknownToDevice = '卡号未登记'
const notOnDevice = '设备中无此凭证'

/** A later one says nothing of what was in order then. */
const maxDelayMs = 600_000
const maxAsked = 50

/** Of a resident, of the staff, or a visitor's: the credential is one of the project. */
const isKnownHere = ({ openStatus, reason, personKind, itemKey }: NewPassage): boolean =>
  openStatus === 'refused' &&
  reason === unknownToDevice &&
  itemKey !== undefined &&
  personKind !== undefined &&
  personKind !== 'stranger'

/** A device does not have what is lost, ended or without a right to its door: which of them is known here. */
async function reasonOf(tx: Tx, ownerId: Id, passage: NewPassage): Promise<string> {
  const decision = await canOpen(tx, ownerId, {
    key: defined(passage.itemKey),
    doorwayId: passage.doorwayId,
    at: fromInstant(passage.atMs),
    direction: passage.direction === 'both' ? undefined : passage.direction,
    isDevice: true,
  })
  return decision.isAllowed ? '凭证尚未下发到设备' : decision.reason
}

/** Records of people who are known here say why they did not open, as it is known here. */
export async function withReasons(
  tx: Tx,
  ownerId: Id,
  passages: readonly NewPassage[],
  receivedMs: number,
): Promise<readonly NewPassage[]> {
  const reasons = new Map<string, string>()
  const explained: NewPassage[] = []
  for (const passage of passages) {
    if (!isKnownHere(passage)) {
      explained.push(passage)
      continue
    }
    const key = `${passage.doorwayId} ${passage.direction} ${passage.itemKey ?? ''}`
    const isRecent = receivedMs - passage.atMs <= maxDelayMs && reasons.size < maxAsked
    const reason = reasons.get(key) ?? (isRecent ? await reasonOf(tx, ownerId, passage) : notOnDevice)
    if (isRecent) {
      reasons.set(key, reason)
    }
    explained.push({ ...passage, reason })
  }
  return explained
}
