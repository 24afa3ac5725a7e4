import type { Id } from '#kit/domain/id.ts'
import { isCountedKey } from '../reach/credential-source.ts'
import type { OpenMethod, PersonKind } from '../../contract/choices.ts'

/** A passing that is about to be stored. */
export interface NewPassage {
  readonly projectCode: string
  readonly doorwayId: Id
  readonly deviceId: Id
  readonly recordKey: string
  readonly atMs: number
  readonly isTimeDoubtful: boolean
  readonly openMethod: OpenMethod
  readonly openStatus: 'opened' | 'refused'
  readonly direction: 'entrance' | 'exit' | 'both'
  readonly itemKey?: string | undefined
  readonly cardNo?: string | undefined
  readonly plateNo?: string | undefined
  /** The device had asked whether it may open: how that ended is not to be lost. */
  readonly isDecided?: boolean | undefined
  readonly reason?: string | undefined
  readonly temperature?: string | undefined
  /** Base64. */
  readonly picture?: string | undefined
  readonly personKind?: PersonKind | undefined
  readonly userId?: Id | undefined
  readonly staffId?: Id | undefined
  readonly personName?: string | undefined
  readonly roomId?: Id | undefined
}

/** A device's own number, unique among all devices. */
export const keyOfRecord = ({
  deviceId,
  recordKey,
}: {
  readonly deviceId: Id
  readonly recordKey: string
}): string => `${deviceId}/${recordKey}`

type Identified = Pick<
  NewPassage,
  'doorwayId' | 'itemKey' | 'openMethod' | 'openStatus' | 'direction' | 'isDecided'
>

/** From a screen or a telephone: the device's own record does not know which. */
export const isRemote = ({ openMethod }: Pick<NewPassage, 'openMethod'>): boolean =>
  openMethod === 'remote' || openMethod === 'mobile'

/** Each opening inwards by it is an entrance of its own: two within a second are one too many (VIS-2). */
export const isCountedEntrance = ({ itemKey, openStatus, direction }: Identified): boolean =>
  openStatus === 'opened' && direction !== 'exit' && itemKey !== undefined && isCountedKey(itemKey)

/** Two of the same identity may be one passing; what names nobody is never taken for another's (ACS-5). */
export function identityOf(passage: Identified): string | undefined {
  const { doorwayId, itemKey, openStatus, direction } = passage
  if (isRemote(passage)) return `${doorwayId}/remote/${openStatus}`
  if (passage.isDecided === true || isCountedEntrance(passage)) return undefined
  return itemKey === undefined ? undefined : `${doorwayId}/${itemKey}/${openStatus}/${direction}`
}
