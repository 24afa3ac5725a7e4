import { justOpenedText } from '#modules/devices/contract/code-reading.ts'
import { mergeWindowMs } from '../../domain/passage-merge.ts'
import { isCountedKey } from '../reach/credential-source.ts'
import type { Neighbour } from './neighbours.ts'
import { isCountedEntrance, keyOfRecord, type NewPassage } from './new-passage.ts'

/** One that was asked about is known by its answer alone: another one may have been counted. */
const isPossiblySecond = ({ itemKey, openStatus, direction, isDecided, reason }: NewPassage): boolean =>
  openStatus === 'refused' &&
  direction !== 'exit' &&
  itemKey !== undefined &&
  isCountedKey(itemKey) &&
  (isDecided !== true || reason === justOpenedText)

type Opening = Pick<NewPassage, 'doorwayId' | 'itemKey' | 'atMs'>

const isSecondOf = ({ doorwayId, itemKey, atMs }: NewPassage, opening: Opening): boolean =>
  opening.doorwayId === doorwayId &&
  opening.itemKey === itemKey &&
  atMs >= opening.atMs &&
  atMs - opening.atMs <= mergeWindowMs

interface SecondReadings {
  readonly others: readonly NewPassage[]
  /** Of openings that are stored. */
  readonly ofStored: readonly { readonly key: string; readonly opening: Neighbour }[]
  /** Of openings that come with them. */
  readonly ofIncoming: readonly { readonly key: string; readonly opening: NewPassage }[]
}

/** VIS-2: a code read once more at the door that it just opened is the same entrance, and no refusal. */
export function splitSecondReadings(
  passages: readonly NewPassage[],
  neighbours: readonly Neighbour[],
): SecondReadings {
  const stored = neighbours.filter(({ opensInwards }) => opensInwards)
  const incoming = passages.filter(isCountedEntrance)
  const known = new Set(neighbours.map(keyOfRecord))
  const merged = new Set(stored.flatMap(({ mergedKeys }) => mergedKeys))
  const others: NewPassage[] = []
  const ofStored: { key: string; opening: Neighbour }[] = []
  const ofIncoming: { key: string; opening: NewPassage }[] = []
  for (const passage of passages) {
    const key = keyOfRecord(passage)
    // Sent once more.
    if (merged.has(key)) continue
    const isCandidate = isPossiblySecond(passage) && !known.has(key)
    const opening = isCandidate ? stored.find(each => isSecondOf(passage, each)) : undefined
    const partner = isCandidate ? incoming.find(each => isSecondOf(passage, each)) : undefined
    if (opening) {
      ofStored.push({ key, opening })
    } else if (partner) {
      ofIncoming.push({ key, opening: partner })
    } else {
      others.push(passage)
    }
  }
  return { others, ofStored, ofIncoming }
}
